import { type Attributes, attributesOf, nanoseconds } from './otlp.ts'

/** In seconds, as OpenTelemetry advises for requests. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** What would be more goes together into one. */
const seriesMax = 2000
const overflow = { 'otel.metric.overflow': true }

interface Series {
  readonly name: string
  readonly attributes: Attributes
  readonly counts: number[]
  count: number
  sum: number
}

/** Durations are counted from the start of the process on. */
export const openHistograms = () => {
  const series = new Map<string, Series>()

  const seriesOf = (name: string, attributes: Attributes): Series => {
    const key = `${name} ${JSON.stringify(attributes)}`
    const existing = series.get(key)
    if (existing) return existing
    if (series.size >= seriesMax && attributes !== overflow) return seriesOf(name, overflow)
    const made = { name, attributes, counts: Array.from({ length: bounds.length + 1 }, () => 0), count: 0, sum: 0 }
    series.set(key, made)
    return made
  }

  return {
    observe: (name: string, attributes: Attributes, ms: number): void => {
      const seconds = ms / 1000
      const of = seriesOf(name, attributes)
      const at = bounds.findIndex((bound) => seconds <= bound)
      const bucket = at === -1 ? bounds.length : at
      of.counts[bucket] = (of.counts[bucket] ?? 0) + 1
      of.count += 1
      of.sum += seconds
    },
    collect: (startedAt: number, now: number): object[] =>
      Object.entries(Object.groupBy(series.values(), ({ name }) => name)).map(([name, all = []]) => ({
        name,
        unit: 's',
        histogram: {
          aggregationTemporality: 2,
          dataPoints: all.map(({ attributes, counts, count, sum }) => ({
            attributes: attributesOf(attributes),
            startTimeUnixNano: nanoseconds(startedAt),
            timeUnixNano: nanoseconds(now),
            count: String(count),
            sum,
            bucketCounts: counts.map(String),
            explicitBounds: bounds,
          })),
        },
      })),
  }
}
