import * as fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { jpeg, png } from '../../../test/books/pictures.ts'
import { findImageHeader, headBytes, readImageHeader } from './header.ts'

const picture = jpeg({ width: 301, height: 199 })
const shown = { width: 301, height: 199 }

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** A HEIC has its boxes like this: tiles, the whole, how it is turned. */
const heic = (turns: number): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
    box(
      'meta',
      numbers(0),
      box('hdlr', Buffer.alloc(20)),
      box(
        'iprp',
        box(
          'ipco',
          box('ispe', numbers(0, 512, 512)),
          box('ispe', numbers(0, 4032, 3024)),
          box('irot', Buffer.from([turns])),
        ),
      ),
    ),
    box('mdat', Buffer.alloc(100)),
  ])

/** The bits of a JPEG XL from the lowest on. */
const codeStream = (...fields: [value: number, bits: number][]): Buffer => {
  const bits = fields.flatMap(([value, count]) =>
    Array.from({ length: count }, (_, bit) => Math.floor(value / 2 ** bit) & 1),
  )
  const bytes = Buffer.alloc(20)
  for (const [index, bit] of bits.entries()) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7))
  return Buffer.concat([Buffer.from([0xff, 0x0a]), bytes])
}
const jxlSignature = Buffer.from('\0\0\0\u000cJXL \r\n\u0087\n', 'latin1')

const bmp = (height: number): Buffer => {
  const bytes = Buffer.alloc(60)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(301, 18)
  bytes.writeInt32LE(height, 22)
  return bytes
}

test('LIB-3: each kind of picture is known by its bytes, with its size', async () => {
  const examples: [Buffer, string][] = [
    [picture, 'image/jpeg'],
    [await sharp(picture).jpeg({ progressive: true }).toBuffer(), 'image/jpeg'],
    [png(shown), 'image/png'],
    [await sharp(picture).webp().toBuffer(), 'image/webp'],
    [await sharp(picture).webp({ lossless: true }).toBuffer(), 'image/webp'],
    [await sharp(picture).ensureAlpha(0.5).webp().toBuffer(), 'image/webp'],
    [await sharp(picture).gif().toBuffer(), 'image/gif'],
    [await sharp(picture).tiff().toBuffer(), 'image/tiff'],
    [await sharp(picture).avif().toBuffer(), 'image/avif'],
    [bmp(199), 'image/bmp'],
    [bmp(-199), 'image/bmp'],
    [codeStream([0, 1], [0, 2], [198, 9], [0, 3], [0, 2], [300, 9], [1, 1]), 'image/jxl'],
    [
      Buffer.concat([
        jxlSignature,
        box('ftyp', Buffer.alloc(12)),
        box('jxlc', codeStream([0, 1], [1, 2], [198, 13], [0, 3], [2, 2], [300, 18], [1, 1])),
      ]),
      'image/jxl',
    ],
    [
      Buffer.concat([
        jxlSignature,
        box('jxlp', numbers(0), codeStream([0, 1], [3, 2], [198, 30], [0, 3], [0, 2], [300, 9], [1, 1])),
      ]),
      'image/jxl',
    ],
  ]

  for (const [bytes, mediaType] of examples) expect(readImageHeader(bytes)).toEqual({ mediaType, ...shown })
})

test('a JPEG XL whose width follows from its height', () => {
  const twoToOne = codeStream([1, 1], [24, 5], [7, 3], [1, 1])
  const untilTheEnd = Buffer.concat([jxlSignature, box('jxlc', twoToOne)])
  untilTheEnd.writeUInt32BE(0, jxlSignature.length)

  expect(readImageHeader(twoToOne)).toEqual({ mediaType: 'image/jxl', width: 400, height: 200 })
  expect(readImageHeader(untilTheEnd)).toEqual({ mediaType: 'image/jxl', width: 400, height: 200 })
  expect(readImageHeader(codeStream([1, 1], [24, 5], [7, 3], [0, 1], [1, 1], [5, 3]))).toEqual({
    mediaType: 'image/jxl',
    width: 200,
    height: 400,
  })
})

test('a picture that is shown turned has the size it is shown in', async () => {
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const bytes = jpeg({ ...shown, exif: { orientation } })
    const { autoOrient } = await sharp(bytes).metadata()
    expect(readImageHeader(bytes)).toEqual({
      mediaType: 'image/jpeg',
      width: autoOrient.width,
      height: autoOrient.height,
    })
  }
  const turned = await sharp(picture).withMetadata({ orientation: 6 }).tiff().toBuffer()
  expect(readImageHeader(turned)).toEqual({ mediaType: 'image/tiff', width: 199, height: 301 })
  expect(readImageHeader(heic(0))).toEqual({ mediaType: 'image/heic', width: 4032, height: 3024 })
  expect(readImageHeader(heic(1))).toEqual({ mediaType: 'image/heic', width: 3024, height: 4032 })
  expect(readImageHeader(heic(2))).toEqual({ mediaType: 'image/heic', width: 4032, height: 3024 })
})

test('the tables of a JPEG may stand before its size', () => {
  const table = Buffer.concat([Buffer.from([0xff, 0xc4, 0, 20]), Buffer.alloc(18, 1)])

  expect(readImageHeader(Buffer.concat([picture.subarray(0, 2), table, picture.subarray(2)]))).toEqual({
    mediaType: 'image/jpeg',
    ...shown,
  })
})

test('a size behind a long description is found by reading on, and no further than 256 KiB', async () => {
  const reads: number[] = []
  const find = (bytes: Buffer) => {
    reads.length = 0
    return findImageHeader(bytes.subarray(0, headBytes), (length) => {
      reads.push(length)
      return bytes.subarray(0, length)
    })
  }
  const described = jpeg({ ...shown, exif: { orientation: 6, length: 60_000 } })
  const segment = described.subarray(2, 2 + 60_004)
  const repeated = (times: number) =>
    Buffer.concat([described.subarray(0, 2), ...Array.from({ length: times }, () => segment), described.subarray(2)])

  expect(await find(described)).toEqual({ mediaType: 'image/jpeg', width: 199, height: 301 })
  expect(reads).toHaveLength(2)
  expect(await find(repeated(3))).toEqual({ mediaType: 'image/jpeg', width: 199, height: 301 })
  expect(await find(repeated(10))).toMatchObject({ mediaType: 'image/jpeg', width: null, height: null })
  expect(Math.max(...reads)).toBeLessThanOrEqual(256 * 1024)
  expect(reads.length).toBeLessThan(8)

  const tiff = await sharp(picture).tiff().toBuffer()
  expect(await find(tiff)).toEqual({ mediaType: 'image/tiff', ...shown })
  const farAway = Buffer.alloc(8000)
  farAway.write('II*\0', 'latin1')
  farAway.writeUInt32LE(300_000, 4)
  expect(await find(farAway)).toMatchObject({ mediaType: 'image/tiff', width: null })
  expect(reads).toEqual([])
  expect(await find(described.subarray(0, 30_000))).toMatchObject({ mediaType: 'image/jpeg', width: null })
})

test('T-15: what is no picture is none, whatever it is called; SVG is a document', () => {
  const others = [
    '',
    'a',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<!doctype html><script>1</script>',
    'GIF88a and more bytes',
    'BM is a fine beginning of a text',
    'RIFF....WAVEfmt and more',
    '%PDF-1.7 and more bytes',
    '\0\0\0\u0018ftypmp42\0\0\0\0mp42isom',
  ]

  for (const other of others) expect(readImageHeader(Buffer.from(other, 'latin1'))).toBeUndefined()
})

test('a picture that says it has no size has none', () => {
  expect(readImageHeader(png({ width: 0, height: 7 }))).toEqual({ mediaType: 'image/png', width: null, height: null })
  expect(readImageHeader(bmp(0))).toEqual({ mediaType: 'image/bmp', width: null, height: null })
})

test('no bytes break it', async () => {
  const beginnings = [
    picture,
    png(shown),
    heic(1),
    bmp(5),
    jxlSignature,
    await sharp(picture).webp().toBuffer(),
    await sharp(picture).avif().toBuffer(),
    (await sharp(picture).tiff().toBuffer()).subarray(0, 8),
  ]
  const anything = fc.tuple(fc.constantFrom(...beginnings), fc.nat(400), fc.uint8Array({ maxLength: 300 }))

  fc.assert(
    fc.property(anything, ([beginning, length, rest]) => {
      const header = readImageHeader(Buffer.concat([beginning.subarray(0, length), rest]))
      expect(header?.width === null).toBe(header?.height === null)
      expect(header?.width ?? 1).toBeGreaterThan(0)
    }),
    { numRuns: 5000 },
  )
})
