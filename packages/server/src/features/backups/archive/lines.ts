import type { Row, Value } from '../../../database/rows.ts'
import { UnusableArchive } from './archive-reader.ts'

/** No row is longer: the row with the pages of a book of 20,000 pages takes less than a megabyte. */
const lineBytesMax = 64 * 1024 * 1024
const newline = 0x0a

/** One JSON value a line. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator {
  let rest: Buffer[] = []
  let restBytes = 0
  for await (const chunk of bytes) {
    let from = 0
    for (let position = chunk.indexOf(newline); position !== -1; position = chunk.indexOf(newline, from)) {
      yield parse(Buffer.concat([...rest, chunk.subarray(from, position)]))
      rest = []
      restBytes = 0
      from = position + 1
    }
    rest.push(Buffer.from(chunk.subarray(from)))
    restBytes += chunk.length - from
    if (restBytes > lineBytesMax) throw new UnusableArchive('It holds a line that is too long to be a row.')
  }
  if (restBytes > 0) throw new UnusableArchive('It ends in the middle of a row.')
}

const parse = (line: Buffer): unknown => {
  try {
    return JSON.parse(line.toString())
  } catch {
    throw new UnusableArchive('It holds a line that is no row.')
  }
}

export const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`

interface Bytes {
  readonly base64: string
}

export const lineOfRow = (row: Row): string =>
  lineOf(row.map((value) => (Buffer.isBuffer(value) ? ({ base64: value.toString('base64') } satisfies Bytes) : value)))

export const rowFrom = (line: unknown, length: number): Row => {
  if (!Array.isArray(line) || line.length !== length) throw new UnusableArchive('It holds a row of another length.')
  return line.map(valueFrom)
}

const valueFrom = (value: unknown): Value => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'object' && 'base64' in value && typeof value.base64 === 'string')
    return Buffer.from(value.base64, 'base64')
  throw new UnusableArchive('It holds a value that no column takes.')
}
