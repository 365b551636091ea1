import { crc32, deflateSync } from 'node:zlib'

export interface PictureOptions {
  readonly width: number
  readonly height: number
  /** A different seed gives a different picture. */
  readonly seed?: number
  /**
   * It is the amount of detail, 0 to 60: each step is up to a byte for 64 pixels. The default makes pages of usual
   * size.
   */
  readonly detail?: number
  /** EXIF before the picture: the orientation, and how many bytes it is padded to. */
  readonly exif?: { readonly orientation?: number; readonly length?: number }
}

/** The same numbers for the same seed, everywhere. */
export const randomFrom = (seed: number): (() => number) => {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * A baseline JPEG in colour that every decoder shows: panels of different grey and tint with some noise in them. Its
 * blocks are made up as coefficients, so that nothing has to be transformed: 2,000 by 3,000 pixels take milliseconds.
 */
export const jpeg = ({ width, height, seed = 1, detail = 6, exif }: PictureOptions): Buffer => {
  const random = randomFrom(seed)
  const bits = bitWriter(Math.ceil((width * height * (detail + 4)) / 32) + 1024)
  const [columns, rows] = [Math.ceil(width / 8), Math.ceil(height / 8)]
  const panels = Array.from({ length: 16 }, () => [random() * 160 - 80, random() * 60 - 30, random() * 60 - 30])
  const previous = [0, 0, 0]
  for (let block = 0; block < rows * columns; block += 1) {
    const [down, across] = [Math.floor(block / columns) / rows, (block % columns) / columns]
    const panel = panels[Math.floor(down * 4) * 4 + Math.floor(across * 4)] ?? []
    for (let component = 0; component < 3; component += 1) {
      const value = Math.round(panel[component] ?? 0)
      writeDc(bits, value - (previous[component] ?? 0))
      previous[component] = value
      if (component === 0) writeNoise(bits, detail, random)
      bits.put(acCode(0), 5)
    }
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    exif === undefined ? Buffer.alloc(0) : exifSegment(exif),
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 8)])),
    segment(0xc0, frame(width, height)),
    segment(0xc4, huffmanTable(0x00, 4, dcSymbols)),
    segment(0xc4, huffmanTable(0x10, 5, acSymbols)),
    segment(0xda, Buffer.from([3, 1, 0, 2, 0, 3, 0, 0, 63, 0])),
    bits.end(),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** 200 by 300 pixels in a few kilobytes: for libraries of very many books. */
export const tinyJpeg = (seed: number): Buffer => jpeg({ width: 200, height: 300, seed, detail: 3 })

/** Grey, 8 bits. */
export const png = ({ width, height, seed = 1 }: PictureOptions): Buffer => {
  const random = randomFrom(seed)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    const start = y * (width + 1)
    rows.fill(Math.floor(random() * 256), start + 1, start + 1 + width)
  }
  return pngOf({ width, height, kind: 0, rows })
}

/** All of it has this colour, `#rrggbb`. */
export const plainPng = ({
  width,
  height,
  colour,
}: Pick<PictureOptions, 'width' | 'height'> & { readonly colour: string }): Buffer => {
  const row = Buffer.concat([Buffer.alloc(1), Buffer.from(colour.slice(1).repeat(width), 'hex')])
  return pngOf({ width, height, kind: 2, rows: Buffer.concat(Array.from({ length: height }, () => row)) })
}

interface PngParts {
  readonly width: number
  readonly height: number
  /** How the format counts kinds of colour: grey 0, red with green and blue 2. */
  readonly kind: number
  readonly rows: Buffer
}

const pngOf = ({ width, height, kind, rows }: PngParts): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  header.writeUInt8(kind, 9)
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const frame = (width: number, height: number): Buffer => {
  const bytes = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
  bytes.writeUInt16BE(height, 1)
  bytes.writeUInt16BE(width, 3)
  return bytes
}

const exifSegment = ({ orientation = 1, length = 0 }: { orientation?: number; length?: number }): Buffer => {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(274, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  return segment(0xe1, Buffer.concat([data, Buffer.alloc(Math.max(0, length - data.length))]))
}

/** All codes of a table are equally long: not the smallest file, but the simplest. */
const huffmanTable = (id: number, length: number, symbols: readonly number[]): Buffer => {
  const counts = Buffer.alloc(16)
  counts.writeUInt8(symbols.length, length - 1)
  return Buffer.concat([Buffer.from([id]), counts, Buffer.from(symbols)])
}

const dcSymbols = Array.from({ length: 12 }, (_, size) => size)
/** The end of a block; then runs of up to 3 zeros before a number of 1 to 4 bits. */
const acSymbols = [0, ...Array.from({ length: 16 }, (_, index) => ((index >> 2) << 4) | ((index & 3) + 1))]
const acCode = (symbol: number): number => acSymbols.indexOf(symbol)

type BitWriter = ReturnType<typeof bitWriter>

const writeDc = (bits: BitWriter, difference: number): void => {
  const size = 32 - Math.clz32(Math.abs(difference))
  bits.put(size, 4)
  bits.put(difference > 0 ? difference : difference + (1 << size) - 1, size)
}

const writeNoise = (bits: BitWriter, detail: number, random: () => number): void => {
  for (let index = 0; index < Math.min(60, detail); index += 1) {
    // Three bits of value, no run of zeros before.
    bits.put(3, 5)
    bits.put(Math.floor(random() * 8), 3)
  }
}

const bitWriter = (capacity: number) => {
  let bytes = Buffer.allocUnsafe(capacity)
  let length = 0
  let pending = 0
  let count = 0
  const push = (byte: number): void => {
    if (length + 2 > bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)])
    bytes[length++] = byte
    if (byte === 0xff) bytes[length++] = 0
  }
  return {
    put: (value: number, width: number): void => {
      pending = (pending << width) | value
      count += width
      while (count >= 8) {
        count -= 8
        push((pending >>> count) & 0xff)
        pending &= (1 << count) - 1
      }
    },
    end: (): Buffer => {
      if (count > 0) push(((pending << (8 - count)) | ((1 << (8 - count)) - 1)) & 0xff)
      return bytes.subarray(0, length)
    },
  }
}
