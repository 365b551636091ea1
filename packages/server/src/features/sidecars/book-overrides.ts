import type { ReadDb } from '../../database/database.ts'
import { groupBooks, selectMergesOf } from '../../catalogue/shown/shown.ts'
import type { BookOverride } from './document.ts'
import { selectPutByHand } from './queries.ts'

interface PlacedBook {
  readonly id: string
  readonly series_id: string
  readonly library_id: string
  readonly folder: string
}

/**
 * Which of these books stand where people have put them, be it with all of their series, that they have merged into
 * another: `merging` names the libraries in which anybody has.
 */
export const readBookOverrides = async (
  db: ReadDb,
  books: readonly PlacedBook[],
  merging: ReadonlySet<string>,
): Promise<ReadonlyMap<string, BookOverride>> => {
  const overrides = new Map<string, BookOverride>()
  if (books.length === 0) return overrides
  const ids = books.map(({ id }) => id)
  for (const { id, series_id, at } of await selectPutByHand(db, ids)) overrides.set(id, { series: series_id, at })
  const others = books.filter(({ id, library_id }) => !overrides.has(id) && merging.has(library_id))
  for (const [libraryId, each] of Map.groupBy(others, ({ library_id }) => library_id))
    for (const [id, position] of await readMerged(db, libraryId, each)) overrides.set(id, position)
  return overrides
}

const readMerged = async (
  db: ReadDb,
  libraryId: string,
  books: readonly PlacedBook[],
): Promise<ReadonlyMap<string, BookOverride>> => {
  const grouped = await groupBooks(
    db,
    books.map(({ id }) => id),
  )
  const keys = [...new Set([...grouped.values()].map(({ series }) => series.key))]
  const merges = new Map((await selectMergesOf(db, libraryId, keys)).map((row) => [row.key, row]))
  return new Map(
    books.flatMap(({ id, series_id, folder }) => {
      const { series } = grouped.get(id) ?? {}
      const merge = merges.get(series?.key ?? '')
      if (!merge || merge.by_user_id === null || merge.into_series_id !== series_id) return []
      const own = series?.path == null ? '' : `${series.path}/`
      return [[id, { series: series_id, at: merge.at, ...(own !== '' && folder.startsWith(own) && { folder: own }) }]]
    }),
  )
}
