import type { BookDto } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { unpackTone } from '../../decoders/tone.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import { selectProgressOf } from '../reading/reading.ts'
import { readerOf, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { type RelatedToBook, selectRelated } from './queries.ts'
import { writersIn } from '../../catalogue/terms/terms.ts'
import { type ListedBook } from '../../catalogue/lists/lists.ts'
import { isOneShot } from '../../catalogue/one-shots/one-shots.ts'

/** In the order they are given in, and as this viewer sees them. */
export const showBooks = async (db: ReadDb, viewer: Viewer, rows: readonly ListedBook[]): Promise<BookDto[]> => {
  const ids = rows.map(({ id }) => id)
  const around = await selectRelated(db, viewer, ids)
  const progress = await selectProgressOf(db, readerOf(viewer), ids)
  return rows.flatMap((row) => {
    const related = around.get(row.id)
    // Forgotten between two statements.
    if (!related) return []
    return [{ ...toBook(row, related, viewer), readProgress: progress.get(row.id) ?? null }]
  })
}

const toBook = (row: ListedBook, around: RelatedToBook, { seesPaths }: Viewer): Omit<BookDto, 'readProgress'> => ({
  id: row.id,
  libraryId: row.library_id,
  libraryName: around.library_name ?? '',
  seriesId: around.series_id,
  seriesName: around.series_title ?? '',
  title: row.title,
  titleSort: row.title_sort,
  number: row.number,
  volume: row.volume,
  chapter: row.chapter,
  oneShot: isOneShot(around),
  authors: writersIn(row.writers),
  ...(seesPaths && { path: pathBelow(around.root_path, around.folder, around.file_name) }),
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
  wantToRead: around.wanted_id !== null,
  coverVersion: String(row.cover_version),
  placeholder: row.placeholder,
  tone: unpackTone(row.tone),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
