import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { seenInPart } from '../../../catalogue/entries/entries.ts'
import type { ReadDb } from '../../../database/database.ts'
import {
  knownTo,
  shownOfOneSeries,
  tellsSeries,
  type Viewer,
  visibleTo,
} from '../../../catalogue/visibility/visibility.ts'

const seenBooks = (viewer: Viewer): RawBuilder<SqlBool> =>
  sql<SqlBool>`(book.state = 'present' and ${visibleTo(viewer, 'book')})`

/** It selects the first book of a series that has a summary, among those this viewer sees. */
const firstTold = (viewer: Viewer): RawBuilder<string | null> =>
  sql`(select book.id from book where book.series_id = series.id and book.summary is not null and ${seenBooks(viewer)}
    order by book.position_key, book.id limit 1)`

const seriesRecords = (db: ReadDb, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('series')
    .leftJoin('book as told', (join) => join.on('told.id', '=', firstTold(viewer)))
    .select([
      'series.id',
      'series.library_id',
      'series.name',
      'series.path',
      'series.title',
      'series.title_sort',
      'series.metadata',
      'series.strictest_rating',
      'series.locks',
      'series.created_at',
      'series.updated_at',
      'told.summary as told_summary',
      'told.number_text as told_number',
    ])
    .where('series.id', 'in', ids)
    .where(knownTo(viewer, 'series'))

export type SeriesRow = Awaited<ReturnType<ReturnType<typeof seriesRecords>['executeTakeFirstOrThrow']>>

export const selectSeriesRows = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SeriesRow>> =>
  new Map((await seenInPart(db, viewer, await seriesRecords(db, viewer, ids).execute())).map((row) => [row.id, row]))

export interface BooksOfSeries {
  readonly count: number
  readonly released: string | null
  readonly oneshots: number
  readonly changed: string
  /** When the newest of their files was written. */
  readonly written_us: number | null
}

/** It counts the books of series that this viewer sees. */
export const selectBooksOfSeries = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BooksOfSeries>> => {
  const rows = await db
    .selectFrom('book')
    .leftJoin('file', 'file.book_id', 'book.id')
    .where('book.series_id', 'in', ids)
    .where(seenBooks(viewer))
    .groupBy('book.series_id')
    .select(({ fn }) => [
      'book.series_id',
      fn.countAll<number>().as('count'),
      fn.min('book.released').as('released'),
      sql<number>`sum(case when lower(book.book_type) = 'oneshot' then 1 else 0 end)`.as('oneshots'),
      sql<string>`max(book.updated_at)`.as('changed'),
      fn.max('file.modified_us').as('written_us'),
    ])
    .execute()
  return new Map(rows.map(({ series_id, ...figures }) => [series_id, figures]))
}

export interface TermOfSeries {
  readonly series_id: string
  readonly kind: 'genre' | 'tag' | 'person'
  readonly name: string
  readonly role: string
}

/** It reads the people and tags of the books of series that this viewer sees. */
export const selectTermsOfBooks = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TermOfSeries[]>> => {
  const rows = await db
    .selectFrom('book')
    .innerJoin('book_term', 'book_term.book_id', 'book.id')
    .innerJoin('term', 'term.id', 'book_term.term_id')
    .where('book.series_id', 'in', ids)
    .where(seenBooks(viewer))
    .where('term.kind', '<>', sql.lit('genre'))
    .groupBy(['book.series_id', 'term.kind', 'term.sort_key', 'term.name', 'book_term.role'])
    .select(['book.series_id', 'term.kind', 'term.name', 'book_term.role'])
    .orderBy('book.series_id')
    .orderBy('term.kind')
    .orderBy(({ fn }) => fn.min('book_term.place'))
    .orderBy('term.sort_key')
    .orderBy('book_term.role')
    .execute()
  return Map.groupBy(rows, ({ series_id }) => series_id)
}

export const selectSharingLabels = async (
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  const rows = await db
    .selectFrom('series_sharing_tag')
    .innerJoin('sharing_tag', 'sharing_tag.id', 'series_sharing_tag.tag_id')
    .select(['series_sharing_tag.series_id', 'sharing_tag.name'])
    .where('series_sharing_tag.series_id', 'in', ids)
    .orderBy('sharing_tag.sort_key')
    .execute()
  const named = new Map<string, string[]>()
  for (const { series_id, name } of rows) named.set(series_id, [...(named.get(series_id) ?? []), name])
  return named
}

const bookRecords = (db: ReadDb, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('book')
    .leftJoin('series', (join) => join.onRef('series.id', '=', 'book.series_id').on(tellsSeries(viewer)))
    .leftJoin('file', 'file.book_id', 'book.id')
    .leftJoin('library_root', 'library_root.id', 'file.root_id')
    .select([
      'book.id',
      'book.library_id',
      'book.series_id',
      'book.state',
      'book.title',
      'book.number',
      'book.number_sort',
      'book.number_text',
      'book.chapter',
      'book.volume',
      'book.released',
      'book.summary',
      'book.book_type',
      'book.format',
      'book.size',
      'book.page_count',
      'book.analysed',
      'book.metadata',
      'book.locks',
      'book.created_at',
      'book.updated_at',
      'series.id as told_series_id',
      shownOfOneSeries<string | null>(viewer, 'title').as('series_title'),
      'file.folder',
      'file.name as file_name',
      'file.modified_us',
      'file.file_hash',
      'file.fault_code',
      'file.fault_message',
      'library_root.path as root_path',
    ])
    .select(({ selectFrom }) =>
      selectFrom('page_index').select('page_index.book_id').whereRef('page_index.book_id', '=', 'book.id').as('paged'),
    )
    .where('book.id', 'in', ids)
    .where('book.state', '<>', 'hidden')
    .where(visibleTo(viewer, 'book'))

export type BookRow = Awaited<ReturnType<ReturnType<typeof bookRecords>['executeTakeFirstOrThrow']>>

export const selectBookRows = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BookRow>> =>
  new Map((await bookRecords(db, viewer, ids).execute()).map((row) => [row.id, row]))

export interface PositionInSeries {
  readonly position: number
  /** It counts all that this viewer sees. */
  readonly among: number
}

/** It reads the positions of books among those of their series that this viewer sees. */
export const selectPositions = async (
  db: ReadDb,
  viewer: Viewer,
  { ids, seriesIds }: { readonly ids: readonly string[]; readonly seriesIds: readonly string[] },
): Promise<ReadonlyMap<string, PositionInSeries>> => {
  const { rows } = await sql<{ id: string; position: number; among: number }>`
    select id, position, among from (
      select book.id, row_number() over (partition by book.series_id order by book.position_key, book.id) as position,
        count(*) over (partition by book.series_id) as among
      from book where book.series_id in (${sql.join(seriesIds)}) and ${seenBooks(viewer)}
    ) as placed where id in (${sql.join(ids)})`.execute(db)
  return new Map(rows.map(({ id, position, among }) => [id, { position, among }]))
}
