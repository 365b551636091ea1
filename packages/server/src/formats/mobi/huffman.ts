import { BookFault } from '../book-format.ts'
import { slice, startsWith, u16, u32 } from './bytes.ts'

/** A record of text holds 4,096 bytes; more than this is a bomb. */
const recordBytesMax = 256 * 1024
/** Phrases hold other phrases, so deep and no deeper. */
const depthMax = 32
/** The limit holds for all phrases of the dictionary together, unpacked. */
const dictionaryBytesMax = 32 * 1024 * 1024

const damaged = (): BookFault => new BookFault('damaged', 'The dictionary of the text is damaged')

interface Phrase {
  readonly bytes: Buffer
  readonly isPlain: boolean
}

interface Codes {
  /**
   * The index is the first eight bits; it gives the length of the code, whether that is sure, and the largest code of
   * that length.
   */
  readonly lengths: Uint8Array
  readonly isSure: Uint8Array
  readonly largest: Float64Array
  /** The index is the length, 1 to 32; the code stands at the left of 32 bits. */
  readonly smallestOfLength: Float64Array
  readonly largestOfLength: Float64Array
}

/** The compression of the largest books: codes of any length for phrases, which are made of codes themselves. */
export const huffmanUnpacker = (table: Buffer, dictionaries: readonly Buffer[]): ((packed: Buffer) => Buffer) => {
  const codes = readCodes(table)
  const phrases = dictionaries.reduce<Phrase[]>(addPhrases, [])
  const unpacked = new Map<number, Buffer>()
  const open = new Set<number>()
  let dictionaryBytes = 0

  const phraseAt = (index: number): Buffer => {
    const cached = unpacked.get(index)
    if (cached !== undefined) return cached
    const phrase = phrases[index]
    if (phrase === undefined || open.has(index) || open.size >= depthMax) throw damaged()
    if (phrase.isPlain) return phrase.bytes
    open.add(index)
    const bytes = unpack(phrase.bytes)
    open.delete(index)
    dictionaryBytes += bytes.length
    if (dictionaryBytes > dictionaryBytesMax)
      throw new BookFault('limit', `The dictionary of the text has more than ${dictionaryBytesMax} bytes`)
    unpacked.set(index, bytes)
    return bytes
  }

  const unpack = (packed: Buffer): Buffer => {
    const parts: Buffer[] = []
    let length = 0
    for (const index of codesIn(packed, codes)) {
      const part = phraseAt(index)
      length += part.length
      if (length > recordBytesMax)
        throw new BookFault('limit', `A record of the text has more than ${recordBytesMax} bytes`)
      parts.push(part)
    }
    return Buffer.concat(parts, length)
  }
  return unpack
}

const readCodes = (table: Buffer): Codes => {
  if (!startsWith(table, 'HUFF')) throw damaged()
  const [byStart, byLength] = [u32(table, 8), u32(table, 12)]
  const codes: Codes = {
    lengths: new Uint8Array(256),
    isSure: new Uint8Array(256),
    largest: new Float64Array(256),
    smallestOfLength: new Float64Array(33),
    largestOfLength: new Float64Array(33),
  }
  for (let start = 0; start < 256; start += 1) {
    const entry = u32(table, byStart + 4 * start)
    const length = entry & 0x1f
    codes.lengths[start] = length
    codes.isSure[start] = (entry & 0x80) === 0 ? 0 : 1
    codes.largest[start] = atLeft((entry >>> 8) + 1, length) - 1
  }
  for (let length = 1; length <= 32; length += 1) {
    codes.smallestOfLength[length] = atLeft(u32(table, byLength + 8 * (length - 1)), length)
    codes.largestOfLength[length] = atLeft(u32(table, byLength + 8 * (length - 1) + 4) + 1, length) - 1
  }
  return codes
}

const atLeft = (code: number, length: number): number => code * 2 ** (32 - length)

const dictionaryHeadBytes = 16

const addPhrases = (phrases: Phrase[], dictionary: Buffer): Phrase[] => {
  if (!startsWith(dictionary, 'CDIC')) throw damaged()
  const [total, bits] = [u32(dictionary, 8), u32(dictionary, 12)]
  const room = Math.floor((dictionary.length - dictionaryHeadBytes) / 2)
  const count = Math.min(total - phrases.length, bits < 16 ? 1 << bits : room, room)
  for (let index = 0; index < count; index += 1) {
    const position = dictionaryHeadBytes + u16(dictionary, dictionaryHeadBytes + 2 * index)
    const head = u16(dictionary, position)
    phrases.push({ bytes: slice(dictionary, position + 2, head & 0x7fff), isPlain: (head & 0x8000) !== 0 })
  }
  return phrases
}

/** The numbers of the phrases a packed text is made of. */
function* codesIn(packed: Buffer, codes: Codes): Generator<number> {
  const bits = packed.length * 8
  let position = 0
  while (position < bits) {
    const window = windowAt(packed, position)
    const start = window >>> 24
    let length = codes.lengths[start] ?? 0
    let largest = codes.largest[start] ?? 0
    if (codes.isSure[start] !== 1) {
      while (length <= 32 && window < (codes.smallestOfLength[length] ?? 0)) length += 1
      largest = codes.largestOfLength[length] ?? 0
    }
    if (length === 0 || length > 32) throw damaged()
    position += length
    if (position > bits) return
    yield Math.floor((largest - window) / 2 ** (32 - length))
  }
}

/** 32 bits from anywhere; behind the end there are zeros. */
const windowAt = (packed: Buffer, bit: number): number => {
  const position = bit >>> 3
  const shift = bit & 7
  const first =
    (packed[position] ?? 0) * 2 ** 24 +
    ((packed[position + 1] ?? 0) << 16) +
    ((packed[position + 2] ?? 0) << 8) +
    (packed[position + 3] ?? 0)
  return ((first << shift) | ((packed[position + 4] ?? 0) >> (8 - shift))) >>> 0
}
