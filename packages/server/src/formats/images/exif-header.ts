import { oriented, type Measure } from './measure.ts'

const frameHeaderLength = 9
const exifMark = 'Exif\0\0'

/** It walks the segments up to the first frame. The orientation stands in one before it. */
export const measureJpeg = (head: Buffer): Measure => {
  let at = 2
  let orientation = 1
  for (;;) {
    // A marker may be filled up with any number of these.
    while (head[at] === 0xff && head[at + 1] === 0xff) at += 1
    if (at + 4 > head.length) return { needs: at + 4 + frameHeaderLength }
    if (head[at] !== 0xff) return undefined
    const marker = head[at + 1] ?? 0
    const next = at + 2 + head.readUInt16BE(at + 2)
    if (isFrame(marker)) {
      if (at + frameHeaderLength > head.length) return { needs: at + frameHeaderLength }
      return oriented(head.readUInt16BE(at + 7), head.readUInt16BE(at + 5), orientation)
    }
    // The picture itself begins before anybody said how large it is.
    if (marker === 0xda || marker === 0xd9 || next < at + 4) return undefined
    if (next > head.length) return { needs: next + frameHeaderLength }
    if (marker === 0xe1 && head.toString('latin1', at + 4, at + 10) === exifMark) {
      orientation = readTags(head.subarray(at + 10, next))?.get(orientationTag) ?? orientation
    }
    at = next
  }
}

/** It recognises all start-of-frame markers; three codes between them mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const widthTag = 256
const heightTag = 257
const orientationTag = 274

export const measureTiff = (head: Buffer): Measure => {
  const at = directoryAt(head)
  if (at === undefined) return undefined
  if (at + 2 > head.length) return { needs: at + 2 }
  const end = at + 2 + tiffNumbers(head).short(at) * 12
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
    ? { short: (at: number) => tiff.readUInt16LE(at), long: (at: number) => tiff.readUInt32LE(at) }
    : { short: (at: number) => tiff.readUInt16BE(at), long: (at: number) => tiff.readUInt32BE(at) }

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
  for (let at = start + 2; at < end && at + tagLength <= tiff.length; at += tagLength) {
    const type = short(at + 2)
    if (type === shortType) tags.set(short(at), short(at + 8))
    else if (type === longType) tags.set(short(at), long(at + 8))
  }
  return tags
}
