import type { Log } from '../log.ts'
import { openHistograms } from './histograms.ts'
import { attributesOf, nanoseconds, type Span } from './otlp.ts'

export interface Collector {
  /** Below it stand `v1/traces` and `v1/metrics`. */
  readonly url: URL
  /** Keys of the collector may stand in these. */
  readonly headers: Readonly<Record<string, string>>
  /** So many of a hundred requests and tasks are traced; figures are of all. */
  readonly samplePercent: number
}

export interface ExporterOptions {
  readonly collector: Collector
  readonly log: Log
  readonly version: string
  readonly role: string
}

const spansEveryMs = 5000
const figuresEveryMs = 60_000
const spansMax = 4096
/** So many are sent at once, before their time has come. */
const spansAtOnce = 512
const answersWithinMs = 5000
/** A process that is told to stop has a few seconds for all it does. */
const closesWithinMs = 1500

/**
 * It sends what has ended to a collector, in the JSON of OTLP over HTTP. What cannot be sent is gone: nothing of the server waits
 * for a collector, and no more than a few thousand spans are kept for one.
 */
export const openExporter = ({ collector, log, version, role }: ExporterOptions) => {
  const startedAt = performance.now()
  const histograms = openHistograms()
  let spans: Span[] = []
  let dropped = 0
  let sending: Promise<void> = Promise.resolve()

  const resource = {
    attributes: attributesOf({
      'service.name': 'carrel',
      'service.version': version,
      'service.instance.id': `${role}-${process.pid}`,
      'carrel.role': role,
    }),
  }
  const scope = { name: 'carrel', version }

  const ending = new AbortController()
  const post = postTo(collector, log, ending.signal)
  const sendSpans = async (): Promise<void> => {
    if (spans.length === 0) return
    const batch = spans
    spans = []
    await post('v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: batch }] }] })
  }
  const sendFigures = async (): Promise<void> => {
    const now = performance.now()
    const metrics = [...histograms.collect(startedAt, now), ...ofProcess(startedAt, now, dropped)]
    await post('v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] })
  }
  const inTurn = (send: () => Promise<void>): Promise<void> => {
    sending = sending.then(send)
    return sending
  }
  const timers = [
    setInterval(() => void inTurn(sendSpans), spansEveryMs).unref(),
    setInterval(() => void inTurn(sendFigures), figuresEveryMs).unref(),
  ]

  return {
    add: (span: Span): void => {
      if (spans.length >= spansMax) {
        dropped += 1
        return
      }
      spans.push(span)
      if (spans.length === spansAtOnce) void inTurn(sendSpans)
    },
    observe: histograms.observe,
    /** What is left goes out, to a collector that answers soon. */
    close: async (): Promise<void> => {
      for (const timer of timers) clearInterval(timer)
      const timer = setTimeout(() => ending.abort(new Error('It did not answer in time')), closesWithinMs).unref()
      await inTurn(sendSpans)
      await inTurn(sendFigures)
      clearTimeout(timer)
    },
  }
}

/** A collector that is away is told of once. */
const postTo = ({ url, headers }: Collector, log: Log, ending: AbortSignal) => {
  let isAway = false
  return async (path: string, body: object): Promise<void> => {
    try {
      const response = await fetch(addressIn(url, path), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(answersWithinMs), ending]),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`It answered ${response.status}`)
      isAway = false
    } catch (err) {
      if (!isAway) log.warn({ err }, 'Traces and metrics cannot be sent; they are left out until they can')
      isAway = true
    }
  }
}

const addressIn = ({ href }: URL, path: string): URL => new URL(path, href.endsWith('/') ? href : `${href}/`)

const ofProcess = (startedAt: number, now: number, dropped: number) => {
  const times = { startTimeUnixNano: nanoseconds(startedAt), timeUnixNano: nanoseconds(now) }
  const { user, system } = process.cpuUsage()
  const sum = (name: string, unit: string, point: object) => ({
    name,
    unit,
    sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ ...times, ...point }] },
  })
  return [
    sum('process.cpu.time', 's', { asDouble: (user + system) / 1e6 }),
    sum('carrel.spans.dropped', '{span}', { asInt: String(dropped) }),
    {
      name: 'process.memory.usage',
      unit: 'By',
      gauge: { dataPoints: [{ ...times, asInt: String(process.memoryUsage.rss()) }] },
    },
  ]
}
