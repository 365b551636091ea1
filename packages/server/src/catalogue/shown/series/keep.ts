import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { seriesNameKeys } from '../../../platform/name-keys.ts'
import { sortKey } from '../../../platform/sort-key.ts'
import { seriesFieldColumns, textsOf } from './columns.ts'
import { selectMergedKeys } from './merges/queries.ts'
import { insertSeries, lockRatings, selectSeriesByKey, updateKeys, upsertNames } from './queries.ts'
import type { SeriesTables } from '../table.ts'

/** What a scan knows of a series before it has opened a book. */
export interface SeriesToStore {
  readonly key: string
  readonly title: string
  readonly path: string | null
}

export interface KeptSeries {
  readonly idOf: ReadonlyMap<string, string>
  /** By id: what books that come into them are rated until more is known. */
  readonly ratingOf: ReadonlyMap<string, number | null>
  readonly created: readonly string[]
}

/** The series of a library that have these keys, or that those have become part of; made where there are none yet. */
export const storeSeries = async (
  db: WriteDb,
  libraryId: string,
  wanted: readonly SeriesToStore[],
  now: Date,
): Promise<KeptSeries> => {
  const byKey = new Map(wanted.map((each) => [each.key, each]))
  const keys = [...byKey.keys()]
  const known = await selectSeriesAtKeys(db, libraryId, keys)
  const rows = [...byKey.values()].filter(({ key }) => !known.has(key)).map((each) => newSeries(libraryId, each, now))
  await insertSeries(db, rows)
  await upsertNames(
    db,
    rows.map(({ id, name }) => ({ id, keys: seriesNameKeys([name]) })),
  )
  return {
    idOf: new Map([...known, ...rows.map(({ key, id }) => [key, id] as const)]),
    ratingOf: await lockRatings(db, [...new Set(known.values())]),
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

/** Their folders are called otherwise now, or lie elsewhere. Whoever places their books refreshes them. */
export const renameSeries = (
  db: WriteDb,
  libraryId: string,
  renames: readonly { readonly id: string; readonly place: SeriesToStore }[],
): Promise<void> =>
  updateKeys(
    db,
    renames.map(({ id, place: { key, title, path } }) => ({ id, library_id: libraryId, key, name: title, path })),
  )

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
