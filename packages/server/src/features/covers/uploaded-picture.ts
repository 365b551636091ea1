import { readImageHeader } from '../../formats/images/header.ts'
import { AppError, invalid } from '../../platform/errors.ts'

const bytesMax = 10 * 1024 * 1024
const accepted = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])

/** The picture in the body of a request: the body itself, or the file of a form in parts. By its bytes, never its name. */
export const uploadedPicture = (body: Uint8Array, contentType: string): Buffer => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const boundary = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const picture = boundary ? fileOf(bytes, boundary[1] ?? boundary[2] ?? '') : bytes
  if (picture.length === 0) throw invalid('', 'There is no picture in the body.')
  if (picture.length > bytesMax) throw new AppError('payload_too_large', 'A cover may have up to 10 MiB.')
  const kind = readImageHeader(picture)?.mediaType
  if (kind === undefined || !accepted.has(kind))
    throw new AppError('unsupported_media_type', 'A cover is a JPEG, PNG, WebP, GIF or AVIF.')
  return picture
}

const headEnd = Buffer.from('\r\n\r\n')

/** The first part that is a file. */
const fileOf = (body: Buffer, boundary: string): Buffer => {
  const mark = Buffer.from(`--${boundary}`)
  for (let at = body.indexOf(mark); at >= 0;) {
    const from = at + mark.length
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), from)
    if (next < 0) break
    const split = body.indexOf(headEnd, from)
    const head = split >= 0 && split < next ? body.toString('latin1', from, split) : ''
    if (/content-disposition:[^\r\n]*\bfilename\*?=/i.test(head)) return body.subarray(split + headEnd.length, next)
    at = next + 2
  }
  throw invalid('', 'There is no file in the form.')
}
