import {
  readZipEntry,
  zipDirectoryOf,
  zipEntryStart,
  type ZipDirectory,
  type ZipEntry,
  type ZipFile,
} from '../archive/zip.ts'
import { BookFault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'

/** The files of an EPUB by their names. A name is looked up as it is and never used as a path. */
export interface EpubFiles {
  readonly directory: ZipDirectory
  has(path: string): boolean
  entry(path: string): ZipEntry | undefined
  /** Throws a `BookFault`, `damaged` when there is no such file. */
  read(path: string, bytesMax: number): Buffer
  /** A file the book cannot be without; `what` is how it is called in the fault. */
  readXml(path: string, what: string): Buffer
  /** Where a file begins in the archive and its first bytes. */
  start(entry: ZipEntry, length: number): { readonly offset: number; readonly head: Buffer }
}

export const openEpubFiles = (file: ZipFile): EpubFiles => {
  const directory = zipDirectoryOf(file)
  const entries = new Map(directory.entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]))
  const read = (path: string, bytesMax: number): Buffer => {
    const entry = entries.get(path)
    if (entry === undefined) throw new BookFault('damaged', 'A file of the EPUB is missing')
    return readZipEntry(file, entry, { bytesMax })
  }
  return {
    directory,
    has: (path) => entries.has(path),
    entry: (path) => entries.get(path),
    start: (entry, length) => zipEntryStart(file, entry, length),
    read,
    readXml: (path, what) => {
      if (!entries.has(path)) throw new BookFault('damaged', `${what} is missing from the EPUB`)
      return read(path, bookLimits.xmlBytes)
    },
  }
}
