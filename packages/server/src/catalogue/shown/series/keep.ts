import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { seriesNameKeys } from '../../../platform/text/name-keys.ts'
import { sortKey } from '../../../platform/text/sort-key.ts'
import { seriesFieldColumns, textsOf } from './columns.ts'
import { deleteMergedKeys, selectMergedKeys } from './merges/queries.ts'
import { type ArrivingBook, type AppliedOverrides, readOverrides } from './overrides/overrides.ts'
import { insertSeries, lockRatings, selectSeriesByKey, updateKeys, upsertNames } from './queries.ts'
import type { SeriesTables } from '../table.ts'

/** What a scan knows of a series before it has opened a book. */
export interface SeriesToStore {
  readonly key: string
  readonly title: string
  readonly path: string | null
}

interface BookToKeep extends ArrivingBook {
  /** Where the grouping puts it. */
  readonly series: SeriesToStore
}

export interface StoredSeries {
  /** By book. */
  readonly idOf: ReadonlyMap<string, string>
  /** By id: what books that come into them are rated until more is known. */
  readonly ratingOf: ReadonlyMap<string, number | null>
  readonly created: readonly string[]
  readonly byHand: AppliedOverrides
}

/** The series of books of a library: where people have put them, else what its grouping says. Only for the latter any is made. */
export const storeSeriesOf = async (
  db: WriteDb,
  libraryId: string,
  books: readonly BookToKeep[],
  now: Date,
): Promise<StoredSeries> => {
  const byHand = await readOverrides(db, libraryId, books, now)
  const grouped = books.filter(({ bookId }) => !byHand.seriesOf.has(bookId)).map(({ series }) => series)
  const { idOf, created } = await storeSeries(db, libraryId, grouped, now)
  const ids = new Map(
    books.map(({ bookId, series }) => [bookId, byHand.seriesOf.get(bookId) ?? idOf.get(series.key) ?? '']),
  )
  const fresh = new Set(created)
  const existingIds = [...new Set(ids.values())].filter((id) => !fresh.has(id))
  return { idOf: ids, ratingOf: await lockRatings(db, existingIds), created, byHand }
}

/** The series of a library that have these keys, or that those have become part of; made where there are none yet. */
const storeSeries = async (db: WriteDb, libraryId: string, series: readonly SeriesToStore[], now: Date) => {
  const byKey = new Map(series.map((each) => [each.key, each]))
  const keys = [...byKey.keys()]
  const idsByKey = await selectSeriesAtKeys(db, libraryId, keys)
  const rows = [...byKey.values()]
    .filter(({ key }) => !idsByKey.has(key))
    .map((each) => newSeries(libraryId, each, now))
  await insertSeries(db, rows)
  await upsertNames(
    db,
    rows.map(({ id, name }) => ({ id, keys: seriesNameKeys([name]) })),
  )
  return {
    idOf: new Map([...idsByKey, ...rows.map(({ key, id }) => [key, id] as const)]),
    created: rows.map(({ id }) => id),
  }
}

/** The series that a library's grouping knows by these keys, be it as a part of another one. */
export const selectSeriesAtKeys = async (
  db: ReadDb,
  libraryId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await selectSeriesByKey(db, libraryId, keys)), ...(await selectMergedKeys(db, libraryId, keys))])

interface SeriesRename {
  readonly id: string
  readonly oldKey: string
  readonly target: SeriesToStore
}

/**
 * Their folders are called otherwise now, or lie elsewhere. Whoever places their books refreshes them. What was merged into
 * others by the keys they leave and take has nothing to do with what lies there from now on.
 */
export const renameSeries = async (db: WriteDb, libraryId: string, renames: readonly SeriesRename[]): Promise<void> => {
  const others = renames.filter(({ oldKey, target }) => oldKey !== target.key)
  await deleteMergedKeys(db, libraryId, {
    keys: others.flatMap(({ oldKey, target }) => [oldKey, target.key]),
    intoIds: others.map(({ id }) => id),
  })
  await updateKeys(
    db,
    renames.map(({ id, target: { key, title, path } }) => ({ id, library_id: libraryId, key, name: title, path })),
  )
}
/** One that people have made: no grouping knows its key. */
export const storeSeriesByHand = async (
  db: WriteDb,
  { libraryId, title }: { readonly libraryId: string; readonly title: string },
  now: Date,
): Promise<string> => {
  const row = newSeries(libraryId, { key: `//${newId(now.getTime())}`, title, path: null }, now)
  await insertSeries(db, [row])
  await upsertNames(db, [{ id: row.id, keys: seriesNameKeys([title]) }])
  return row.id
}

export const newSeries = (libraryId: string, { key, title, path }: SeriesToStore, now: Date) => {
  const at = now.toISOString()
  return {
    id: newId(now.getTime()),
    library_id: libraryId,
    key,
    name: title,
    path,
    title,
    sort_key: sortKey(title),
    metadata: '{}',
    locks: '[]',
    book_count: 0,
    volumes_owned: 0,
    ...textsOf({ title, path }),
    cover_version: 0,
    created_at: at,
    updated_at: at,
  }
}

/** Series that were gone, as they were: what is shown of them is worked out anew, of what is said of them and their books. */
export const restoreSeries = async (
  db: WriteDb,
  rows: readonly Selectable<SeriesTables['series']>[],
): Promise<void> => {
  await insertSeries(
    db,
    rows.map((row) => ({
      ...row,
      // What was kept of a merge before these were known of series has none.
      said_age_rating: row.said_age_rating ?? null,
      ...seriesFieldColumns.of({}),
      ...textsOf({ title: row.name, path: row.path }),
      title: row.name,
      sort_key: sortKey(row.name),
      metadata: '{}',
      book_count: 0,
      first_book_id: null,
      first_released: null,
    })),
  )
  await upsertNames(
    db,
    rows.map(({ id, name }) => ({ id, keys: seriesNameKeys([name]) })),
  )
}
