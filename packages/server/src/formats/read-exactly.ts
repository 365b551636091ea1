import type { LibraryFile } from '../platform/storage/library-files.ts'
import { BookFault } from './book-format.ts'

/** It reads all of it or throws a `BookFault`, whatever happens to the disk. */
export const readExactly = (file: Pick<LibraryFile, 'read'>, position: number, length: number): Buffer => {
  let bytes: Buffer
  try {
    bytes = file.read(position, length)
  } catch (error) {
    throw new BookFault('unreadable', 'The file cannot be read', { cause: error })
  }
  if (bytes.length < length) throw new BookFault('damaged', 'The file is cut off')
  return bytes
}
