import { crc32, inflateRawSync } from 'node:zlib'
import { BookFault, type Page, type PageLocation, type PageText, type Picture } from '../formats/book-format.ts'
import { bookLimits } from '../formats/limits.ts'
import { openLibraryFile } from '../platform/storage/library-files.ts'
import { withBook } from './open-book.ts'
import { convertPicture, type PictureOptions } from './pictures.ts'

export interface BookLocation {
  readonly path: string
  readonly isFolder: boolean
  /** Unpacked books are cached here. */
  readonly cacheDir: string
}

export interface PageInput extends BookLocation {
  readonly number: number
  readonly location: PageLocation | null
  /** Unpacked; 0 when that is not known. */
  readonly size: number
  /** It limits a page that is rendered. */
  readonly maxEdge: number | null
  readonly options: PictureOptions | null
}

/** A reply of this size goes from one process to another in one piece. */
const replyBytesMax = 64 * 1024 * 1024

/** One page of a book, as it is or as it is wished. */
export const page = async (input: PageInput): Promise<Picture> => {
  const picture = await readPageOf(input)
  const reply = input.options ? await convertPicture(picture.bytes, input.options) : picture
  if (reply.bytes.length > replyBytesMax) throw new BookFault('limit', 'The page is too large to be shown.')
  return reply
}

/** One page as a document of its own. */
export const cutPage = ({ number, ...where }: BookLocation & { readonly number: number }): Promise<Picture> =>
  withBook(where, where.cacheDir, async (book) => {
    if (!book.cutPage) throw new BookFault('unsupported', 'Pages of such a book are no documents of their own.')
    return { mediaType: 'application/pdf', bytes: await book.cutPage(number, replyBytesMax) }
  })

export const readPageOf = async ({
  number,
  location,
  size,
  maxEdge,
  ...where
}: Omit<PageInput, 'options'>): Promise<Picture> => {
  if (location) return { mediaType: 'application/octet-stream', bytes: readStoredPage(where.path, location, size) }
  return withBook(where, where.cacheDir, (book) => book.readPage(number, maxEdge === null ? {} : { maxEdge }))
}

const readStoredPage = (
  path: string,
  { offset, storedSize, method, crc32: expected }: PageLocation,
  size: number,
): Buffer => {
  const file = openLibraryFile(path)
  try {
    const stored = file.read(offset, storedSize)
    const bytes =
      method === 'stored' ? stored : inflateRawSync(stored, { maxOutputLength: Math.min(size, bookLimits.entryBytes) })
    if (crc32(bytes) !== expected) throw new BookFault('damaged', 'The page is not what its checksum says.')
    return bytes
  } finally {
    file.close()
  }
}

/** The words of a page; a page that is a picture has none. */
export const pageText = ({ number, ...where }: BookLocation & { readonly number: number }): Promise<PageText> =>
  withBook(where, where.cacheDir, async (book) =>
    book.readWords ? book.readWords(number) : { words: [], isTruncated: false },
  )

/** The pages of a book that no scan has read yet. */
export const listPages = (where: BookLocation): Promise<{ readonly pages: readonly Page[] }> =>
  withBook(where, where.cacheDir, async (book) => ({ pages: await book.pages() }))
