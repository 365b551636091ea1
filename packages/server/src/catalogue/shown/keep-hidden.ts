import type { WriteDb } from '../../database/database.ts'
import { hiddenAbove, readRestrictions, type Restriction } from '../visibility/visibility.ts'
import { setCarriedRatings, settleRatings } from './books/queries.ts'
import type { BookMove } from './books/standing.ts'
import type { BookSources } from './series/claims/sources.ts'
import { type DescribedSeries, describeSeries } from './series/describe.ts'
import { selectRatedBySeries } from './series/queries.ts'

interface Moved {
  readonly moves: readonly BookMove[]
  readonly series: readonly DescribedSeries[]
  /** How books are rated by now; those that are rated otherwise again come to them. */
  readonly rated: { readonly id: string; readonly age_rating: number | null }[]
}

/**
 * Nothing is loosened by what goes from one series to another (W9). A book without a rating that comes into a series which has
 * one, and those of a series without a rating into which one comes that has, are rated as the series is from then on: that would
 * show them to those who see nothing unrated. They carry a rating which these do not see, until people say otherwise (decision
 * 093). It answers the series as they are then.
 */
export const keepHidden = async (
  db: WriteDb,
  { moves, series, rated }: Moved,
  now: Date,
): Promise<readonly DescribedSeries[]> => {
  const came = Map.groupBy(
    moves.filter(({ before, seriesId, isNoMove }) => before.seriesId !== seriesId && isNoMove !== true),
    ({ seriesId }) => seriesId,
  )
  const restrictionsOf = new Map<string, readonly Restriction[]>()
  const again: string[] = []
  for (const { row, columns } of series) {
    const unrated = row.age_rating === null ? 'all' : unratedAmong(came.get(row.id) ?? [])
    if (columns.age_rating === null || !came.has(row.id) || unrated.length === 0) continue
    const restrictions = restrictionsOf.get(row.library_id) ?? (await readRestrictions(db, row.library_id))
    restrictionsOf.set(row.library_id, restrictions)
    const carried = hiddenAbove(restrictions, columns.age_rating)
    if (carried === undefined) continue
    const ids = await selectRatedBySeries(db, row.id, unrated)
    await setCarriedRatings(
      db,
      ids.map((id) => ({ id, carried })),
    )
    rated.push(...(await settleRatings(db, 'id', ids)))
    if (columns.own_age_rating === null && ids.length > 0) again.push(row.id)
  }
  return again.length === 0 ? series : describeAgain(db, { series, again, rated }, now)
}

const unratedAmong = (moves: readonly BookMove[]): string[] =>
  moves.flatMap(({ id, before }) => (before.ageRating === null ? [id] : []))

/** A series that has its rating from its books has another one by what they carry. */
const describeAgain = async (
  db: WriteDb,
  { series, again, rated }: Pick<Moved, 'series' | 'rated'> & { readonly again: readonly string[] },
  now: Date,
): Promise<readonly DescribedSeries[]> => {
  const claims = { bookIds: [], sources: new Map<string, BookSources>(), seriesIds: [], isInDoubt: false }
  const options = { isEdit: true, isInDoubt: false, claims }
  const columnsOf = new Map(
    (await describeSeries(db, again, options, now)).map(({ row, columns }) => [row.id, columns]),
  )
  rated.push(...(await settleRatings(db, 'series_id', again)))
  return series.map(({ row, columns }) => ({ row, columns: columnsOf.get(row.id) ?? columns }))
}
