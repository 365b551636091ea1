import type { FileFormat } from '@carrel/api'
import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'

/** Nobody looks here: what is matched is seen by administrators alone, who see everything. */

export interface OurLibrary {
  readonly id: string
  readonly name: string
  readonly roots: readonly { readonly id: string; readonly path: string }[]
}

export const selectOurLibraries = async (db: ReadDb): Promise<OurLibrary[]> => {
  const rows = await db
    .selectFrom('library')
    .innerJoin('library_root', 'library_root.library_id', 'library.id')
    .select(['library.id', 'library.name', 'library_root.id as rootId', 'library_root.path'])
    .where('library.deleted_at', 'is', null)
    .where('library_root.removed_at', 'is', null)
    .orderBy('library.sort_key')
    .orderBy('library_root.position')
    .execute()
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    id,
    name: own[0]?.name ?? '',
    roots: own.map(({ rootId, path }) => ({ id: rootId, path })),
  }))
}

export interface OurFile {
  readonly id: string
  readonly bookId: string
  readonly libraryId: string
  readonly rootId: string
  readonly folder: string
  readonly name: string
  readonly size: number
}

const files = (db: ReadDb) =>
  db
    .selectFrom('file')
    .innerJoin('library', 'library.id', 'file.library_id')
    .select([
      'file.id',
      'file.book_id as bookId',
      'file.library_id as libraryId',
      'file.root_id as rootId',
      'file.folder',
      'file.name',
      'file.size',
    ])
    .where('library.deleted_at', 'is', null)
    .where('file.state', '=', 'present')

export interface PathToLookUp {
  readonly rootId: string
  readonly folder: string
  readonly name: string
}

export const selectFilesAt = async (db: ReadDb, paths: readonly PathToLookUp[]): Promise<OurFile[]> => {
  if (paths.length === 0) return []
  const tuples = paths.map(({ rootId, folder, name }) => sql`(${rootId}, ${folder}, ${name})`)
  return files(db)
    .where(sql<boolean>`(file.root_id, file.folder, file.name) in (values ${sql.join(tuples)})`)
    .execute()
}

/** All files in the order of their ids, so many at once. */
export const selectFilesAfter = (db: ReadDb, afterId: string, limit: number): Promise<OurFile[]> =>
  files(db).where('file.id', '>', afterId).orderBy('file.id').limit(limit).execute()

/** What KOReader knows a file by is known of every file that was read once. */
export const selectByKoreaderHash = async (
  db: ReadDb,
  values: readonly string[],
): Promise<{ readonly value: string; readonly bookId: string }[]> =>
  values.length === 0
    ? []
    : db
        .selectFrom('file')
        .innerJoin('library', 'library.id', 'file.library_id')
        .innerJoin('book_fingerprint', (join) =>
          join
            .onRef('book_fingerprint.book_id', '=', 'file.book_id')
            .onRef('book_fingerprint.value', '=', 'file.koreader_hash'),
        )
        .select(['book_fingerprint.value', 'file.book_id as bookId'])
        .distinct()
        .where('book_fingerprint.kind', '=', 'koreader')
        .where('book_fingerprint.value', 'in', values)
        .where('file.state', '=', 'present')
        .where('library.deleted_at', 'is', null)
        .execute()

export interface NumberedBook {
  readonly key: string
  readonly bookId: string
  readonly libraryId: string
  readonly number: number | null
  readonly numberText: string | null
  readonly volume: number | null
  readonly chapter: number | null
  readonly title: string
  readonly format: FileFormat
}

export const selectBooksOfSeriesNamed = async (
  db: ReadDb,
  keys: readonly string[],
  limit: number,
): Promise<NumberedBook[]> =>
  keys.length === 0
    ? []
    : db
        .selectFrom('series_name')
        .innerJoin('book', 'book.series_id', 'series_name.series_id')
        .select([
          'series_name.key',
          'book.id as bookId',
          'book.library_id as libraryId',
          'book.number',
          'book.number_text as numberText',
          'book.volume',
          'book.chapter',
          'book.title',
          'book.format',
        ])
        .where('series_name.key', 'in', keys)
        .where('book.state', '=', 'present')
        .orderBy('series_name.key')
        .orderBy('book.id')
        .limit(limit)
        .execute()

export interface PlacedBook {
  readonly id: string
  readonly seriesId: string
  readonly libraryId: string
  readonly pages: number
  readonly format: FileFormat
}

export const selectBookLocations = async (
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PlacedBook>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('book')
    .select(['id', 'series_id as seriesId', 'library_id as libraryId', 'page_count as pages', 'format'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const selectSeriesNamed = async (
  db: ReadDb,
  keys: readonly string[],
): Promise<{ readonly key: string; readonly seriesId: string; readonly libraryId: string }[]> =>
  keys.length === 0
    ? []
    : db
        .selectFrom('series_name')
        .innerJoin('series', 'series.id', 'series_name.series_id')
        .select(['series_name.key', 'series.id as seriesId', 'series.library_id as libraryId'])
        .where('series_name.key', 'in', keys)
        .where('series.book_count', '>', 0)
        .execute()

export interface OurUser {
  readonly id: string
  readonly nameKey: string
  readonly emailKey: string | null
}

export const selectOurUsers = (db: ReadDb): Promise<OurUser[]> =>
  db.selectFrom('user').select(['id', 'username_key as nameKey', 'email_key as emailKey']).execute()

export const selectListsNamed = async (
  db: ReadDb,
  table: 'collection' | 'read_list',
  nameKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (nameKeys.length === 0) return new Map()
  const rows = await db.selectFrom(table).select(['id', 'name_key']).where('name_key', 'in', nameKeys).execute()
  return new Map(rows.map(({ id, name_key }) => [name_key, id]))
}

// What of that which would come is here already

const ofNobody: ReadonlySet<string> = new Set()

/** Somebody's, of a series or a book: `user item`. */
const pairsIn = (rows: readonly { readonly user_id: string; readonly item: string | null }[]): ReadonlySet<string> =>
  new Set(rows.map(({ user_id, item }) => `${user_id} ${item}`))

export interface OwnedItem {
  readonly userId: string
  readonly itemId: string
}
type Kind = 'series' | 'book'

export const selectRated = async (db: ReadDb, kind: Kind, of: readonly OwnedItem[]): Promise<ReadonlySet<string>> => {
  if (of.length === 0) return ofNobody
  const [users, items] = [of.map(({ userId }) => userId), of.map(({ itemId }) => itemId)]
  const rows =
    kind === 'series'
      ? await db
          .selectFrom('series_rating')
          .select(['user_id', 'series_id as item'])
          .where('user_id', 'in', users)
          .where('series_id', 'in', items)
          .execute()
      : await db
          .selectFrom('book_rating')
          .select(['user_id', 'book_id as item'])
          .where('user_id', 'in', users)
          .where('book_id', 'in', items)
          .execute()
  return pairsIn(rows)
}

export const selectWanted = async (db: ReadDb, kind: Kind, of: readonly OwnedItem[]): Promise<ReadonlySet<string>> => {
  if (of.length === 0) return ofNobody
  const column = kind === 'series' ? 'series_id' : 'book_id'
  const rows = await db
    .selectFrom('want_to_read')
    .select(['user_id', `${column} as item`])
    .where(
      'user_id',
      'in',
      of.map(({ userId }) => userId),
    )
    .where(
      column,
      'in',
      of.map(({ itemId }) => itemId),
    )
    .execute()
  return pairsIn(rows)
}

/** Series of which somebody has said how far they want to be. */
export const selectWithStatus = async (db: ReadDb, of: readonly OwnedItem[]): Promise<ReadonlySet<string>> => {
  if (of.length === 0) return ofNobody
  const rows = await db
    .selectFrom('series_status')
    .select(['user_id', 'series_id as item'])
    .where(
      'user_id',
      'in',
      of.map(({ userId }) => userId),
    )
    .where(
      'series_id',
      'in',
      of.map(({ itemId }) => itemId),
    )
    .execute()
  return pairsIn(rows)
}

/** The sharing tags of these series, by the keys of their names. */
export const selectLabelled = async (
  db: ReadDb,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  if (seriesIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('series_sharing_tag')
    .innerJoin('sharing_tag', 'sharing_tag.id', 'series_sharing_tag.tag_id')
    .select(['series_sharing_tag.series_id', 'sharing_tag.name_key'])
    .where('series_sharing_tag.series_id', 'in', seriesIds)
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ series_id }) => series_id)].map(([id, own]) => [
      id,
      new Set(own.map(({ name_key }) => name_key)),
    ]),
  )
}

/** Plugins of these names with what is set of them. */
export const selectPluginsNamed = (db: ReadDb, names: readonly string[]) =>
  names.length === 0
    ? Promise.resolve([])
    : db.selectFrom('plugin').select(['name', 'config']).where('name', 'in', names).execute()
