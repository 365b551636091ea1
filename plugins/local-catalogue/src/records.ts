/** Rows of a file, one after the other, with the position of each: the file is never in memory as a whole. */

const rowBytesMax = 262_144

export interface Row {
  readonly offset: number
  readonly bytes: Buffer
  /** Rows are counted from 1, without the header. */
  readonly number: number
}

/** The message says what is wrong with the file itself, as the end of a sentence that begins with its name. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile'
}

/** It says after each byte whether a row begins or ends there. */
interface Splitter {
  readonly at: (byte: number) => 'between' | 'inside' | 'last'
  /** When the file ends in the middle of a row: what is missing. */
  readonly lacks: () => string | undefined
}

const [quote, backslash, lineFeed] = [34, 92, 10]

export async function* rowsOf(chunks: AsyncIterable<Buffer>, splitter: Splitter): AsyncGenerator<Row> {
  let [offset, begin, number] = [0, -1, 0]
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let from = begin === -1 ? -1 : 0
    for (let at = 0; at < chunk.length; at += 1) {
      const where = splitter.at(chunk[at] ?? 0)
      if (where !== 'between' && from === -1) [from, begin] = [at, offset + at]
      if (where !== 'last') continue
      number += 1
      yield { offset: begin, bytes: Buffer.concat([...parts, chunk.subarray(from, at + 1)]), number }
      ;[parts, length, from, begin] = [[], 0, -1, -1]
    }
    if (from !== -1) {
      parts.push(chunk.subarray(from))
      length += chunk.length - from
    }
    if (length > rowBytesMax) throw new BrokenFile(`has a row ${number + 1} of more than ${rowBytesMax} bytes`)
    offset += chunk.length
  }
  const lacks = splitter.lacks()
  if (lacks !== undefined) throw new BrokenFile(`ends in the middle of row ${number + 1}: ${lacks}`)
  if (begin !== -1) yield { offset: begin, bytes: Buffer.concat(parts), number: number + 1 }
}

/** A line is a row, but where a line break stands between quotation marks. */
export const csvSplitter = (): Splitter => {
  let isQuoted = false
  let isEmpty = true
  return {
    at: (byte) => {
      if (byte === quote) isQuoted = !isQuoted
      if (byte === lineFeed && !isQuoted) {
        const where = isEmpty ? 'between' : 'last'
        isEmpty = true
        return where
      }
      if (byte === 13 && isEmpty) return 'between'
      isEmpty = false
      return 'inside'
    },
    lacks: () => (isQuoted ? 'a quotation mark is not closed' : undefined),
  }
}

/** Objects: in a list, or one a line. */
export const jsonSplitter = (): Splitter => {
  let [depth, isText, isEscaped, position] = [0, false, false, -1]
  const inText = (byte: number): void => {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) isText = false
  }
  return {
    at: (byte) => {
      position += 1
      if (isText) inText(byte)
      else if (byte === 123) depth += 1
      else if (byte === 125 && depth > 0) {
        depth -= 1
        if (depth === 0) return 'last'
      } else if (depth > 0) isText = byte === quote
      else if (!between.has(byte)) {
        const character = JSON.stringify(String.fromCharCode(byte))
        throw new BrokenFile(`is neither a list of objects nor one object a line: ${character} at byte ${position + 1}`)
      }
      return depth > 0 ? 'inside' : 'between'
    },
    lacks: () => (depth > 0 ? 'a bracket is not closed' : undefined),
  }
}

/** White space, comma, the brackets of the list, and the mark that some editors put at the beginning. */
const between = new Set([9, 10, 13, 32, 44, 91, 93, 0xef, 0xbb, 0xbf])

/** The fields of one line of CSV. */
export const csvFields = (line: string, delimiter: string): string[] => {
  const fields: string[] = []
  let at = 0
  while (at <= line.length) {
    const [field, end] = fieldAt(line, at, delimiter)
    fields.push(field.trim())
    at = end + 1
  }
  return fields
}

/** The field that begins there, and where it ends. */
const fieldAt = (line: string, from: number, delimiter: string): [string, number] => {
  const endAfter = (at: number): number => {
    const end = line.indexOf(delimiter, at)
    return end === -1 ? line.length : end
  }
  if (line[from] !== '"') return [line.slice(from, endAfter(from)), endAfter(from)]
  let closing = line.indexOf('"', from + 1)
  // Two of them stand for one.
  while (closing !== -1 && line[closing + 1] === '"') closing = line.indexOf('"', closing + 2)
  if (closing === -1) return [line.slice(from + 1), line.length]
  return [line.slice(from + 1, closing).replaceAll('""', '"'), endAfter(closing + 1)]
}

/** The one that occurs most in the header. */
export const delimiterOf = (header: string): string =>
  [',', ';', '\t'].reduce((best, one) => (header.split(one).length > header.split(best).length ? one : best))
