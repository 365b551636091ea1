import type { TaskMetricsHistory } from '@carrel/api'

export interface Bar {
  /** When the period began. */
  readonly at: string
  readonly count: number
  readonly failed: number
}

const lengths = { hour: 3_600_000, day: 86_400_000 } as const

/** One bar for each period, also for those in which nothing happened, which the server leaves out. */
export const barsOf = ({ points, from, to, granularity }: TaskMetricsHistory): readonly Bar[] => {
  const length = lengths[granularity]
  const pointsByTime = new Map(points.map((point) => [Date.parse(point.periodStart), point]))
  const first = Math.ceil(Date.parse(from) / length)
  const last = Math.floor(Date.parse(to) / length)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const start = (first + index) * length
    const { count = 0, failed = 0 } = pointsByTime.get(start) ?? {}
    return { at: new Date(start).toISOString(), count, failed }
  })
}
