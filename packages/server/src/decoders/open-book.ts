import { allFormats } from '../formats/all-formats.ts'
import { BookFault, type Candidate, type OpenBook } from '../formats/book-format.ts'
import { type LibraryFile, openLibraryFile } from '../platform/storage/library-files.ts'
import { unpackCache } from './unpack-cache.ts'

export interface BookToOpen {
  readonly path: string
  readonly isFolder: boolean
}

const headBytes = 4096

/**
 * It opens what lies there as what it is, whatever its name says, for as long as `use` needs it. A file that fits into
 * `buffer` is read into it at once, which costs less than finding one place in it after another; nothing of it is there
 * any more when the next one has been read.
 */
export const withBook = async <Result>(
  { path, isFolder }: BookToOpen,
  cacheDir: string,
  use: (book: OpenBook) => Promise<Result>,
  buffer?: Buffer,
): Promise<Result> => {
  if (isFolder) return useFolder(path, cacheDir, use)
  const file = openLibraryFile(path)
  try {
    const book = await openFile(file, cacheDir, buffer)
    try {
      return await use(book)
    } finally {
      book.close()
    }
  } finally {
    file.close()
  }
}

/**
 * The same, and a book that had to be taken apart as a whole stays open for a while: a reader asks for one part of it
 * after another. One at a time, so large and no larger.
 */
export const withCachedBook = async <Result>(
  { path, isFolder }: BookToOpen,
  cacheDir: string,
  use: (book: OpenBook) => Promise<Result>,
): Promise<Result> => {
  if (isFolder) return useFolder(path, cacheDir, use)
  const file = openLibraryFile(path)
  const cached = cache.take(file)
  const each = cached ?? (await openToKeep(file, cacheDir))
  if (cached) file.close()
  try {
    const result = await use(each.book)
    cache.put(each)
    return result
  } catch (error) {
    letGo(each)
    throw error
  }
}

interface CachedBook {
  readonly file: LibraryFile
  readonly book: OpenBook
}

const openToKeep = async (file: LibraryFile, cacheDir: string): Promise<CachedBook> => {
  try {
    return { file, book: await openFile(file, cacheDir) }
  } catch (error) {
    file.close()
    throw error
  }
}

const letGo = ({ book, file }: CachedBook): void => {
  book.close()
  file.close()
}

const keptBytesMax = 48 * 1024 * 1024
const keptMs = 20_000

const keepOne = () => {
  let one: CachedBook | undefined
  let timer: NodeJS.Timeout | undefined
  const put = (each: CachedBook): void => {
    const { heldBytes } = each.book
    if (heldBytes === undefined || heldBytes > keptBytesMax) return letGo(each)
    clearTimeout(timer)
    if (one) letGo(one)
    one = each
    timer = setTimeout(() => {
      if (one) letGo(one)
      one = undefined
    }, keptMs).unref()
    return undefined
  }
  return {
    put,
    /** Nobody else has it then. */
    take: (file: LibraryFile): CachedBook | undefined => {
      const matching = one && isSame(one.file, file) ? one : undefined
      if (matching) one = undefined
      return matching
    },
  }
}

const isSame = (one: LibraryFile, other: LibraryFile): boolean =>
  one.path === other.path && one.size === other.size && one.modifiedMs === other.modifiedMs && one.inode === other.inode

const cache = keepOne()

const openFile = async (file: LibraryFile, cacheDir: string, buffer?: Buffer): Promise<OpenBook> => {
  const { path, size } = file
  if (size === 0) throw new BookFault('empty', 'The file is empty.')
  const read = buffer && size <= buffer.length ? readWhole(file, buffer) : file.read
  return openCandidate({ path, head: read(0, headBytes), isFolder: false, size, read }, cacheDir)
}

const useFolder = async <Result>(
  path: string,
  cacheDir: string,
  use: (book: OpenBook) => Promise<Result>,
): Promise<Result> => {
  const nothing = Buffer.alloc(0)
  const book = await openCandidate({ path, head: nothing, isFolder: true, size: 0, read: () => nothing }, cacheDir)
  try {
    return await use(book)
  } finally {
    book.close()
  }
}

const archives = ['PK\u0003\u0004', 'Rar!\u001a', '7z\u00bc\u00af']

const noBook = ({ head }: Candidate): BookFault =>
  archives.some((magic) => head.toString('latin1', 0, magic.length) === magic)
    ? new BookFault('empty', 'It is an archive without pictures in it, and no other kind of book.')
    : new BookFault('unknown_format', 'It is not a book of any kind that can be read here.')

const readWhole = (file: LibraryFile, buffer: Buffer): LibraryFile['read'] => {
  const bytes = buffer.subarray(0, file.readInto(buffer.subarray(0, file.size), 0))
  return (position, length) => bytes.subarray(position, position + Math.max(0, length))
}

const openCandidate = async (candidate: Candidate, cacheDir: string): Promise<OpenBook> => {
  const format = allFormats.find((each) => each.detect(candidate))
  if (!format) throw noBook(candidate)
  return format.open(candidate, { cache: unpackCache(cacheDir) })
}
