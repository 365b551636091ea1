import type { Grouping } from '@carrel/api'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany, runInParts, updateMany } from '../../../database/many.ts'
import { nameOfRoot } from '../../../naming/grouping/grouping.ts'
import type { NamingRules } from './names.ts'
import type { BookTables } from '../table.ts'
import { bookFieldColumns } from './columns.ts'

type BookRow = Selectable<BookTables['book']>
type NewBook = Insertable<BookTables['book']>

export const selectBookIds = async (
  db: ReadDb,
  libraryId: string,
  state: BookRow['state'],
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('state', '=', sql.lit(state))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const updateHidden = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db.updateTable('book').set({ state: 'hidden' }).where('id', 'in', ids).execute()
}

/** What has become part of these, and part of nothing else. */
export const selectPartsOf = async (db: ReadDb, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('book_merge').select('book_id').where('into_book_id', 'in', ids).execute()
  return rows.map(({ book_id }) => book_id)
}

/** Others that change them come before or after, where the database lets them overlap. */
export const lockBooks = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db
    .updateTable('book')
    .set(({ ref }) => ({ state: ref('state') }))
    .where('id', 'in', ids)
    .execute()
}

/** To those who may see them, or to nobody: books that have become part of another one. */
export const updateStateOfBooks = async (
  db: WriteDb,
  ids: readonly string[],
  { state, missingSince, at }: { state: BookRow['state']; missingSince: string | null; at: string },
): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('book')
    .set({ state, missing_since: missingSince, updated_at: at })
    .where('id', 'in', ids)
    .execute()
}

export const deleteBooks = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db.deleteFrom('book').where('id', 'in', ids).execute()
}

/** They keep everything, for when they come back. */
export const markMissing = async (db: WriteDb, ids: readonly string[], at: string): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('book')
    .set({ state: 'missing', missing_since: at, updated_at: at })
    .where('id', 'in', ids)
    .where('state', '=', 'present')
    .execute()
}

/**
 * What access to a book goes by (W9): what people say of it; else what they say of its series; else what its file and other
 * sources say; else what its series is rated, be it by its other books. What it was rated where it came from is the least.
 */
const settledRating = sql<number | null>`coalesce(book.said_age_rating, (
  select case
    when book.carried_age_rating > coalesce(series.said_age_rating, book.own_age_rating, series.age_rating, -1)
    then book.carried_age_rating
    else coalesce(series.said_age_rating, book.own_age_rating, series.age_rating) end
  from series where series.id = book.series_id))`

/** Sets what access goes by, for these books or for all books of these series. Answers those that are rated otherwise now. */
export const settleRatings = (
  db: WriteDb,
  of: 'series_id' | 'id',
  ids: readonly string[],
): Promise<readonly Pick<BookRow, 'id' | 'age_rating'>[]> =>
  runInParts(ids, (part) =>
    db
      .updateTable('book')
      .set({ age_rating: settledRating })
      .where(of, 'in', part)
      .where(sql<boolean>`book.age_rating is distinct from ${settledRating}`)
      .returning(['id', 'age_rating'])
      .execute(),
  )

/** Before books go to another series: moving them loosens nothing. */
export const carryRatings = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  await runInParts(bookIds, (part) =>
    db
      .updateTable('book')
      .set(({ ref }) => ({ carried_age_rating: ref('age_rating') }))
      .where('id', 'in', part)
      .where('age_rating', 'is not', null)
      .execute(),
  )
}

/** Books that go back to where they were carry there what they carried before. */
export const setCarriedRatings = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly carried: number | null }[],
): Promise<void> =>
  updateMany(
    db,
    'book',
    { keys: { id: 'text' }, columns: { carried_age_rating: 'integer' } },
    rows.map(({ id, carried }) => ({ id, carried_age_rating: carried })),
  )

/** People have said how these series are rated: what their books were rated elsewhere counts no more. */
export const dropCarriedRatings = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  await db
    .updateTable('book')
    .set({ carried_age_rating: null })
    .where('series_id', 'in', seriesIds)
    .where('carried_age_rating', 'is not', null)
    .execute()
}

/** Whatever has become of their files. Answers how many. */
export const moveBooks = async (
  db: WriteDb,
  fromSeriesIds: readonly string[],
  intoSeriesId: string,
  at: string,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('book')
    .set({ series_id: intoSeriesId, updated_at: at })
    .where('series_id', 'in', fromSeriesIds)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** It moves the books that have not moved elsewhere since, and returns how many. */
export const moveBooksBack = async (
  db: WriteDb,
  { mergeId, intoSeriesId, at }: { readonly mergeId: string; readonly intoSeriesId: string; readonly at: string },
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('book')
    .set(({ selectFrom }) => ({
      series_id: selectFrom('merged_series_book')
        .select(sql<string>`merged_series_book.series_id`.as('series_id'))
        .where('merged_series_book.merge_id', '=', mergeId)
        .whereRef('merged_series_book.book_id', '=', 'book.id'),
      updated_at: at,
    }))
    .where('series_id', '=', intoSeriesId)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('merged_series_book')
        .select('merged_series_book.book_id')
        .where('merged_series_book.merge_id', '=', mergeId),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export interface BookCover {
  readonly id: string
  readonly coverId: string | null
  readonly placeholder: string | null
  readonly tone: string | null
}

const coverShape = { keys: { id: 'text' }, columns: { cover_id: 'text', placeholder: 'text', tone: 'text' } } as const

/** What stands for books from now on; whoever has kept the old picture learns by its version. */
export const setBookCovers = async (db: WriteDb, covers: readonly BookCover[]): Promise<void> => {
  if (covers.length === 0) return
  await updateMany(
    db,
    'book',
    coverShape,
    covers.map(({ id, coverId, placeholder, tone }) => ({ id, cover_id: coverId, placeholder, tone })),
  )
  const ids = covers.map(({ id }) => id)
  await db
    .updateTable('book')
    .set(({ eb }) => ({ cover_version: eb('cover_version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** The colours of covers that are there: what is shown stays the same, and so does its version. */
export const setBookTones = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly coverId: string; readonly tone: string }[],
): Promise<void> =>
  updateMany(
    db,
    'book',
    { keys: { id: 'text', cover_id: 'text' }, columns: { tone: 'text' } },
    rows.map(({ id, coverId, tone }) => ({ id, cover_id: coverId, tone })),
  )

/** The names of locked fields, as JSON. Where nothing else says when they have changed, `at` does. */
export const setLocksOfBooks = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly locks: string }[],
  at?: string,
): Promise<void> =>
  updateMany(
    db,
    'book',
    { keys: { id: 'text' }, columns: { locks: 'text', ...(at !== undefined && { updated_at: 'text' }) } },
    rows.map((row) => ({ ...row, ...(at !== undefined && { updated_at: at }) })),
  )

/** What a book is taken for, until its file is read. */
export const updateFormatsOfBooks = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly format: BookRow['format'] }[],
): Promise<void> => updateMany(db, 'book', { keys: { id: 'text' }, columns: { format: 'text' } }, rows)

/** Where a book is, and how it is rated there. */
export const selectStandings = (db: ReadDb, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('book').select(['id', 'library_id', 'series_id', 'age_rating']).where('id', 'in', ids).execute()

export const selectLibrariesOfFiles = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db.selectFrom('file').select(['book_id', 'library_id']).where('book_id', 'in', bookIds).execute()
  return new Map(rows.map(({ book_id, library_id }) => [book_id, library_id]))
}

export const setStandings = (
  db: WriteDb,
  rows: readonly Pick<BookRow, 'id' | 'library_id' | 'series_id' | 'age_rating'>[],
): Promise<void> =>
  updateMany(
    db,
    'book',
    { keys: { id: 'text' }, columns: { library_id: 'text', series_id: 'text', age_rating: 'integer' } },
    rows,
  )

// What they are worked out of

export const selectBooksWithFolder = (db: ReadDb, bookIds: readonly string[]) =>
  runInParts(bookIds, (part) =>
    db
      .selectFrom('book')
      .leftJoin('file', 'file.book_id', 'book.id')
      .select(['book.id', 'book.library_id', 'book.series_id', 'book.age_rating', 'file.folder'])
      .where('book.id', 'in', part)
      .execute(),
  )

const notLocked = sql``

/** `lock` ends the statement: with that of the dialect nobody edits these books meanwhile. */
export const selectFilesOfBooks = async (
  db: ReadDb,
  bookIds: readonly string[],
  lock: RawBuilder<unknown> = notLocked,
) =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('file')
        .innerJoin('book', 'book.id', 'file.book_id')
        .select(['file.book_id', 'file.root_id', 'file.folder', 'file.name'])
        .select(['book.series_id', 'book.format', 'book.page_count', 'book.analysed', 'book.metadata'])
        .select(['book.library_id', 'book.age_rating', 'book.state', 'book.file_sort_key', 'book.path_text'])
        .select('book.position_key')
        .where('file.book_id', 'in', bookIds)
        .modifyEnd(lock)
        .execute()

export const selectNamingRules = async (
  db: ReadDb,
  libraryIds: readonly string[],
): Promise<ReadonlyMap<string, NamingRules>> => {
  if (libraryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('library')
    .select(['id', 'grouping', 'numbering', 'title_from'])
    .where('id', 'in', libraryIds)
    .where('deleted_at', 'is', null)
    .execute()
  const roots = await db
    .selectFrom('library_root')
    .select(['id', 'library_id', 'path'])
    .where('library_id', 'in', libraryIds)
    .execute()
  const rootsOf = Map.groupBy(roots, ({ library_id }) => library_id)
  return new Map(
    rows.map(({ id, grouping, numbering, title_from }) => [
      id,
      {
        id,
        grouping: JSON.parse(grouping) as Grouping,
        numbering,
        titleFrom: title_from,
        rootNames: namesOfRoots(rootsOf.get(id) ?? []),
      },
    ]),
  )
}

export const namesOfRoots = (
  roots: readonly { readonly id: string; readonly path: string }[],
): ReadonlyMap<string, string> => new Map(roots.map(({ id, path }) => [id, nameOfRoot(path)]))

/** The books of series that stand where their own numbers put them. */
export const selectNumbersIn = async (db: ReadDb, seriesIds: readonly string[]) => {
  const rows = await db
    .selectFrom('book')
    .select(['id', 'series_id', 'volume', 'chapter', 'number_text'])
    .where('series_id', 'in', seriesIds)
    .where('state', '=', sql.lit('present'))
    .where(sql<boolean>`(book.number is not null and book.number_sort = book.number)`)
    .execute()
  return rows.map(({ number_text, ...row }) => ({ ...row, number: number_text }))
}

/** Where books lie and what they are called there. */
export const selectLocationsOfBooks = (db: ReadDb, ids: readonly string[]) =>
  db
    .selectFrom('book')
    .select([
      'library_id',
      'series_id',
      'title',
      'sort_key',
      'position_key',
      'number',
      'number_sort',
      'number_text',
      'volume',
      'chapter',
      'is_special',
      'file_sort_key',
      'title_text',
      'path_text',
      'size',
    ])
    .where('id', 'in', ids)
    .execute()

// What is kept, to be compared with what it should be

/** A part of all present books of libraries that stand, in the order of their ids. */
export const selectBooksAfter = (db: ReadDb, after: string, limit: number) =>
  db
    .selectFrom('book')
    .innerJoin('library', 'library.id', 'book.library_id')
    .select('book.id')
    .where('library.deleted_at', 'is', null)
    .where('book.state', '=', sql.lit('present'))
    .where('book.id', '>', after)
    .orderBy('book.id')
    .limit(limit)
    .execute()

export const selectRowsOfBooks = (db: ReadDb, ids: readonly string[]) =>
  db.selectFrom('book').selectAll().where('id', 'in', ids).execute()

/** It returns the books whose rating is not the one that follows from them and their series. */
export const selectUnsettled = (db: ReadDb, ids: readonly string[]) =>
  db
    .selectFrom('book')
    .select('id')
    .where('id', 'in', ids)
    .where(sql<boolean>`book.age_rating is distinct from ${settledRating}`)
    .execute()

export const insertBooks = (db: WriteDb, rows: readonly NewBook[]): Promise<void> => insertMany(db, 'book', rows)

/** They say where a book is, and follow from that alone. */
const standingColumns = { series_id: 'text', file_sort_key: 'text', path_text: 'text' } as const

const nameColumns = {
  title: 'text',
  sort_key: 'text',
  position_key: 'text',
  title_text: 'text',
  number: 'real',
  number_sort: 'real',
  number_text: 'text',
  volume: 'integer',
  chapter: 'real',
  is_special: 'integer',
} as const

const locationShape = {
  keys: { id: 'text' },
  columns: {
    library_id: 'text',
    state: 'text',
    missing_since: 'text',
    ...standingColumns,
    ...nameColumns,
    size: 'integer',
    updated_at: 'text',
  },
} as const

/** Where books are now, and what they are called there. */
export const saveLocations = (
  db: WriteDb,
  rows: readonly (Pick<NewBook, keyof typeof locationShape.columns> & { readonly id: string })[],
): Promise<void> => updateMany(db, 'book', locationShape, rows)

/** Which series books are in, and nothing else of them. */
export const saveSeriesOf = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly series_id: string; readonly updated_at: string }[],
): Promise<void> => updateMany(db, 'book', { keys: { id: 'text' }, columns: seriesColumns }, rows)

const seriesColumns = { series_id: 'text', updated_at: 'text' } as const

/** It puts books back into a series, each with the rating that it is to carry there. */
export const saveReturned = (
  db: WriteDb,
  rows: readonly {
    readonly id: string
    readonly series_id: string
    readonly updated_at: string
    readonly carried_age_rating: number | null
  }[],
): Promise<void> =>
  updateMany(db, 'book', { keys: { id: 'text' }, columns: { ...seriesColumns, carried_age_rating: 'integer' } }, rows)

const contentColumns = {
  ...bookFieldColumns.kinds,
  own_age_rating: 'integer',
  said_age_rating: 'integer',
  released: 'text',
  format: 'text',
  page_count: 'integer',
  analysed: 'integer',
  metadata: 'text',
  writers: 'text',
  updated_at: 'text',
} as const

type Content = Pick<NewBook, keyof typeof contentColumns> & { readonly id: string }
type Names = Pick<NewBook, keyof typeof nameColumns | keyof typeof standingColumns>

type Described = Content | (Content & Names)
type Standing = Pick<BookRow, keyof typeof standingColumns>

/**
 * What is shown of books. Every index of a column that is set is written anew, be the value the same: so those that are called as
 * before are written without their names, and those that stand where they did without what follows from that.
 */
export const saveDescribed = async (
  db: WriteDb,
  rows: readonly Described[],
  before: ReadonlyMap<string, Standing>,
): Promise<void> => {
  const named = rows.filter((row) => 'series_id' in row)
  const [moved, others] = [true, false].map((isMoved) =>
    named.filter((row) => isElsewhere(row, before.get(row.id)) === isMoved),
  )
  const shapes = [
    { columns: contentColumns, rows: rows.filter((row) => !('series_id' in row)) },
    { columns: { ...nameColumns, ...contentColumns }, rows: others ?? [] },
    { columns: { ...standingColumns, ...nameColumns, ...contentColumns }, rows: moved ?? [] },
  ]
  for (const { columns, rows } of shapes) await updateMany(db, 'book', { keys: { id: 'text' }, columns }, rows)
}

const isElsewhere = (row: Content & Names, before: Standing | undefined): boolean =>
  row.series_id !== before?.series_id ||
  row.file_sort_key !== before.file_sort_key ||
  row.path_text !== before.path_text
