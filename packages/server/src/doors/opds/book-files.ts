import { flowingFormats } from '../../formats/flowing/flowing-formats.ts'
import type { FileFormat } from '@carrel/api'

interface FileKind {
  readonly mediaType: string
  readonly extension: string
  readonly label: string
}

/** Reading applications know these media types; a folder of pictures is packed as a comic when it is sent. */
const kinds: Readonly<Record<FileFormat, FileKind>> = {
  cbz: { mediaType: 'application/vnd.comicbook+zip', extension: 'cbz', label: 'CBZ' },
  folder: { mediaType: 'application/vnd.comicbook+zip', extension: 'cbz', label: 'CBZ' },
  cbr: { mediaType: 'application/vnd.comicbook-rar', extension: 'cbr', label: 'CBR' },
  cb7: { mediaType: 'application/x-cb7', extension: 'cb7', label: 'CB7' },
  cbt: { mediaType: 'application/vnd.comicbook+tar', extension: 'cbt', label: 'CBT' },
  epub: { mediaType: 'application/epub+zip', extension: 'epub', label: 'EPUB' },
  pdf: { mediaType: 'application/pdf', extension: 'pdf', label: 'PDF' },
  mobi: { mediaType: 'application/x-mobipocket-ebook', extension: 'mobi', label: 'MOBI' },
  azw3: { mediaType: 'application/vnd.amazon.mobi8-ebook', extension: 'azw3', label: 'AZW3' },
  fb2: { mediaType: 'application/x-fictionbook+xml', extension: 'fb2', label: 'FB2' },
}

const packedFictionBook: FileKind = { mediaType: 'application/fb2+zip', extension: 'fb2.zip', label: 'FB2' }
const nameLengthMax = 150

export interface OfferedFile extends FileKind {
  /**
   * The name ends in the extension of what the file really is, whatever it is called on the disk: applications go by
   * that.
   */
  readonly name: string
  /** Null where it cannot be known beforehand. */
  readonly size: number | null
}

export const offeredFile = (format: FileFormat, nameOnDisk: string, size: number | null = null): OfferedFile => {
  const isPacked = format === 'fb2' && /\.(?:zip|fbz)$/i.test(nameOnDisk)
  const kind = isPacked ? packedFictionBook : kinds[format]
  const stem = (format === 'folder' ? nameOnDisk : nameOnDisk.replace(/(?:\.fb2)?\.[a-z0-9]{1,5}$/i, ''))
    .toWellFormed()
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .trim()
  const short = [...stem].slice(0, nameLengthMax).join('')
  return { ...kind, name: `${short || 'book'}.${kind.extension}`, size }
}

const drawn: ReadonlySet<FileFormat> = new Set(['cbz', 'cbr', 'cb7', 'cbt', 'folder'])

/** It says what kind of book this is, whether or not it can be read. */
export const isComic = (format: FileFormat, hasPageList: boolean): boolean =>
  drawn.has(format) || (flowingFormats.has(format) && hasPageList)

/** Both of a book whose file has been read. */
export const hasPages = (format: FileFormat, pageCount: number, hasPageList: boolean): boolean =>
  pageCount > 0 && (!flowingFormats.has(format) || hasPageList)

/** A book that flows is read part by part; a PDF as a whole. */
export const hasParts = (format: FileFormat, hasPageList: boolean): boolean =>
  format === 'epub' || format === 'pdf' || (flowingFormats.has(format) && !hasPageList)
