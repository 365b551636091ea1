import { type ReadingPeriod, type ReadingYear, seriesOfYearMax, type TermOfYear, termsOfYearMax } from '@carrel/api'
import type { ReadDb } from '../../../../database/database.ts'
import type { Viewer } from '../../../../catalogue/visibility/visibility.ts'
import { selectFinishedBook, selectTermSums, type TermSum } from './queries.ts'
import { readStats, type SeriesFigures, shown, streaksOf, zonesFor } from '../stats.ts'
import { planOf } from '../window.ts'
import type { Zone } from '../zone.ts'

interface FinishedBook {
  readonly day: string
  readonly bookId: string
}

/** A year as far as reading knows it: which series and books they are is of other features. */
type Year = Omit<ReadingYear, 'series' | 'firstFinished' | 'lastFinished'> & {
  readonly series: readonly SeriesFigures[]
  readonly firstFinished: FinishedBook | null
  readonly lastFinished: FinishedBook | null
}

export const readYear = async (
  db: ReadDb,
  viewer: Viewer,
  query: { readonly year?: number | undefined; readonly timezone?: string | undefined },
  now: Date,
): Promise<Year> => {
  const zones = await zonesFor(db, viewer.userId, query.timezone)
  const { zone } = zones
  const today = zone.dayOf(now.getTime())
  const year = query.year ?? Number(today.slice(0, 4))
  const window = { from: zone.startOf(`${year}-01-01`), to: zone.startOf(`${year + 1}-01-01`) }
  const plan = planOf(viewer.userId, window, zones, 'day')
  const days = { from: `${year}-01-01`, to: `${year}-12-31` }
  const stretch = { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() }
  const [{ summary, periods, series }, genres, people, first, last] = await Promise.all([
    readStats(db, viewer, { ...days, timezone: query.timezone, seriesLimit: seriesOfYearMax }, now),
    selectTermSums(db, viewer, plan, { kind: 'genre', limit: termsOfYearMax }),
    selectTermSums(db, viewer, plan, { kind: 'person', limit: termsOfYearMax }),
    selectFinishedBook(db, viewer, stretch, 'first'),
    selectFinishedBook(db, viewer, stretch, 'last'),
  ])
  const active = periods.filter(({ sessions }) => sessions > 0).map(({ bucket }) => bucket)
  return {
    year,
    summary,
    months: monthsOf(periods),
    activeDays: active.length,
    longestStreak: streaksOf(active, today).longestStreak,
    series,
    genres: genres.map(named),
    people: people.map(named),
    firstFinished: finishedIn(zone, first),
    lastFinished: finishedIn(zone, last),
  }
}

const named = ({ name, ...sum }: TermSum): TermOfYear => ({ name, ...shown(sum) })

const finishedIn = (
  zone: Zone,
  book: { readonly id: string; readonly startedAt: string } | undefined,
): FinishedBook | null => (book ? { bookId: book.id, day: zone.dayOf(Date.parse(book.startedAt)) } : null)

/** Every day belongs whole to one month: their sums are exact. */
const monthsOf = (days: readonly ReadingPeriod[]): ReadingPeriod[] =>
  [...Map.groupBy(days, ({ bucket }) => `${bucket.slice(0, 7)}-01`)].map(([bucket, own]) => {
    const total = (of: (day: ReadingPeriod) => number): number => own.reduce((sum, day) => sum + of(day), 0)
    return {
      bucket,
      booksFinished: total(({ booksFinished }) => booksFinished),
      duration: {
        measuredMs: total(({ duration }) => duration.measuredMs),
        inferredMs: total(({ duration }) => duration.inferredMs),
        totalMs: total(({ duration }) => duration.totalMs),
      },
      pagesRead: total(({ pagesRead }) => pagesRead),
      sessions: total(({ sessions }) => sessions),
    }
  })
