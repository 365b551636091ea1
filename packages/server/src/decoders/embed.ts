import { readablePieces, sizeOfPieces, spliceZip, type Piece } from '../formats/archive/zip-splice.ts'
import { readZipEntry, type ZipDirectory, type ZipEntry, type ZipFile, zipDirectoryOf } from '../formats/archive/zip.ts'
import { BookFault } from '../formats/book-format.ts'
import { koreaderFingerprint } from '../formats/fingerprints.ts'
import { openEpubFiles } from '../formats/epub/files.ts'
import { readPackage } from '../formats/epub/package.ts'
import { ifSound } from '../formats/if-sound.ts'
import { bookLimits } from '../formats/limits.ts'
import type { ShownBook } from '../formats/metadata/shown-book.ts'
import { writeComicInfo } from '../formats/metadata/write-comic-info.ts'
import { writeOpf } from '../formats/metadata/write-opf.ts'
import { findComicInfo, isNamedComicInfo } from '../formats/picture-members.ts'
import { parseXml, type XmlElement, xmlTextOf } from '../formats/xml.ts'
import { openLibraryFile } from '../platform/storage/library-files.ts'

export interface EmbedInput {
  readonly path: string
  readonly format: 'cbz' | 'epub'
  /** Size and time are those that the file is known by. */
  readonly size: number
  readonly modifiedUs: number
  readonly shown: ShownBook
}

export interface Embedded {
  /** Null: the file has no place for it. */
  readonly pieces: readonly Piece[] | null
  readonly size: number
  /** By what KOReader knows that file. */
  readonly koreader: string | null
}

/** It says what the file with the metadata of the book in it is put together from; of its pages only samples are read. */
export const embed = (input: EmbedInput): Promise<Embedded> => Promise.resolve().then(() => embedIn(input))

const embedIn = ({ path, format, size, modifiedUs, shown }: EmbedInput): Embedded => {
  const file = openLibraryFile(path)
  try {
    if (file.size !== size || Math.round(file.modifiedMs * 1000) !== modifiedUs)
      throw new BookFault('unreadable', 'The file has just changed.')
    const change = format === 'cbz' ? changeComic(file, shown) : changeEpub(file, shown)
    if (!change || change.gone.size > goneMax) return { pieces: null, size, koreader: null }
    const { name, bytes, directory, gone } = change
    const pieces = spliceZip(directory, gone, { name, bytes, modifiedAt: new Date(Math.floor(modifiedUs / 1000)) })
    const totalSize = sizeOfPieces(pieces)
    return { pieces, size: totalSize, koreader: koreaderFingerprint(readablePieces(file, pieces, totalSize)) }
  } finally {
    file.close()
  }
}

/** No honest book describes itself more often. */
const goneMax = 100

interface Change {
  readonly directory: ZipDirectory
  readonly gone: ReadonlySet<ZipEntry>
  readonly name: string
  readonly bytes: Buffer
}

/** One at the top takes the place of all that readers may look for: in any case, and in the folder all was packed in. */
const changeComic = (file: ZipFile, shown: ShownBook): Change => {
  const directory = zipDirectoryOf(file)
  const old = findComicInfo(directory.entries.filter(({ isFolder }) => !isFolder))
  const bytes = writeComicInfo(shown, old && ifSound(() => readComicInfo(file, old)))
  return { directory, gone: new Set(directory.members.filter(isNamedComicInfo)), name: 'ComicInfo.xml', bytes }
}

const readComicInfo = (file: ZipFile, entry: ZipEntry): XmlElement =>
  parseXml(readZipEntry(file, entry, { bytesMax: bookLimits.xmlBytes }))

/** Whoever has signed the book has signed its package document too. */
const signatures = 'META-INF/signatures.xml'

const changeEpub = (file: ZipFile, shown: ShownBook): Change | undefined => {
  const files = openEpubFiles(file)
  if (files.has(signatures)) return undefined
  const { path } = readPackage(files)
  const entry = files.entry(path)
  const written = entry && writeOpf(xmlTextOf(files.readXml(path, 'The package document')), shown)
  if (!entry || written === undefined) return undefined
  const { directory } = files
  const bytes = Buffer.from(written)
  // What was written is read once more: a book is sent as it was rather than with a package nobody can open.
  if (ifSound(() => parseXml(bytes).name) !== 'package') return undefined
  return {
    directory,
    gone: new Set(directory.members.filter(({ name }) => name === entry.name)),
    name: entry.name,
    bytes,
  }
}
