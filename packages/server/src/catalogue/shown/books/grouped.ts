import type { Grouping } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { GroupedSeries } from '../../../naming/grouping/grouping-policy.ts'
import { readLayers } from '../../metadata/metadata.ts'
import { storeSeriesOf } from '../series/keep.ts'
import { selectMergedKeys } from '../series/merges/queries.ts'
import { selectSeriesByKey } from '../series/queries.ts'
import { groupingHints, type StoredLayer } from './layers.ts'
import { groupFile } from './names.ts'
import { type MoveByHand } from './place-books.ts'
import { selectFilesOfBooks, selectNamingRules } from './queries.ts'

export interface GroupedBook {
  readonly series: GroupedSeries
  readonly policy: Grouping['policy']
  /** By its path alone the book would be in another series: its file says this one. */
  readonly isByFile: boolean
}

/** Where the grouping of their library alone puts books, whatever people have done with them. */
export const groupBooks = async (db: ReadDb, bookIds: readonly string[]): Promise<ReadonlyMap<string, GroupedBook>> => {
  const files = await selectFilesOfBooks(db, bookIds)
  const rulesOf = await selectNamingRules(db, [...new Set(files.map(({ library_id }) => library_id))])
  const layers = await readLayers<StoredLayer>(db, bookIds)
  return new Map(
    files.flatMap(({ book_id, library_id, root_id: rootId, folder, name }) => {
      const rules = rulesOf.get(library_id)
      if (!rules) return []
      const series = groupFile(rules, { rootId, folder, name }, groupingHints(layers.get(book_id) ?? []))
      const isByFile = groupFile(rules, { rootId, folder, name }).key !== series.key
      return [[book_id, { series, policy: rules.grouping.policy, isByFile }] as const]
    }),
  )
}

/** The series of a library that have these keys by now, be it as part of them. */
export const selectSeriesOfKeys = async (
  db: ReadDb,
  libraryId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await selectSeriesByKey(db, libraryId, keys)), ...(await selectMergedKeys(db, libraryId, keys))])

/** Where books go that nobody keeps elsewhere any more. A book without a file stays where it is. */
export const movesByGrouping = async (
  db: WriteDb,
  libraryId: string,
  bookIds: readonly string[],
  now: Date,
): Promise<readonly MoveByHand[]> => {
  const grouped = await groupBooks(db, bookIds)
  const books = [...grouped].map(([bookId, { series }]) => ({ bookId, series }))
  const { idOf } = await storeSeriesOf(db, libraryId, books, now)
  return books.flatMap(({ bookId }) => {
    const seriesId = idOf.get(bookId)
    return seriesId === undefined ? [] : [{ bookId, seriesId }]
  })
}
