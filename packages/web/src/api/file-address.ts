import { addressOf, downloadBook, type DownloadMetadata, downloadSeries } from '@carrel/api'
import { basePath } from './base.ts'

interface FileQuery {
  /** Absent: the one that is read. */
  readonly file?: string
  /** Absent: as its user has it. */
  readonly metadata?: DownloadMetadata
}

/** Where the file of a book is, for a link. */
export const addressOfBook = (id: string, query: FileQuery = {}): string =>
  basePath + addressOf(downloadBook, { params: { id }, query })

/** The same of all books of a series together. */
export const addressOfSeries = (id: string, query: Pick<FileQuery, 'metadata'> = {}): string =>
  basePath + addressOf(downloadSeries, { params: { id }, query })
