import {
  readZipEntry,
  zipDirectoryOf,
  zipEntryStart,
  type ZipDirectory,
  type ZipEntry,
  type ZipFile,
} from '../archive/zip.ts'
import { BookFault } from '../book-format.ts'
import { once } from '../flowing/lazily.ts'
import { bookLimits } from '../limits.ts'

/** The files of an EPUB by their names, however their accents are composed. A name is never used as a path. */
export interface EpubFiles {
  readonly directory: ZipDirectory
  /** The name is as it stands in the archive. */
  nameOf(path: string): string | undefined
  has(path: string): boolean
  entry(path: string): ZipEntry | undefined
  /** It throws a `BookFault`, `damaged` when there is no such file. */
  read(path: string, bytesMax: number): Buffer
  /** A file the book cannot be without; `what` is how it is called in the fault. */
  readXml(path: string, what: string): Buffer
  /** It returns where a file begins in the archive, and its first bytes. */
  start(entry: ZipEntry, length: number): { readonly offset: number; readonly head: Buffer }
}

export const openEpubFiles = (file: ZipFile): EpubFiles => {
  const directory = zipDirectoryOf(file)
  const entries = new Map(directory.entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]))
  // Archives made on a Mac have accents as characters of their own, while the documents in them seldom do.
  const composed = once(
    () => new Map([...entries.values()].toReversed().map((entry) => [composedOf(entry.name), entry])),
  )
  const entryOf = (path: string): ZipEntry | undefined => entries.get(path) ?? composed().get(composedOf(path))
  const read = (path: string, bytesMax: number): Buffer => {
    const entry = entryOf(path)
    if (entry === undefined) throw new BookFault('damaged', 'A file of the EPUB is missing')
    return readZipEntry(file, entry, { bytesMax })
  }
  return {
    directory,
    nameOf: (path) => entryOf(path)?.name,
    has: (path) => entryOf(path) !== undefined,
    entry: entryOf,
    start: (entry, length) => zipEntryStart(file, entry, length),
    read,
    readXml: (path, what) => {
      if (entryOf(path) === undefined) throw new BookFault('damaged', `${what} is missing from the EPUB`)
      return read(path, bookLimits.xmlBytes)
    },
  }
}

const composedOf = (name: string): string => name.normalize('NFC')
