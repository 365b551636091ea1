import { bookTitleIn, type DownloadMetadata, type FileFormat } from '@carrel/api'
import { fileStream } from '../../platform/storage/file-stream.ts'
import type { Download } from '../../platform/media.ts'
import { type ReadableBook, requireReadableFile, type FileChoice } from '../pages/pages.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import type { FileContext } from './dependencies.ts'
import { isEmbeddable, streamPieces } from './embedding.ts'
import { folderItems, timeOf } from './folder-items.ts'
import { extensionOf, named } from './names.ts'
import { selectNamed } from './queries.ts'
import { readShownBooks } from './shown-books.ts'
import { type Checksums, storedZip, storedZipSize } from './stored-zip.ts'
import type { ShownBook } from '../../formats/metadata/shown-book.ts'
import { versionOf } from './version-of.ts'

export type { FileDependencies } from './dependencies.ts'
export { type Embedding, metadataEmbedding } from './embedding.ts'
export { storedZip, storedZipSize } from './stored-zip.ts'
export { downloadReadList, downloadSeries } from './zip-of-books.ts'

/** Which of the files of a book is asked for, and with what of the book in it. */
export interface FileRequest extends FileChoice {
  readonly metadata: DownloadMetadata
}

const mediaTypes: Readonly<Record<FileFormat, string>> = {
  cbz: 'application/vnd.comicbook+zip',
  cbr: 'application/vnd.comicbook-rar',
  cb7: 'application/x-cb7',
  cbt: 'application/x-cbt',
  folder: 'application/zip',
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mobi: 'application/x-mobipocket-ebook',
  azw3: 'application/vnd.amazon.ebook',
  fb2: 'application/x-fictionbook+xml',
}

const mediaTypeOf = (format: FileFormat, fileName: string): string =>
  format === 'fb2' && /\.(?:zip|fbz)$/i.test(fileName) ? 'application/x-zip-compressed-fb2' : mediaTypes[format]

/**
 * The file of a book as it lies there, damaged or not, or with what is shown of the book in it. It keeps its name for other
 * applications: KOReader may know it by that, and those made for Komga expect it.
 */
export const downloadBook = async (
  context: FileContext,
  viewer: Viewer,
  bookId: string,
  { metadata, ...choice }: FileRequest,
): Promise<Download> => {
  const book = await requireReadableFile(context.db.read, viewer, bookId, choice)
  const wantsMetadata = metadata === 'embedded' && isEmbeddable(book)
  // The metadata is that of the book, whichever of its files is meant.
  const shown = wantsMetadata ? (await readShownBooks(context.db.read, viewer, [bookId])).get(bookId) : undefined
  if (book.isFolder) return downloadFolder(context, book, shown)
  return (shown && (await downloadEmbedded(context, book, shown))) ?? downloadFile(context, book)
}

/** The same, called as the book is. */
export const downloadNamedBook = async (
  context: FileContext,
  viewer: Viewer,
  bookId: string,
  request: FileRequest,
): Promise<Download> => {
  const download = await downloadBook(context, viewer, bookId, request)
  const row = await selectNamed(context.db.read, viewer, bookId)
  if (!row) return download
  return { ...download, fileName: `${bookTitleIn('download', named(row)).text}${extensionOf(download.fileName)}` }
}

const downloadFile = async (
  { libraryReads }: FileContext,
  { file, fileName, format }: ReadableBook,
): Promise<Download> => {
  const held = await libraryReads.hold(file)
  return {
    etag: versionOf([file.path, file.size, file.modifiedUs]),
    modifiedAt: timeOf(file.modifiedUs),
    mediaType: mediaTypeOf(format, fileName),
    fileName,
    size: file.size,
    metadata: 'original',
    open: (from, to) => fileStream(held, from, to),
    close: held.release,
  }
}

/** Undefined when the file has no place for it. */
const downloadEmbedded = async (
  { libraryReads, embedding }: FileContext,
  book: ReadableBook,
  shown: ShownBook,
): Promise<Download | undefined> => {
  const embedded = await embedding.of(book, shown)
  if (!embedded) return undefined
  const { file, fileName, format } = book
  const { pieces, size, version } = embedded
  const held = await libraryReads.hold(file)
  return {
    etag: `${version}-metadata`,
    modifiedAt: undefined,
    mediaType: mediaTypeOf(format, fileName),
    fileName,
    size,
    metadata: 'embedded',
    open: (from, to) => streamPieces(held, pieces, from, to),
    close: held.release,
  }
}

/** The cache holds folders that are being downloaded part by part: it takes a few bytes a picture. */
const knownSums = new BoundedMap<Checksums>(200)

const downloadFolder = async (context: FileContext, book: ReadableBook, shown?: ShownBook): Promise<Download> => {
  const { file, fileName, version } = book
  const items = await folderItems(context, book, shown)
  const etag = versionOf([version, file.path, file.modifiedUs, ...(shown ? [shown] : [])])
  const sums = knownSums.get(etag) ?? new Map<number, number>()
  knownSums.set(etag, sums)
  return {
    etag: `${etag}-zip`,
    modifiedAt: undefined,
    mediaType: 'application/zip',
    fileName: `${fileName}.zip`,
    size: storedZipSize(items),
    metadata: shown ? 'embedded' : 'original',
    open: (from, to) => storedZip(items, { from, to, sums }),
    close: () => undefined,
  }
}
