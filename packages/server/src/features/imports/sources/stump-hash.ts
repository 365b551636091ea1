import { createHash } from 'node:crypto'
import type { LibraryFile } from '../../../platform/storage/library-files.ts'
import { BookFault } from '../../../formats/book-format.ts'
import { type EpubFiles, openEpubFiles } from '../../../formats/epub/files.ts'
import { readPackage } from '../../../formats/epub/package.ts'

type Readable = Pick<LibraryFile, 'size' | 'read'>

const membersCounted = 6
const wholeUpTo = 40_000
const pieceBytes = 10_000

/**
 * Stump adds up how long the first six members of an archive are when they are unpacked, those of the spine in an EPUB, and hashes as much of the
 * file as it is packed: all of it up to a length, of more than that five pieces. What is past the end of the file counts as zeros. Undefined: it is
 * no ZIP, which is not hashed so here.
 */
export const stumpHash = (file: Readable): string | undefined => {
  const length = lengthOf(file)
  if (length === undefined || length === 0) return undefined
  const digest = createHash('sha256')
  if (length <= wholeUpTo) return digest.update(padded(file, 0, length)).digest('hex')
  const quarter = Math.floor(length / 4)
  for (const start of [0, quarter, 2 * quarter, 3 * quarter, length - pieceBytes])
    digest.update(padded(file, start, pieceBytes))
  return digest.digest('hex')
}

const padded = (file: Readable, start: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  file.read(start, length).copy(bytes)
  return bytes
}

const lengthOf = (file: Readable): number | undefined => {
  try {
    const sizes = sizesIn(openEpubFiles(file))
    return sizes.slice(0, membersCounted).reduce((sum, size) => sum + size, 0)
  } catch (error) {
    if (error instanceof BookFault) return undefined
    throw error
  }
}

const sizesIn = (files: EpubFiles): readonly number[] =>
  files.has('META-INF/container.xml')
    ? readPackage(files).spine.map(({ item }) => files.entry(item.path)?.size ?? 0)
    : files.directory.entries.map(({ size }) => size)
