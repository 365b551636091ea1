import type { LibraryFile } from '../platform/library-files.ts'
import { BookFault, type BookFormat, type Candidate } from './book-format.ts'

const headBytes = 4096

export const fileCandidate = (file: LibraryFile): Candidate => ({
  path: file.path,
  head: file.read(0, headBytes),
  isFolder: false,
  read: file.read,
  size: file.size,
})

export const folderCandidate = (path: string): Candidate => ({
  path,
  head: Buffer.alloc(0),
  isFolder: true,
  read: () => Buffer.alloc(0),
  size: 0,
})

/** The first of these that knows it, by what is inside. Throws a `BookFault`. */
export const detectFormat = (candidate: Candidate, formats: readonly BookFormat[]): BookFormat => {
  if (!candidate.isFolder && candidate.size === 0) throw new BookFault('empty', 'The file is empty')
  const format = formats.find((known) => known.detect(candidate))
  if (format === undefined) throw new BookFault('unknown_format', 'What is inside is no book of a known kind')
  return format
}
