/** A Palm database: records one after another. */
export const palmDatabase = (records: readonly Buffer[], kind = 'BOOKMOBI'): Buffer => {
  const head = Buffer.alloc(78 + 8 * records.length + 2)
  head.write('Whale', 0, 'latin1')
  head.write(kind, 60, 'latin1')
  head.writeUInt16BE(records.length, 76)
  let start = head.length
  for (const [index, record] of records.entries()) {
    head.writeUInt32BE(start, 78 + 8 * index)
    start += record.length
  }
  return Buffer.concat([head, ...records])
}

export interface MobiOptions {
  readonly text?: string | Buffer
  readonly encoding?: 'utf-8' | 'windows-1252'
  readonly packing?: 'none' | 'palmdoc' | 'huffman'
  /** The text is packed already. */
  readonly isPacked?: boolean
  readonly encryption?: number
  readonly version?: number
  readonly title?: string
  readonly locale?: number
  /** Numbered entries about the book. */
  readonly exth?: readonly (readonly [kind: number, data: string | number])[]
  /** Pictures and fonts, from number 1 on. */
  readonly resources?: readonly Buffer[]
  /** These bytes follow the text of each record; `kinds` says which they are. */
  readonly trailing?: { readonly kinds: number; readonly bytes: Buffer }
  readonly recordBytes?: number
  /** Records in the place of those of the dictionary. */
  readonly dictionary?: readonly Buffer[]
}

const nothing = 0xffffffff
const headerBytes = 16 + 248

/** A MOBI of version 6. */
export const mobiFile = (options: MobiOptions = {}): Buffer => {
  const { packing = 'none', recordBytes = 4096, resources = [], trailing } = options
  const text = Buffer.from(options.text ?? '<html><body><p>Call me Ishmael.</p></body></html>')
  const parts: Buffer[] = []
  for (let at = 0; at < text.length; at += recordBytes) {
    const record = text.subarray(at, at + recordBytes)
    const part = options.isPacked ? record : packers[packing](record)
    parts.push(trailing ? Buffer.concat([part, trailing.bytes]) : part)
  }
  const dictionary = options.dictionary ?? (packing === 'huffman' ? huffmanDictionary() : [])
  const firstResource = 1 + parts.length + dictionary.length
  const layout = { textBytes: text.length, textRecords: parts.length, dictionary: dictionary.length, firstResource }
  return palmDatabase([
    headerRecord(options, layout),
    ...parts,
    ...dictionary,
    ...resources,
    Buffer.from('e98e0d0a', 'hex'),
  ])
}

interface MobiLayout {
  readonly textBytes: number
  readonly textRecords: number
  readonly dictionary: number
  readonly firstResource: number
}

const compressions = { none: 1, palmdoc: 2, huffman: 17_480 }

const headerRecord = (
  options: MobiOptions,
  { textBytes, textRecords, dictionary, firstResource }: MobiLayout,
): Buffer => {
  const { encoding = 'utf-8', packing = 'none', encryption = 0, version = 6, title = 'The Whale', locale = 9 } = options
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(compressions[packing], 0)
  header.writeUInt32BE(textBytes, 4)
  header.writeUInt16BE(textRecords, 8)
  header.writeUInt16BE(4096, 10)
  header.writeUInt16BE(encryption, 12)
  header.write('MOBI', 16, 'latin1')
  header.fill(0xff, 40, headerBytes)
  const exth = exthOf(options.exth ?? [])
  const fields: [at: number, value: number][] = [
    [20, headerBytes - 16],
    [24, 2],
    [28, encoding === 'utf-8' ? 65_001 : 1252],
    [36, version],
    [84, headerBytes + exth.length],
    [88, Buffer.byteLength(title)],
    [92, locale],
    [104, version],
    [108, firstResource],
    [112, dictionary === 0 ? 0 : 1 + textRecords],
    [116, dictionary],
    [128, exth.length > 0 ? 0x40 : 0],
    [240, options.trailing?.kinds ?? 0],
    [244, nothing],
  ]
  for (const [at, value] of fields) header.writeUInt32BE(value, at)
  return Buffer.concat([header, exth, Buffer.from(title)])
}

const exthOf = (entries: readonly (readonly [kind: number, data: string | number])[]): Buffer => {
  if (entries.length === 0) return Buffer.alloc(0)
  const written = entries.map(([kind, data]) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : numberOf(data)
    return Buffer.concat([numberOf(kind), numberOf(8 + bytes.length), bytes])
  })
  const body = Buffer.concat(written)
  return Buffer.concat([Buffer.from('EXTH'), numberOf(12 + body.length), numberOf(entries.length), body])
}

const numberOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** It uses only literals: bytes of ASCII, and runs of others with their number before them. */
const packPalmDoc = (text: Buffer): Buffer => {
  const packed: number[] = []
  for (const byte of text) packed.push(...(byte === 0 || (byte >= 9 && byte < 0x80) ? [byte] : [1, byte]))
  return Buffer.from(packed)
}

/** Nine bits for each byte of text; 256 stands for a word that is itself packed. */
const packHuffman = (text: Buffer): Buffer => {
  const codes: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (text.toString('latin1', at, at + packedWord.length) === packedWord) {
      codes.push(256)
      at += packedWord.length - 1
    } else codes.push(text[at] ?? 0)
  }
  return nineBits(codes)
}

const packedWord = 'whale '

const nineBits = (codes: readonly number[]): Buffer => {
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  // The rest of the last byte is shorter than a code.
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

const phraseCount = 512

/** The codes have nine bits; the code of a phrase is 511 less its number. */
const huffmanDictionary = (): Buffer[] => {
  const phrases = Array.from({ length: phraseCount }, (_, index): Phrase => {
    const code = phraseCount - 1 - index
    if (code < 256) return { bytes: Buffer.from([code]), isPlain: true }
    return { bytes: nineBits(code === 256 ? [...Buffer.from(packedWord)] : []), isPlain: code !== 256 }
  })
  return huffmanRecords(phrases)
}

interface Phrase {
  readonly bytes: Buffer
  readonly isPlain: boolean
}

/** The table of the codes and one dictionary, with these phrases in the place of the first of 512. */
export const huffmanRecords = (phrases: readonly Phrase[], length = 9): Buffer[] => {
  const table = Buffer.alloc(24 + 256 * 4 + 64 * 4)
  table.write('HUFF', 0, 'latin1')
  table.writeUInt32BE(24, 8)
  table.writeUInt32BE(24 + 1024, 12)
  for (let start = 0; start < 256; start += 1) table.writeUInt32BE(length, 24 + 4 * start)
  if (length > 0) table.writeUInt32BE(2 ** length - 1, 24 + 1024 + 8 * (length - 1) + 4)
  const head = Buffer.alloc(16 + 2 * phrases.length)
  head.write('CDIC', 0, 'latin1')
  head.writeUInt32BE(16, 4)
  head.writeUInt32BE(phrases.length, 8)
  head.writeUInt32BE(9, 12)
  const written: Buffer[] = []
  let at = 2 * phrases.length
  for (const [index, { bytes, isPlain }] of phrases.entries()) {
    const size = Buffer.alloc(2)
    size.writeUInt16BE(bytes.length | (isPlain ? 0x8000 : 0))
    head.writeUInt16BE(at, 16 + 2 * index)
    written.push(size, bytes)
    at += 2 + bytes.length
  }
  return [table, Buffer.concat([head, ...written])]
}

const packers = { none: (text: Buffer) => text, palmdoc: packPalmDoc, huffman: packHuffman }
