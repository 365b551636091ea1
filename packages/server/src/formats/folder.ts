import { crc32 } from 'node:zlib'
import type { LibraryFile } from '../platform/storage/library-files.ts'
import { BookFault, type BookFormat, type Candidate, type Fingerprints } from './book-format.ts'
import { memberFingerprints, type SummedMember } from './fingerprints.ts'
import { holdFolder, type HeldFolder } from './folder-files.ts'
import { openPictureBook } from './picture-book.ts'
import { isJunk, isNamedAsPicture, type Member } from './picture-members.ts'
import { readExactly } from './read-exactly.ts'

/** A folder whose files are the pages. */
export const folder: BookFormat = {
  name: 'folder',
  detect: (candidate) => candidate.isFolder && isPictureFolder(candidate),
  open: (candidate) => Promise.resolve().then(() => openFolderBook(candidate)),
}

const openFolderBook = (candidate: Candidate) => {
  const held = holdFolder(candidate.path)
  try {
    const members = held
      .list()
      .filter((name) => !isJunk(name))
      .map((name) => ({ name, size: held.read(name, ({ size }) => size) }))
    return openPictureBook<Member>({
      format: 'folder',
      members,
      warnings: [],
      readHead: ({ name }, length) => held.read(name, (file) => ({ head: file.read(0, length) })),
      read: ({ name }, bytesMax) => held.read(name, (file) => readAll(file, bytesMax)),
      fingerprints: () => fingerprintsOf(held, members),
      close: held.close,
    })
  } catch (error) {
    held.close()
    throw error
  }
}

const readAll = (file: LibraryFile, bytesMax: number): Buffer => {
  if (file.size > bytesMax) throw new BookFault('limit', `A file of the folder has ${file.size} bytes`)
  return readExactly(file, 0, file.size)
}

/** There is no file of which one could know it again; its members are all there is. */
const fingerprintsOf = (held: HeldFolder, members: readonly Member[]): Fingerprints => {
  const buffer = Buffer.allocUnsafe(sumBytes)
  const summed = members.map(({ name }) => held.read(name, (file) => sum(name, file, buffer)))
  const prints = memberFingerprints(summed)
  return { file: prints.content, ...prints }
}

const sumBytes = 1024 * 1024

const sum = (name: string, file: LibraryFile, buffer: Buffer): SummedMember => {
  let value = 0
  let size = 0
  for (;;) {
    const count = file.readInto(buffer, size)
    value = crc32(buffer.subarray(0, count), value)
    size += count
    if (count < buffer.length) return { name, size, crc32: value }
  }
}

/** Pictures that stand beside books to describe them, and alone make none. */
const sidecar = /^(?:cover|folder|poster|banner|fanart|thumbnail|thumb|logo|backdrop)\.[^.]+$/i
const book = /\.(?:cbz|zip|cbr|rar|cb7|7z|cbt|tar|epub|pdf|mobi|azw|azw3|fb2|fbz)$/i

/** Pages stand in it directly, not only in folders below, which are books of their own; and no other books beside them. */
const isPictureFolder = (candidate: Candidate): boolean => {
  try {
    const held = holdFolder(candidate.path)
    try {
      const direct = held.list().filter((name) => !name.includes('/'))
      return (
        direct.some((name) => isNamedAsPicture({ name, size: 0 }) && !sidecar.test(name)) &&
        !direct.some((name) => book.test(name) && !isJunk(name))
      )
    } finally {
      held.close()
    }
  } catch {
    return false
  }
}
