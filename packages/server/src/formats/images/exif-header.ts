import { oriented, type Measure } from './measure.ts'

const frameHeaderLength = 9
const exifMark = 'Exif\0\0'

/** It walks the segments up to the first frame. The orientation stands in one before it. */
export const measureJpeg = (head: Buffer): Measure => {
  let position = 2
  let orientation = 1
  for (;;) {
    // A marker may be filled up with any number of these.
    while (head[position] === 0xff && head[position + 1] === 0xff) position += 1
    if (position + 4 > head.length) return { needs: position + 4 + frameHeaderLength }
    if (head[position] !== 0xff) return undefined
    const marker = head[position + 1] ?? 0
    const next = position + 2 + head.readUInt16BE(position + 2)
    if (isFrame(marker)) {
      if (position + frameHeaderLength > head.length) return { needs: position + frameHeaderLength }
      return oriented(head.readUInt16BE(position + 7), head.readUInt16BE(position + 5), orientation)
    }
    // The picture itself begins before anybody said how large it is.
    if (marker === 0xda || marker === 0xd9 || next < position + 4) return undefined
    if (next > head.length) return { needs: next + frameHeaderLength }
    if (marker === 0xe1 && head.toString('latin1', position + 4, position + 10) === exifMark) {
      orientation = readTags(head.subarray(position + 10, next))?.get(orientationTag) ?? orientation
    }
    position = next
  }
}

/** It recognises all start-of-frame markers; three codes between them mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const widthTag = 256
const heightTag = 257
const orientationTag = 274

export const measureTiff = (head: Buffer): Measure => {
  const position = directoryAt(head)
  if (position === undefined) return undefined
  if (position + 2 > head.length) return { needs: position + 2 }
  const end = position + 2 + tiffNumbers(head).short(position) * 12
  if (end > head.length) return { needs: end }
  const tags = readTags(head)
  const width = tags?.get(widthTag)
  const height = tags?.get(heightTag)
  return width === undefined || height === undefined
    ? undefined
    : oriented(width, height, tags?.get(orientationTag) ?? 1)
}

const tiffNumbers = (tiff: Buffer) =>
  tiff[0] === 0x49
    ? {
        short: (position: number) => tiff.readUInt16LE(position),
        long: (position: number) => tiff.readUInt32LE(position),
      }
    : {
        short: (position: number) => tiff.readUInt16BE(position),
        long: (position: number) => tiff.readUInt32BE(position),
      }

const directoryAt = (tiff: Buffer): number | undefined => {
  if (tiff.length < 8 || (tiff[0] !== 0x49 && tiff[0] !== 0x4d)) return undefined
  const { short, long } = tiffNumbers(tiff)
  return short(2) === 42 && long(4) >= 8 ? long(4) : undefined
}

const tagLength = 12
const shortType = 3
const longType = 4

/** The single numbers of the first directory; EXIF is a TIFF without a picture. */
const readTags = (tiff: Buffer): Map<number, number> | undefined => {
  const start = directoryAt(tiff)
  if (start === undefined || start + 2 > tiff.length) return undefined
  const { short, long } = tiffNumbers(tiff)
  const tags = new Map<number, number>()
  const end = start + 2 + short(start) * tagLength
  for (let position = start + 2; position < end && position + tagLength <= tiff.length; position += tagLength) {
    const type = short(position + 2)
    if (type === shortType) tags.set(short(position), short(position + 8))
    else if (type === longType) tags.set(short(position), long(position + 8))
  }
  return tags
}
