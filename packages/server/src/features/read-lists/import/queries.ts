import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany, updateMany } from '../../../database/many.ts'
import { shownOfOneSeries, tellsSeries, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import type { ReadListTables } from '../table.ts'
import type { Candidate } from './match.ts'

export interface CandidateBook extends Candidate {
  /** The series was found by this key. */
  readonly key: string
  readonly number: number | null
  readonly numberText: string | null
  readonly title: string
  /** The number is as the book writes it. */
  readonly numberShown: string | null
}

/** The search is for names of series, and for the numbers of books in any of them. */
export interface BookLookup {
  readonly keys: readonly string[]
  readonly values: readonly number[]
  readonly texts: readonly string[]
  /** The search includes books without a number. */
  readonly unnumbered: boolean
}

/**
 * The limit holds for entries that are looked up together: more than this many books with their numbers tell nothing
 * apart.
 */
const foundMax = 20_000

export const selectCandidates = async (
  db: ReadDb,
  viewer: Viewer | 'everybody',
  { keys, values, texts, unnumbered }: BookLookup,
): Promise<CandidateBook[]> => {
  if (keys.length === 0) return []
  const shownTo = <Shown>(column: string) =>
    viewer === 'everybody' ? sql<Shown>`${sql.ref(`series.${column}`)}` : shownOfOneSeries<Shown>(viewer, column)
  const numbers: RawBuilder<boolean>[] = [
    ...(values.length > 0 ? [sql<boolean>`book.number in (${sql.join(values)})`] : []),
    ...(texts.length > 0 ? [sql<boolean>`lower(book.number_text) in (${sql.join(texts)})`] : []),
    ...(unnumbered ? [sql<boolean>`book.number is null`] : []),
  ]
  const rows = await db
    .selectFrom('series_name')
    .innerJoin('series', 'series.id', 'series_name.series_id')
    .innerJoin('book', 'book.series_id', 'series.id')
    .select(['series_name.key', 'book.id', 'book.series_id', 'book.number'])
    .select([shownTo<string>('title').as('title'), shownTo<number | null>('year').as('year')])
    .select(['book.number_text', 'book.volume', 'book.released', 'book.state', 'book.title as book_title'])
    .where('series_name.key', 'in', keys)
    .where('book.state', '<>', 'hidden')
    .where(
      viewer === 'everybody'
        ? sql<boolean>`true`
        : sql<boolean>`${visibleTo(viewer, 'book')} and ${tellsSeries(viewer)}`,
    )
    .where(sql<boolean>`(${sql.join(numbers, sql` or `)})`)
    .orderBy('series_name.key')
    .orderBy('book.id')
    .limit(foundMax)
    .execute()
  return rows.map((row) => ({
    key: row.key,
    bookId: row.id,
    seriesId: row.series_id,
    seriesName: row.title,
    year: row.year,
    number: row.number,
    numberText: row.number_text?.toLowerCase() ?? null,
    volume: row.volume,
    released: row.released === null ? null : Number(row.released.slice(0, 4)),
    isPresent: row.state === 'present',
    title: row.book_title,
    numberShown: row.number_text ?? row.number?.toString() ?? null,
  }))
}

export type EntryRow = Selectable<ReadListTables['read_list_book']>

export const insertEntries = (db: WriteDb, rows: readonly EntryRow[]): Promise<void> =>
  insertMany(db, 'read_list_book', rows)

export const areEntriesWaiting = async (db: ReadDb): Promise<boolean> => {
  const row = await db
    .selectFrom('read_list_book')
    .select('id')
    .where('book_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Places that are kept for books of these series, in the order of their lists. */
export const selectWaiting = async (
  db: ReadDb,
  seriesIds: readonly string[],
  after: EntryRow | undefined,
  limit: number,
): Promise<EntryRow[]> => {
  if (seriesIds.length === 0) return []
  return db
    .selectFrom('read_list_book')
    .selectAll()
    .where('book_id', 'is', null)
    .where('wanted_series_key', 'in', ({ selectFrom }) =>
      selectFrom('series_name').select('series_name.key').where('series_name.series_id', 'in', seriesIds),
    )
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('read_list_id', 'position', 'id'),
          '>',
          tuple(after?.read_list_id ?? '', after?.position ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('read_list_id')
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** It returns which of these lists hold which of these books already, as `list book`. */
export const selectTaken = async (
  db: ReadDb,
  readListIds: readonly string[],
  bookIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('read_list_book')
    .select(['read_list_id', 'book_id'])
    .where('read_list_id', 'in', readListIds)
    .where('book_id', 'in', bookIds)
    .execute()
  return new Set(rows.map(({ read_list_id, book_id }) => `${read_list_id} ${book_id}`))
}

export type FilledEntry = Pick<EntryRow, 'id' | 'read_list_id'> & { readonly book_id: string }

export const fillEntries = (db: WriteDb, filled: readonly FilledEntry[]): Promise<void> =>
  updateMany(
    db,
    'read_list_book',
    { keys: { id: 'text' }, columns: { book_id: 'text' } },
    filled.map(({ id, book_id }) => ({ id, book_id })),
  )

export const setPositions = (
  db: WriteDb,
  readListId: string,
  entries: readonly { readonly bookId: string; readonly position: number }[],
): Promise<void> =>
  updateMany(
    db,
    'read_list_book',
    { keys: { read_list_id: 'text', book_id: 'text' }, columns: { position: 'integer' } },
    entries.map(({ bookId, position }) => ({ read_list_id: readListId, book_id: bookId, position })),
  )

export const deleteWaiting = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db.deleteFrom('read_list_book').where('id', 'in', ids).where('book_id', 'is', null).execute()
}

export const deleteEntries = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db.deleteFrom('read_list_book').where('id', 'in', ids).execute()
}
