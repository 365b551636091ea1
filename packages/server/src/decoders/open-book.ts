import { statSync } from 'node:fs'
import { type BookFormat, BookFault, type Candidate, type OpenBook } from '../formats/book-format.ts'
import { pathForSystem } from '../platform/file-names.ts'
import { openLibraryFile } from '../platform/library-files.ts'
import { unpackCache } from './unpack-cache.ts'

const headBytes = 4096

interface BookToOpen {
  readonly path: string
  readonly isFolder: boolean
}

/** Opens what lies there as what it is, whatever its name says. */
export const openBook = async (
  { path, isFolder }: BookToOpen,
  formats: readonly BookFormat[],
  cacheDir: string,
): Promise<OpenBook> => {
  if (isFolder) return openAs(folderCandidate(path), formats, cacheDir)
  const file = openLibraryFile(path)
  try {
    const { size, read } = file
    if (size === 0) throw new BookFault('empty', 'The file is empty.')
    const head = read(0, headBytes)
    return await openAs({ path, head, isFolder, size, read }, formats, cacheDir)
  } finally {
    file.close()
  }
}

const folderCandidate = (path: string): Candidate => {
  if (!statSync(pathForSystem(path)).isDirectory()) throw new BookFault('unreadable', 'It is no longer a folder.')
  return { path, head: Buffer.alloc(0), isFolder: true, size: 0, read: () => Buffer.alloc(0) }
}

const openAs = (candidate: Candidate, formats: readonly BookFormat[], cacheDir: string): Promise<OpenBook> => {
  const format = formats.find((each) => each.detect(candidate))
  if (!format) throw new BookFault('unknown_format', 'It is not a book of any kind that can be read here.')
  return format.open(candidate, { cache: unpackCache(cacheDir) })
}
