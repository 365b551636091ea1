import { BookFault, type Candidate } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { readExactly } from '../read-exactly.ts'

/** The container of all books for Kindles: records one after another, known by their numbers. */
export interface PalmDatabase {
  /** 65,535 at most: the number has two bytes. */
  readonly count: number
  /** Records that begin behind the end of the file: it is cut off. */
  readonly missing: number
  size(index: number): number
  /** It reads a record, or its beginning. It throws a `BookFault`. */
  read(index: number, length?: number): Buffer
}

type DatabaseFile = Pick<Candidate, 'read' | 'size'>

const headerBytes = 78
const entryBytes = 8

/** It returns the kind of the database: `BOOKMOBI` for the books that are read here. */
export const databaseKind = (head: Buffer): string => head.toString('latin1', 60, 68)

export const openPalmDatabase = (file: DatabaseFile): PalmDatabase => {
  const count = readExactly(file, 0, headerBytes).readUInt16BE(76)
  const table = readExactly(file, headerBytes, count * entryBytes)
  const starts: number[] = []
  for (let index = 0; index < count; index += 1) {
    const start = table.readUInt32BE(index * entryBytes)
    const earliest = starts.at(-1) ?? headerBytes + table.length
    if (start < earliest) throw new BookFault('damaged', 'The records of the book overlap')
    starts.push(start)
  }
  const size = (index: number): number => {
    const start = starts[index]
    return start === undefined ? 0 : Math.max(0, Math.min(starts[index + 1] ?? file.size, file.size) - start)
  }
  return {
    count,
    missing: starts.filter((start) => start >= file.size).length,
    size,
    read: (index, length = Infinity) => {
      const start = starts[index]
      if (start === undefined) throw new BookFault('damaged', 'A record the book names is not in it')
      const isCut = (starts[index + 1] ?? start) > file.size || start > file.size
      if (isCut) throw new BookFault('damaged', 'The file is cut off')
      const readLength = Math.min(size(index), length)
      if (readLength > bookLimits.entryBytes)
        throw new BookFault('limit', `A record has more than ${bookLimits.entryBytes} bytes`)
      return readExactly(file, start, readLength)
    },
  }
}
