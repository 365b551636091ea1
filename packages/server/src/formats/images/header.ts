import { measureBoxed, measureJxl } from './boxed-header.ts'
import { measureJpeg, measureTiff } from './exif-header.ts'
import type { Measure } from './measure.ts'

/** The type of a picture follows from its first bytes; never from its name. */
export interface ImageHeader {
  readonly mediaType: string
  /** The size is the one shown: turned as the picture says. */
  readonly width: number | null
  readonly height: number | null
  /** The size is not known yet: this many bytes from the beginning would give more. */
  readonly needs?: number | undefined
}

/** Most pictures say what they are in this much; of a JPEG a long description may stand before the size. */
export const headBytes = 1024
const headBytesMax = 256 * 1024

/** Undefined for what is no picture a reader shows: SVG is a document. */
export const readImageHeader = (head: Buffer): ImageHeader | undefined => {
  const kind = kindOf(head)
  if (kind === undefined) return undefined
  const measure = kind.measure(head)
  if (measure === undefined) return { mediaType: kind.mediaType, width: null, height: null }
  if ('needs' in measure) return { mediaType: kind.mediaType, width: null, height: null, needs: measure.needs }
  const isTrue = measure.width > 0 && measure.height > 0
  return {
    mediaType: kind.mediaType,
    width: isTrue ? measure.width : null,
    height: isTrue ? measure.height : null,
  }
}

/**
 * It reads on as long as that helps and it is not too far. `readHead` gives fewer bytes only at the end of the picture.
 */
export const findImageHeader = async (
  head: Buffer,
  readHead: (length: number) => Buffer | Promise<Buffer>,
): Promise<ImageHeader | undefined> => {
  let headBytes = head
  for (;;) {
    const header = readImageHeader(headBytes)
    if (header?.needs === undefined || header.needs > headBytesMax) return header
    // The head grows at least by a factor of two: otherwise a picture of many small parts would be read many times.
    const longer = await readHead(Math.min(headBytesMax, Math.max(header.needs, 2 * headBytes.length)))
    if (longer.length <= headBytes.length) return header
    headBytes = longer
  }
}

interface Kind {
  readonly mediaType: string
  readonly measure: (head: Buffer) => Measure
}

const kindOf = (head: Buffer): Kind | undefined => {
  if (head.length < 12) return undefined
  if (head[0] === 0xff) return kindOfMarker(head)
  const stated = signatures.find(({ text }) => starts(head, text))?.kind
  if (stated === webp) return starts(head, 'WEBP', 8) ? webp : undefined
  if (stated === bmp) return isBmp(head) ? bmp : undefined
  return stated ?? kindOfBoxes(head)
}

const kindOfMarker = (head: Buffer): Kind | undefined => {
  if (head[1] === 0xd8 && head[2] === 0xff) return jpeg
  return head[1] === 0x0a ? jxl : undefined
}

const kindOfBoxes = (head: Buffer): Kind | undefined => {
  if (!starts(head, 'ftyp', 4)) return undefined
  const brands = head.toString('latin1', 8, Math.min(head.length, head.readUInt32BE(0)))
  // The general brands say only that pictures are inside; the others say how they are coded.
  if (/^(?:.{4})*?(?:avif|avis)/s.test(brands)) return avif
  return /^(?:.{4})*?(?:heic|heix|heim|heis|hevc|hevx|mif1|msf1)/s.test(brands) ? heic : undefined
}

const starts = (head: Buffer, text: string, index = 0): boolean =>
  head.toString('latin1', index, index + text.length) === text

const bmpHeaderSizes = new Set([12, 16, 40, 52, 56, 64, 108, 124])

/** Two letters are not enough: any text may begin with them. */
const isBmp = (head: Buffer): boolean =>
  starts(head, 'BM') && head.length >= 26 && head.readUInt32LE(6) === 0 && bmpHeaderSizes.has(head.readUInt32LE(14))

const measurePng = (head: Buffer): Measure =>
  head.length < 24 ? { needs: 24 } : { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }

const measureGif = (head: Buffer): Measure => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) })

const measureBmp = (head: Buffer): Measure =>
  head.readUInt32LE(14) === 12
    ? { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
    : { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) }

const measureWebp = (head: Buffer): Measure => {
  if (head.length < 30) return { needs: 30 }
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8X':
      return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) }
    default:
      return undefined
  }
}

const jpeg: Kind = { mediaType: 'image/jpeg', measure: measureJpeg }
const png: Kind = { mediaType: 'image/png', measure: measurePng }
const webp: Kind = { mediaType: 'image/webp', measure: measureWebp }
const gif: Kind = { mediaType: 'image/gif', measure: measureGif }
const bmp: Kind = { mediaType: 'image/bmp', measure: measureBmp }
const tiff: Kind = { mediaType: 'image/tiff', measure: measureTiff }
const avif: Kind = { mediaType: 'image/avif', measure: measureBoxed }
const heic: Kind = { mediaType: 'image/heic', measure: measureBoxed }
const jxl: Kind = { mediaType: 'image/jxl', measure: measureJxl }

const signatures: readonly { readonly text: string; readonly kind: Kind }[] = [
  { text: '\u0089PNG\r\n\u001a\n', kind: png },
  { text: 'RIFF', kind: webp },
  { text: 'GIF87a', kind: gif },
  { text: 'GIF89a', kind: gif },
  { text: 'BM', kind: bmp },
  { text: 'II*\0', kind: tiff },
  { text: 'MM\0*', kind: tiff },
  { text: '\0\0\0\u000cJXL \r\n\u0087\n', kind: jxl },
]
