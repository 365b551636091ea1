import type { Metadata, Sharp } from 'sharp'
import { BookFault, type Picture } from '../formats/book-format.ts'
import { readImageHeader } from '../formats/images/header.ts'
import { loadSharp } from '../formats/images/load-sharp.ts'
import { bookLimits } from '../formats/limits.ts'

/** The limit holds for a picture while it is decoded. */
const decodedBytesMax = 512 * 1024 * 1024

export const openPicture = async (bytes: Buffer): Promise<{ readonly picture: Sharp; readonly metadata: Metadata }> => {
  const header = readImageHeader(bytes)
  if (!header) throw new BookFault('unsupported', 'It is not a picture of a known kind.')
  requireDecodable(header.width ?? 0, header.height ?? 0, 1)
  const sharp = await loadSharp()
  // The first picture of a moving one. What is only cut short is shown as far as it goes.
  const picture = sharp(bytes, {
    limitInputPixels: bookLimits.pixels,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  })
  try {
    const metadata = await picture.metadata()
    requireDecodable(metadata.width, metadata.height, metadata.isProgressive ? 2 : 1)
    return { picture: picture.autoOrient(), metadata }
  } catch (error) {
    throw asFault(error, header.mediaType)
  }
}

/** The check runs before anything is unpacked: a few bytes can claim to be sixty thousand pixels wide. */
const requireDecodable = (width: number, height: number, passes: number): void => {
  if (width * height > bookLimits.pixels)
    throw new BookFault('limit', `The picture is ${width} by ${height} pixels large.`)
  if (width * height * 4 * passes > decodedBytesMax)
    throw new BookFault('limit', 'The picture takes more memory than a book may.')
}

export const asFault = (error: unknown, mediaType: string): BookFault => {
  if (error instanceof BookFault) return error
  const { message } = error as Error
  return /unsupported|unknown|not supported|no decod/i.test(message)
    ? new BookFault('unsupported', `Pictures of the kind ${mediaType} cannot be converted here.`)
    : new BookFault('damaged', 'The picture is damaged.')
}

export interface PictureOptions {
  readonly width: number | null
  readonly format: 'jpeg' | 'webp' | 'avif' | 'png'
  readonly quality: number
}

/** It converts a picture to another size or format; colours become those every screen has, and metadata is dropped. */
export const convertPicture = async (bytes: Buffer, { width, format, quality }: PictureOptions): Promise<Picture> => {
  const { picture, metadata } = await openPicture(bytes)
  const sized = width === null ? picture : picture.resize({ width, withoutEnlargement: true })
  const opaque = format === 'jpeg' ? sized.flatten({ background: '#ffffff' }) : sized
  const options = { jpeg: { quality }, webp: { quality, effort: 2 }, avif: { quality: 55, effort: 2 }, png: {} }[format]
  try {
    return { mediaType: `image/${format}`, bytes: await opaque.toFormat(format, options).toBuffer() }
  } catch (error) {
    throw asFault(error, metadata.format)
  }
}
