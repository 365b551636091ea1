import { BookFault } from '../book-format.ts'

/** Bytes that may be read anywhere: a file of a library, or a part of one. */
export interface ByteSource {
  readonly size: number
  /** It reads up to `length` bytes from there; fewer only at the end. */
  read(position: number, length: number): Buffer
}

/** The same bytes; when the disk fails, that is what is wrong with the book. */
export const readable = ({ size, read }: ByteSource): ByteSource => ({
  size,
  read: (position, length) => {
    try {
      return read(position, length)
    } catch (error) {
      throw new BookFault('unreadable', 'The file cannot be read', { cause: error })
    }
  },
})
