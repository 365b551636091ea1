import { allFormats } from '../formats/all-formats.ts'
import { BookFault, type Candidate, type OpenBook } from '../formats/book-format.ts'
import { type LibraryFile, openLibraryFile } from '../platform/library-files.ts'
import { unpackCache } from './unpack-cache.ts'

export interface BookToOpen {
  readonly path: string
  readonly isFolder: boolean
}

const headBytes = 4096

/**
 * Opens what lies there as what it is, whatever its name says, for as long as `use` needs it. A file that fits into
 * `buffer` is read into it at once, which costs less than finding one place in it after another; nothing of it is there
 * any more when the next one has been read.
 */
export const withBook = async <Result>(
  { path, isFolder }: BookToOpen,
  cacheDir: string,
  use: (book: OpenBook) => Promise<Result>,
  buffer?: Buffer,
): Promise<Result> => {
  const nothing = Buffer.alloc(0)
  if (isFolder) return useBook({ path, head: nothing, isFolder, size: 0, read: () => nothing }, cacheDir, use)
  const file = openLibraryFile(path)
  try {
    const { size } = file
    if (size === 0) throw new BookFault('empty', 'The file is empty.')
    const read = buffer && size <= buffer.length ? readWhole(file, buffer) : file.read
    return await useBook({ path, head: read(0, headBytes), isFolder, size, read }, cacheDir, use)
  } finally {
    file.close()
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

const useBook = async <Result>(
  candidate: Candidate,
  cacheDir: string,
  use: (book: OpenBook) => Promise<Result>,
): Promise<Result> => {
  const format = allFormats.find((each) => each.detect(candidate))
  if (!format) throw noBook(candidate)
  const book = await format.open(candidate, { cache: unpackCache(cacheDir) })
  try {
    return await use(book)
  } finally {
    book.close()
  }
}
