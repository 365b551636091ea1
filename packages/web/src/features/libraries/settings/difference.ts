import type { ScanPreview, SeriesDto } from '@carrel/api'

type Previewed = ScanPreview['series'][number]
type Standing = Pick<SeriesDto, 'id' | 'title' | 'bookCount'>

interface Difference {
  readonly gone: readonly Standing[]
  readonly came: readonly Previewed[]
  /** So many books at least go to another series: a preview does not say of each where it was. */
  readonly moved: number
}

/** What another grouping would change, series by series. Of a series that is parted the largest part is the series. */
export const differenceOf = (previewed: readonly Previewed[], standing: readonly Standing[]): Difference => {
  const largest = new Map<string, Previewed>()
  for (const series of previewed) {
    if (series.was === null) continue
    if (series.bookCount > (largest.get(series.was)?.bookCount ?? 0)) largest.set(series.was, series)
  }
  const stayed = standing.map(({ id, bookCount }) => Math.min(bookCount, largest.get(id)?.bookCount ?? 0))
  return {
    gone: standing.filter(({ id }) => !largest.has(id)),
    came: previewed.filter((series) => series.was === null || largest.get(series.was) !== series),
    moved: sum(standing.map(({ bookCount }) => bookCount)) - sum(stayed),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
