import type { ReadDb } from '../../../../database/database.ts'
import { type ListClaim, selectListClaims } from '../../../member-lists/member-lists.ts'
import { claimsText, listsIn } from './claims.ts'
import { selectClaims, selectMiscountedClaims, selectTallies, type TallyRow } from './queries.ts'
import type { BookSources } from './sources.ts'
import { countClaims } from './tally.ts'

/** Books that claim something else than what is stored. */
export const selectOtherClaims = async (
  db: ReadDb,
  bookIds: readonly string[],
  sources: ReadonlyMap<string, BookSources>,
): Promise<string[]> => {
  const stored = new Map((await selectClaims(db, bookIds)).map(({ book_id, claims }) => [book_id, claims]))
  const named = Map.groupBy(await selectListClaims(db, bookIds), ({ book_id }) => book_id)
  return bookIds.filter((id) => {
    const claims = claimsText(sources.get(id))
    return claims !== (stored.get(id) ?? undefined) || keysOf(listsIn(claims)) !== keysOf(named.get(id) ?? [])
  })
}

const keysOf = (lists: readonly ListClaim[]): string =>
  lists
    .map(({ list, name_key, name, place }) => JSON.stringify([list, name_key, name, place]))
    .sort()
    .join('\n')

/** Series whose books claim something else together than what is counted of them. */
export const selectMiscountedSeries = async (db: ReadDb, seriesIds: readonly string[]): Promise<string[]> => {
  const countedElsewhere = await selectMiscountedClaims(db, seriesIds)
  const elsewhere = new Set(countedElsewhere.flatMap(({ counted_in, counts_in }) => [counted_in, counts_in]))
  const keysOf = (rows: readonly TallyRow[]) =>
    Map.groupBy(
      rows.map((row) => ({ id: row.series_id, key: JSON.stringify([row.field, row.value, row.books]) })),
      ({ id }) => id,
    )
  const [stored, counted] = [keysOf(await selectTallies(db, seriesIds)), keysOf(await countClaims(db, seriesIds))]
  const textIn = (keys: ReturnType<typeof keysOf>, id: string): string =>
    (keys.get(id) ?? [])
      .map(({ key }) => key)
      .sort()
      .join('\n')
  return seriesIds.filter((id) => elsewhere.has(id) || textIn(stored, id) !== textIn(counted, id))
}
