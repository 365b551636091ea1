import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { bookColumns, seriesColumns } from '../../../catalogue/lists/lists.ts'
import {
  listedTo,
  narrowedTo,
  readerOf,
  type Viewer,
  visibleLibraries,
} from '../../../catalogue/visibility/visibility.ts'

/** It says which part of a library goes into an export. */
export interface Part {
  readonly libraryId: string
  /** A condition, for this viewer. */
  readonly narrowed: RawBuilder<boolean> | undefined
  /** Whether it says which numbers of a series are missing. */
  readonly tellsGaps?: boolean
}

/** It returns those of these libraries that this viewer sees, or all they see, by name. */
export const selectLibraryIds = async (
  db: ReadDb,
  viewer: Viewer,
  requestedIds: readonly string[] | undefined,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('library')
    .select('library.id')
    .where('library.deleted_at', 'is', null)
    .where(visibleLibraries(viewer))
    .$if(requestedIds !== undefined, (query) => query.where('library.id', 'in', [...(requestedIds ?? [])]))
    .orderBy('library.sort_key')
    .orderBy('library.id')
    .execute()
  return rows.map(({ id }) => id)
}

const always = sql<SqlBool>`true`

const seriesIn = (db: ReadDb, viewer: Viewer, { libraryId, narrowed }: Part) =>
  db
    .selectFrom('series')
    .where(listedTo(narrowedTo(viewer, libraryId), 'series'))
    .where(narrowed ?? always)

const booksIn = (db: ReadDb, viewer: Viewer, { libraryId, narrowed }: Part) =>
  db
    .selectFrom('book')
    .where(listedTo(narrowedTo(viewer, libraryId), 'book'))
    .where(narrowed ?? always)

export const countSeries = async (db: ReadDb, viewer: Viewer, part: Part): Promise<number> => {
  const row = await seriesIn(db, viewer, part)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

export const countBooks = async (db: ReadDb, viewer: Viewer, part: Part): Promise<number> => {
  const row = await booksIn(db, viewer, part)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

export interface SeriesCursor {
  readonly sort_key: string
  readonly id: string
}

/** The series are sorted by name, and start after the given one. */
export const selectSeriesAfter = (
  db: ReadDb,
  viewer: Viewer,
  part: Part,
  { after, limit }: { readonly after: SeriesCursor | undefined; readonly limit: number },
) =>
  seriesIn(db, viewer, part)
    .select([...seriesColumns, 'series.metadata', 'series.community_rating'])
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(series.sort_key, series.id) > (${after?.sort_key ?? ''}, ${after?.id ?? ''})`),
    )
    .orderBy('series.sort_key')
    .orderBy('series.id')
    .limit(limit)
    .execute()

const shownOfBook = [...bookColumns, 'book.metadata'] as const

/** The books of one series, by their position in it, from behind one on. */
export const selectRestOfSeries = (
  db: ReadDb,
  viewer: Viewer,
  { narrowed }: Part,
  { after, limit }: { readonly after: { series_id: string; position_key: string; id: string }; readonly limit: number },
) =>
  db
    .selectFrom('book')
    .select(shownOfBook)
    .where('book.series_id', '=', after.series_id)
    .where(listedTo(viewer, 'book'))
    .where(narrowed ?? always)
    .where(sql<SqlBool>`(book.position_key, book.id) > (${after.position_key}, ${after.id})`)
    .orderBy('book.position_key')
    .orderBy('book.id')
    .limit(limit)
    .execute()

/** The books of all series behind one, series by name and each one's books by their position in it. */
export const selectBooksOfSeriesAfter = (
  db: ReadDb,
  viewer: Viewer,
  { libraryId, narrowed }: Part,
  { after, limit }: { readonly after: SeriesCursor | undefined; readonly limit: number },
) =>
  db
    .selectFrom('series')
    // Crossed, so that SQLite takes one series after the other, in their order.
    .crossJoin('book')
    .select([...shownOfBook, 'series.sort_key as series_sort_key'])
    .where('series.library_id', '=', libraryId)
    .where('series.book_count', '>', sql.lit(0))
    .whereRef('book.series_id', '=', 'series.id')
    .where(listedTo(viewer, 'book'))
    .where(narrowed ?? always)
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(series.sort_key, series.id) > (${after?.sort_key ?? ''}, ${after?.id ?? ''})`),
    )
    .orderBy('series.sort_key')
    .orderBy('series.id')
    .orderBy('book.position_key')
    .orderBy('book.id')
    .limit(limit)
    .execute()

// The rest of this file reads what belongs to each series or book.

export interface Opinion {
  readonly rating: number
  readonly notes: string | null
}

export const selectOpinions = async (
  db: ReadDb,
  viewer: Viewer,
  of: 'series' | 'book',
  ids: readonly string[],
): Promise<ReadonlyMap<string, Opinion>> => {
  if (ids.length === 0) return new Map()
  const id = sql.ref<string>(`${of}_id`)
  const { rows } = await sql<Opinion & { id: string }>`
    select ${id} as id, rating, notes from ${sql.table(`${of}_rating`)}
    where user_id = ${readerOf(viewer)} and ${id} in (${sql.join(ids)})`.execute(db)
  return new Map(rows.map(({ id, rating, notes }) => [id, { rating, notes }]))
}

/** The names of those each series was put into by hand. What it is in stands there for whoever sees the series. */
export const selectCollectionNames = async (
  db: ReadDb,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  if (seriesIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('collection_series')
    .innerJoin('collection', 'collection.id', 'collection_series.collection_id')
    .select(['collection_series.series_id as of', 'collection.name'])
    .where('collection_series.series_id', 'in', seriesIds)
    .orderBy('collection.sort_key')
    .orderBy('collection.id')
    .execute()
  return namesBy(rows)
}

export const selectReadListNames = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('read_list_book')
    .innerJoin('read_list', 'read_list.id', 'read_list_book.read_list_id')
    .select(['read_list_book.book_id as of', 'read_list.name'])
    .where('read_list_book.book_id', 'in', bookIds)
    .orderBy('read_list.sort_key')
    .orderBy('read_list.id')
    .execute()
  return namesBy(rows)
}

const namesBy = (rows: readonly { readonly of: string | null; readonly name: string }[]) =>
  new Map([...Map.groupBy(rows, ({ of }) => of ?? '')].map(([of, each]) => [of, each.map(({ name }) => name)]))
