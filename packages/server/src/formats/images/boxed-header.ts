import { oriented, type Measure } from './measure.ts'

interface Box {
  readonly type: string
  readonly start: number
  /** May lie beyond what is known. */
  readonly end: number
}

/** The boxes side by side in a part of the file, as far as their headers are known. */
const boxesIn = function* (bytes: Buffer, from: number, to: number): Generator<Box> {
  let position = from
  while (position + 8 <= Math.min(to, bytes.length)) {
    const type = bytes.toString('latin1', position + 4, position + 8)
    let size = bytes.readUInt32BE(position)
    let start = position + 8
    if (size === 1) {
      if (position + 16 > bytes.length) return
      size = Number(bytes.readBigUInt64BE(position + 8))
      start = position + 16
    }
    // Zero: up to the end.
    const end = size === 0 ? to : position + size
    if (end < start) return
    yield { type, start, end }
    position = end
  }
}

/**
 * AVIF and HEIC. The picture may be put together of tiles and have a thumbnail beside it, each with a size of its own:
 * the largest is the picture's. They are all turned alike.
 */
export const measureBoxed = (head: Buffer): Measure => {
  let last = 0
  for (const box of boxesIn(head, 0, Infinity)) {
    if (box.type === 'meta') return box.end > head.length ? { needs: box.end } : measureProperties(head, box)
    last = box.end
  }
  return Number.isFinite(last) && last + 16 > head.length ? { needs: last + 16 } : undefined
}

const measureProperties = (head: Buffer, meta: Box): Measure => {
  let largest = { width: 0, height: 0 }
  let isTurned = false
  for (const { type, start, end } of propertiesIn(head, meta)) {
    if (type === 'ispe' && end - start >= 12) {
      const size = { width: head.readUInt32BE(start + 4), height: head.readUInt32BE(start + 8) }
      if (size.width * size.height > largest.width * largest.height) largest = size
    }
    if (type === 'irot' && end > start) isTurned = ((head[start] ?? 0) & 1) === 1
  }
  return oriented(largest.width, largest.height, isTurned ? 6 : 1)
}

const propertiesIn = (head: Buffer, meta: Box): Box[] => {
  // A version and flags stand before what is in it.
  const ofPicture = within(head, [{ ...meta, start: meta.start + 4 }], 'iprp')
  const properties = within(head, ofPicture, 'ipco').flatMap(({ start, end }) => [...boxesIn(head, start, end)])
  return properties.filter(({ end }) => end <= head.length)
}

const within = (head: Buffer, outer: readonly Box[], boxType: string): Box[] =>
  outer.flatMap(({ start, end }) => [...boxesIn(head, start, end)].filter(({ type }) => type === boxType))

const signatureLength = 2
/** No size of a picture takes more. */
const sizeHeaderBytes = 16

/** JPEG XL: the bare code stream, or one in a box. */
export const measureJxl = (head: Buffer): Measure => {
  const start = codeStreamAt(head)
  if (typeof start !== 'number') return start
  const end = start + sizeHeaderBytes
  return end > head.length ? { needs: end } : measureCodeStream(head.subarray(start + signatureLength, end))
}

const codeStreamAt = (head: Buffer): number | Measure => {
  if (head[0] === 0xff) return 0
  let last = 0
  for (const { type, start, end } of boxesIn(head, 0, Infinity)) {
    if (type === 'jxlc') return start
    // A part of several has its number first.
    if (type === 'jxlp') return start + 4
    last = end
  }
  return Number.isFinite(last) && last + 16 > head.length ? { needs: last + 16 + sizeHeaderBytes } : undefined
}

/** Width for height, where the width is not written. */
const ratios = [
  [1, 1],
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
] as const

const measureCodeStream = (bytes: Buffer): Measure => {
  const take = bitReader(bytes)
  const isSmall = take(1) === 1
  const readSize = (): number => 1 + (isSmall ? take(5) * 8 + 7 : take([9, 13, 18, 30][take(2)] ?? 0))
  const height = readSize()
  const ratio = take(3)
  const [over, under] = ratios[ratio] ?? [1, 1]
  const width = ratio === 0 ? readSize() : Math.floor((height * over) / under)
  const hasAllDefaults = take(1) === 1
  const orientation = !hasAllDefaults && take(1) === 1 ? 1 + take(3) : 1
  return oriented(width, height, orientation)
}

/** Bits from the lowest of each byte on; zeros after the end. */
const bitReader = (bytes: Buffer): ((count: number) => number) => {
  let position = 0
  return (count) => {
    let value = 0
    for (let bit = 0; bit < count; bit += 1, position += 1) {
      value += (((bytes[position >> 3] ?? 0) >> (position & 7)) & 1) * 2 ** bit
    }
    return value
  }
}
