import type { FileFormat } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import type { ExpectedFile } from '../../platform/storage/library-reads.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { type ReadableRow, selectFurtherFiles, selectReadable } from './queries.ts'

/** A book whose file is there, as its file is known. */
export interface ReadableBook {
  readonly id: string
  readonly libraryId: string
  readonly seriesId: string
  readonly title: string
  readonly format: FileFormat
  readonly pageCount: number
  readonly readingDirection: ReadableRow['reading_direction']
  readonly file: ExpectedFile
  readonly fileName: string
  readonly isFolder: boolean
  /** It identifies the content: two books of one version show the same pages. */
  readonly version: string
  /** Clients know this version by it, once the file has been analysed. */
  readonly fileHash: string | null
  readonly isAnalysed: boolean
}

/** It throws when this viewer may not see it, or its file is missing. */
export const requireReadable = async (db: ReadDb, viewer: Viewer, bookId: string): Promise<ReadableBook> => {
  const row = await selectReadable(db, viewer, bookId)
  if (!row) throw notFound('book')
  return toReadable(row)
}

/** Which of the files of a book is meant; nothing: the chosen one. */
export interface FileChoice {
  readonly file?: string | undefined
  readonly format?: FileFormat | undefined
}

/** The book as if this one of its files were the only one. */
export const requireReadableFile = async (
  db: ReadDb,
  viewer: Viewer,
  bookId: string,
  { file, format }: FileChoice,
): Promise<ReadableBook> => {
  if (file !== undefined && format !== undefined)
    throw invalid('/format', 'A file is picked by its id or by its format.')
  const chosen = await selectReadable(db, viewer, bookId)
  if (!chosen) throw notFound('book')
  const matches = (row: ReadableRow): boolean =>
    (file === undefined || row.file_id === file) && (format === undefined || row.format === format)
  const match = matches(chosen) ? chosen : (await selectFurtherFiles(db, bookId)).find(matches)
  if (!match) throw notFound('file of this book')
  return toReadable(match)
}

/** The same, and it could be read when it was last tried. */
export const requireSound = async (db: ReadDb, viewer: Viewer | 'everybody', bookId: string): Promise<ReadableBook> => {
  const row = await selectReadable(db, viewer, bookId)
  if (!row) throw notFound('book')
  if (row.analysis === 'failed' || row.analysis === 'quarantined')
    throw damaged(row.fault_message ?? 'The book cannot be read.')
  return toReadable(row)
}

export const damaged = (message: string, options: ErrorOptions = {}): AppError =>
  new AppError('damaged_file', message, options)

const toReadable = (row: ReadableRow): ReadableBook => {
  const isDone = row.analysis === 'done'
  return {
    id: row.id,
    libraryId: row.library_id,
    seriesId: row.series_id,
    title: row.title,
    format: row.format,
    pageCount: row.page_count,
    readingDirection: row.reading_direction,
    file: {
      rootId: row.root_id,
      path: pathBelow(row.root_path, row.folder, row.name),
      root: { path: row.root_path, isAway: row.root_status === 'unavailable' },
      size: row.size,
      modifiedUs: row.modified_us,
    },
    fileName: row.name,
    isFolder: row.is_folder === 1,
    version:
      isDone && row.content_hash !== null ? row.content_hash.slice(0, 32) : `${row.id}-${row.size}-${row.modified_us}`,
    fileHash: isDone ? row.file_hash : null,
    isAnalysed: row.analysed === 1 && isDone,
  }
}

/** When its file was written last, as far as is known. */
export const writtenAt = ({ file }: Pick<ReadableBook, 'file'>): Date => new Date(Math.floor(file.modifiedUs / 1000))
