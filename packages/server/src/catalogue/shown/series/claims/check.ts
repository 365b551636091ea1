import type { ReadDb } from '../../../../database/database.ts'
import { type ListClaim, selectListClaims } from '../../../member-lists/member-lists.ts'
import type { Layer } from '../../../metadata/metadata.ts'
import type { StoredLayer } from '../../books/layers.ts'
import { listsIn } from './claims.ts'
import { readClaimsOfPaths } from './claims-of-paths.ts'
import { selectClaims, selectMiscountedClaims, selectTallies, type TallyRow } from './queries.ts'
import { countClaims, textOf } from './tally.ts'

/** Books that claim something else than what is stored. */
export const selectOtherClaims = async (
  db: ReadDb,
  bookIds: readonly string[],
  layers: ReadonlyMap<string, readonly Layer<StoredLayer>[]>,
): Promise<string[]> => {
  const stored = await selectClaims(db, bookIds)
  const claimsOfPaths = await readClaimsOfPaths(db, bookIds, layers)
  const named = Map.groupBy(await selectListClaims(db, bookIds), ({ book_id }) => book_id)
  return bookIds.filter((id) => {
    const claims = textOf(layers.get(id) ?? [], claimsOfPaths.get(id))
    return claims !== stored.get(id)?.claims || keysOf(listsIn(claims)) !== keysOf(named.get(id) ?? [])
  })
}

const keysOf = (lists: readonly ListClaim[]): string =>
  lists
    .map(({ list, name_key, name, place }) => JSON.stringify([list, name_key, name, place]))
    .sort()
    .join('\n')

/** Series whose books claim something else together than what is counted of them. */
export const selectMiscountedSeries = async (db: ReadDb, seriesIds: readonly string[]): Promise<string[]> => {
  const countedElsewhere = await selectMiscountedClaims(db, { bookIds: [], seriesIds })
  const elsewhere = new Set(countedElsewhere.flatMap(({ counted_in, counts_in }) => [counted_in, counts_in]))
  const keysOf = (rows: readonly TallyRow[]) =>
    Map.groupBy(
      rows.map((row) => ({ id: row.series_id, key: JSON.stringify([row.field, row.value, row.books]) })),
      ({ id }) => id,
    )
  const [kept, counted] = [keysOf(await selectTallies(db, seriesIds)), keysOf(await countClaims(db, seriesIds))]
  const textIn = (keys: ReturnType<typeof keysOf>, id: string): string =>
    (keys.get(id) ?? [])
      .map(({ key }) => key)
      .sort()
      .join('\n')
  return seriesIds.filter((id) => elsewhere.has(id) || textIn(kept, id) !== textIn(counted, id))
}
