import type { ByteSource } from './archive/byte-source.ts'
import { findRar, neededToUnpack, partOfRar, readRar, type RarArchive, type RarEntry } from './archive/rar.ts'
import { refuseBomb, safeMembers } from './archive/safe-members.ts'
import { largestDictionary, unpack, type MemberReceiver } from './archive/seven-zip.ts'
import { BookFault, type BookFormat, type Candidate, type OpenBook, type OpenResources } from './book-format.ts'
import { openBookFile, type BookFile } from './open-file.ts'
import { openPackedBook } from './packed-book.ts'
import { isNamedAsPicture } from './picture-members.ts'

/** A RAR of pictures, of either generation. What is only stored in it is read from it directly. */
export const cbr: BookFormat = {
  name: 'cbr',
  detect: (candidate) => !candidate.isFolder && isPictureRar(candidate),
  open: (candidate, resources) => openBookFile(candidate.path, (file) => openCbr(file, resources)),
}

const openCbr = ({ source, close }: BookFile, { cache }: OpenResources): OpenBook => {
  const start = findRar(source, source.read(0, 8))
  if (start === undefined) throw new BookFault('unknown_format', 'There is no RAR in it')
  const archive = readRar(source, start)
  const files = archive.entries.filter(({ isFolder }) => !isFolder)
  const { entries, warnings } = safeMembers(files)
  refusePacked(files)
  return openPackedBook<RarEntry>({
    format: 'cbr',
    file: source,
    cache,
    members: entries,
    warnings: [...archive.warnings, ...warnings],
    isSolid: () => archive.isSolid,
    storedAt: (entry) => (entry.isStored && entry.size === entry.packedSize ? entry.dataOffset : undefined),
    unpack: (entries, receive) => unpackRar({ source, archive }, entries, receive),
    close,
  })
}

const isPictureRar = (candidate: Candidate): boolean => {
  try {
    const start = findRar(candidate, candidate.head)
    return start !== undefined && readRar(candidate, start).entries.some(isNamedAsPicture)
  } catch {
    // The file is opened to find out why.
    return true
  }
}

const refusePacked = (files: readonly RarEntry[]): void => {
  const sum = (what: (entry: RarEntry) => number): number => files.reduce((total, entry) => total + what(entry), 0)
  refuseBomb(
    sum(({ packedSize }) => packedSize),
    sum(({ size }) => size),
  )
  if (files.some(({ isStored, dictionaryBytes }) => !isStored && dictionaryBytes > largestDictionary)) {
    throw new BookFault('limit', 'The archive needs too much memory to unpack')
  }
}

interface OpenRar {
  readonly source: ByteSource
  readonly archive: RarArchive
}

const unpackRar = (
  { source, archive }: OpenRar,
  entries: readonly RarEntry[],
  receive: () => MemberReceiver,
): Promise<void> => {
  const shown = neededToUnpack(archive, entries)
  return unpack(
    {
      source: partOfRar(source, archive, shown),
      type: archive.generation === 4 ? 'rar' : 'rar5',
      expected: entries,
      totalBytes: shown.reduce((total, { size }) => total + size, 0),
    },
    receive,
  )
}
