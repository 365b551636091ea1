import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { pathForSystem } from '../files/file-names.ts'

/** A file of a library, open for reading. Links are not followed and only regular files open: roots lead nowhere else. */
export interface LibraryFile {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  readonly inode: number
  /** It reads up to `length` bytes from there; fewer only at the end of the file. */
  read(position: number, length: number): Buffer
  readInto(buffer: Uint8Array, position: number): number
  close(): void
}

/** The path is not a file one may read: a link, a pipe, a device, a folder. */
class NotAFile extends Error {
  override readonly name = 'NotAFile'
}

/** Synchronous, for processes that do nothing else; the server's own way to files is the limiter of each root. */
export const openLibraryFile = (path: string): LibraryFile => {
  const fd = openSync(pathForSystem(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return libraryFile(path, fd, fstatSync(fd))
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

const libraryFile = (path: string, fd: number, stats: Stats): LibraryFile => {
  if (!stats.isFile()) throw new NotAFile(`${path} is not a regular file`)
  const readInto = (buffer: Uint8Array, position: number): number => {
    let filled = 0
    while (filled < buffer.length) {
      const count = readSync(fd, buffer, filled, buffer.length - filled, position + filled)
      if (count === 0) break
      filled += count
    }
    return filled
  }
  return {
    path,
    size: stats.size,
    modifiedMs: stats.mtimeMs,
    inode: stats.ino,
    read: (position, length) => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, stats.size - position)))
      return buffer.subarray(0, readInto(buffer, position))
    },
    readInto,
    close: () => closeSync(fd),
  }
}
