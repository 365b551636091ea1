import type { FacetValue } from '@carrel/api'

export interface YearBar {
  readonly from: number
  readonly to: number
  readonly count: number
}

const barsMax = 32
/** People count years by these. */
const steps = [1, 2, 5, 10, 20, 50, 100, 500, 1000]

/** How many there are of each year, or of some years together, without a gap from the first to the last. */
export const barsOf = (counts: readonly FacetValue[]): readonly YearBar[] => {
  const years = counts.map(({ value, count }) => ({ year: Number(value), count })).filter(({ year }) => year > 0)
  if (years.length === 0) return []
  const first = Math.min(...years.map(({ year }) => year))
  const last = Math.max(...years.map(({ year }) => year))
  const step = steps.find((each) => (last - first + 1) / each <= barsMax) ?? 1000
  const start = first - (first % step)
  const bars = Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, index) => {
    const from = start + index * step
    const to = from + step - 1
    const count = years.reduce((sum, each) => (each.year >= from && each.year <= to ? sum + each.count : sum), 0)
    return { from, to, count }
  })
  return bars.map(({ from, to, count }) => ({ from: Math.max(from, first), to: Math.min(to, last), count }))
}
