import type { BookError, BookErrorKind } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import { shownOfOneSeries, tellsSeries, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'

export interface ErrorFilter {
  readonly libraryId?: string | undefined
  readonly code?: BookError['code'] | undefined
  readonly bookId?: string | undefined
}

/** It reads the errors of books themselves and, where there are none, those of their covers. */
const errors = (db: ReadDb, viewer: Viewer, { libraryId, code, bookId }: ErrorFilter) =>
  db
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .leftJoin('cover_fault', 'cover_fault.book_id', 'book.id')
    .where('book.state', '=', sql.lit('present'))
    .where(sql<boolean>`(file.fault_code is not null or cover_fault.code is not null)`)
    .where(visibleTo(viewer, 'book'))
    .$if(libraryId !== undefined, (query) => query.where('book.library_id', '=', libraryId ?? ''))
    .$if(bookId !== undefined, (query) => query.where('book.id', '=', bookId ?? ''))
    .$if(code !== undefined, (query) => query.where(codeOf, '=', code ?? 'damaged'))

const codeOf: RawBuilder<BookError['code']> = sql`coalesce(file.fault_code, cover_fault.code)`
const atOf: RawBuilder<string | null> = sql`coalesce(file.fault_at, cover_fault.at)`

export const countErrors = async (db: ReadDb, viewer: Viewer, filter: ErrorFilter): Promise<number> => {
  const { count } = await errors(db, viewer, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const countErrorsByCode = (db: ReadDb, viewer: Viewer, filter: ErrorFilter): Promise<BookErrorKind[]> =>
  errors(db, viewer, filter)
    .select(({ fn }) => [codeOf.as('code'), fn.countAll<number>().as('count')])
    .groupBy(codeOf)
    .orderBy('count', 'desc')
    .orderBy(codeOf)
    .execute()

export const selectErrors = async (
  db: ReadDb,
  viewer: Viewer,
  filter: ErrorFilter,
  { limit, offset }: Paging,
): Promise<BookError[]> => {
  const rows = await errors(db, viewer, filter)
    .innerJoin('library_root', 'library_root.id', 'file.root_id')
    .leftJoin('series', (join) => join.onRef('series.id', '=', 'book.series_id').on(tellsSeries(viewer)))
    .select([
      'book.id',
      'series.id as series_id',
      'book.library_id',
      'book.title',
      'book.number',
      'book.volume',
      'book.chapter',
      'file.folder',
      'file.name',
      'file.analysis',
      'file.fault_code',
      'file.fault_message',
      'file.updated_at',
      'cover_fault.message as cover_message',
      'library_root.path as root_path',
      codeOf.as('code'),
      atOf.as('at'),
      shownOfOneSeries<string | null>(viewer, 'title').as('series_title'),
    ])
    .orderBy(atOf, 'desc')
    .orderBy('book.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    bookId: row.id,
    seriesId: row.series_id,
    libraryId: row.library_id,
    title: row.title,
    seriesName: row.series_title ?? '',
    number: row.number,
    volume: row.volume,
    chapter: row.chapter,
    ...(viewer.seesPaths && { path: pathBelow(row.root_path, row.folder, row.name) }),
    kind: row.fault_code === null ? 'thumbnail' : 'file',
    code: row.code,
    message: row.fault_message ?? row.cover_message ?? '',
    isQuarantined: row.analysis === 'quarantined',
    at: row.at ?? row.updated_at,
  }))
}

/** The next to be retried, with their libraries. */
export const selectErrorBooks = (
  db: ReadDb,
  viewer: Viewer,
  filter: ErrorFilter,
  { after, limit }: { readonly after: string; readonly limit: number },
) =>
  errors(db, viewer, filter)
    .select(['book.id', 'book.library_id', 'file.fault_code'])
    // All have an id; the index of the books of a library is for those who say so.
    .where('book.id', '>', sql.lit(''))
    .where('book.id', '>', after)
    .orderBy('book.id')
    .limit(limit)
    .execute()
