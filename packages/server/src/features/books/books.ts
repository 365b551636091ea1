import type { BookDetail, BookDto, ListAnswer } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { deleteLayersOf, externalIdsIn, metadataOfBook } from '../metadata/metadata.ts'
import { progressOf } from '../reading/reading.ts'
import { seesWholeLibraries, type Viewer } from '../visibility/visibility.ts'
import {
  type BookFilter,
  type BookOrder,
  type BookSurroundings,
  countBooks,
  deleteBooks,
  type ListedBook,
  selectBook,
  selectBookIds,
  selectBooks,
  selectSurroundings,
  updateHidden,
} from './queries.ts'

export { inheritRatings, markMissing, moveBooks, setBookCovers, setBookLocks } from './queries.ts'
export { describeBooks, insertBooks, placeBooks } from './record.ts'

/** Skipping more rows than this takes longer than a request may hold the thread. */
const quickRowsMax = 1000

export const listBooks = async (
  db: Database,
  viewer: Viewer,
  { sort, ...filter }: BookFilter & { readonly sort?: Sort<BookOrder['field']> | undefined },
  paging: Paging,
): Promise<ListAnswer<BookDto>> => {
  const inSeries = filter.seriesId !== undefined
  const order = orderOf(sort, inSeries ? 'number' : 'name')
  if (order.field === 'number' && !inSeries)
    throw invalid('sort', 'The number is an order within a series only: give seriesId, or sort by another field.')
  const isQuick = seesWholeLibraries(viewer) && paging.offset + paging.limit <= quickRowsMax
  const reader = isQuick ? db.read : db.readSlowly
  const total = await countBooks(reader, viewer, filter)
  if (paging.offset >= total) return { total, data: [] }
  const rows = await selectBooks(reader, viewer, filter, { order, paging })
  return { total, data: await showBooks(db.read, viewer, rows) }
}

export const readBook = async (db: ReadDb, viewer: Viewer, id: string): Promise<BookDetail> => {
  const row = await selectBook(db, viewer, id)
  const [book] = row ? await showBooks(db, viewer, [row]) : []
  if (!row || !book) throw notFound('book')
  const metadata = metadataOfBook(row)
  const { externalLinks } = metadata
  return { ...book, metadata, externalIds: externalIdsIn(row.metadata), externalLinks }
}

/** In the order they are given in, and as this viewer sees them. */
const showBooks = async (db: ReadDb, viewer: Viewer, rows: readonly ListedBook[]): Promise<BookDto[]> => {
  const around = await selectSurroundings(
    db,
    rows.map(({ id }) => id),
  )
  const progress = await progressOf(
    db,
    viewer.userId,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const surroundings = around.get(row.id)
    // Forgotten between two statements.
    if (!surroundings) return []
    return [{ ...toBook(row, surroundings, viewer), readProgress: progress.get(row.id) ?? null }]
  })
}

const toBook = (row: ListedBook, around: BookSurroundings, { seesPaths }: Viewer): Omit<BookDto, 'readProgress'> => ({
  id: row.id,
  libraryId: row.library_id,
  libraryName: around.library_name ?? '',
  seriesId: row.series_id,
  seriesName: around.series_title ?? '',
  title: row.title,
  titleSort: row.title_sort,
  number: row.number,
  volume: row.volume,
  chapter: row.chapter,
  ...(seesPaths && { path: pathOf(around) }),
  fileFormat: row.format,
  fileSize: row.size,
  fileHash: around.file_hash,
  koreaderHash: around.koreader_hash,
  pageCount: row.page_count,
  analyzed: row.analysed === 1,
  analysisError: around.fault_message,
  deleted: row.state === 'missing',
  readingDirection: row.reading_direction ?? around.series_direction ?? around.library_direction ?? 'ltr',
  summary: row.summary,
  coverVersion: String(row.cover_version),
  placeholder: row.placeholder,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const pathOf = ({ root_path, folder, file_name }: BookSurroundings): string =>
  `${(root_path ?? '').replace(/\/$/, '')}/${folder ?? ''}${file_name ?? ''}`

/** Of a library that was deleted: out of every list at once, so that no index leads to them. */
export const hideBooks = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const present = await selectBookIds(db, libraryId, 'present', limit)
  const missing = await selectBookIds(db, libraryId, 'missing', limit - present.length)
  const ids = [...present, ...missing]
  if (ids.length > 0) await updateHidden(db, ids)
  return ids.length
}

export const forgetHiddenBooks = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const ids = await selectBookIds(db, libraryId, 'hidden', limit)
  if (ids.length > 0) await forgetBooks(db, ids)
  return ids.length
}

/**
 * For ever, with all that is known of them. Each feature that keeps something of books by their id alone is called here;
 * what refers to the row of the book goes with it.
 */
export const forgetBooks = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await deleteLayersOf(db, ids)
  await deleteBooks(db, ids)
}
