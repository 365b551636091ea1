import { readImageHeader } from '../../formats/images/header.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { uploadedFile } from '../../platform/files/form-file.ts'

const bytesMax = 10 * 1024 * 1024
const accepted = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])

/** The picture in the body of a request: the body itself, or the file of a form in parts. By its bytes, never its name. */
export const uploadedPicture = (body: Uint8Array, contentType: string): Buffer => {
  const picture = uploadedFile(body, contentType)
  if (picture.length === 0) throw invalid('', 'There is no picture in the body.')
  if (picture.length > bytesMax) throw new AppError('payload_too_large', 'A cover may have up to 10 MiB.')
  const kind = readImageHeader(picture)?.mediaType
  if (kind === undefined || !accepted.has(kind))
    throw new AppError('unsupported_media_type', 'A cover is a JPEG, PNG, WebP, GIF or AVIF.')
  return picture
}
