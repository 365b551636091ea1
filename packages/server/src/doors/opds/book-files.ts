import type { FileFormat } from '@carrel/api'

interface FileKind {
  readonly mediaType: string
  readonly extension: string
  readonly label: string
}

/** As reading applications know them; a folder of pictures is packed as a comic on its way out. */
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
  /** Ends in what the file is, whatever it is called on the disk: applications go by that. */
  readonly name: string
}

export const offeredFile = (format: FileFormat, nameOnDisk: string): OfferedFile => {
  const isPacked = format === 'fb2' && /\.(?:zip|fbz)$/i.test(nameOnDisk)
  const kind = isPacked ? packedFictionBook : kinds[format]
  const stem = (format === 'folder' ? nameOnDisk : nameOnDisk.replace(/(?:\.fb2)?\.[a-z0-9]{1,5}$/i, ''))
    .toWellFormed()
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .trim()
  const short = [...stem].slice(0, nameLengthMax).join('')
  return { ...kind, name: `${short || 'book'}.${kind.extension}` }
}

/** Their text flows to fit the screen, unless the book says otherwise and has pages. */
const flowing: ReadonlySet<FileFormat> = new Set(['epub', 'mobi', 'azw3', 'fb2'])

export const hasPages = (format: FileFormat, pageCount: number, hasPageList: boolean): boolean =>
  pageCount > 0 && (!flowing.has(format) || hasPageList)
