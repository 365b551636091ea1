import { invalid } from '../errors.ts'

/** The file in the body of a request: the body itself, or the first file of a form in parts. */
export const uploadedFile = (body: Uint8Array, contentType: string): Buffer => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const boundary = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  return boundary ? fileOf(bytes, boundary[1] ?? boundary[2] ?? '') : bytes
}

const headEnd = Buffer.from('\r\n\r\n')

/** The first part that is a file. */
const fileOf = (body: Buffer, boundary: string): Buffer => {
  const mark = Buffer.from(`--${boundary}`)
  for (let position = body.indexOf(mark); position >= 0;) {
    const from = position + mark.length
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), from)
    if (next < 0) break
    const split = body.indexOf(headEnd, from)
    const head = split >= 0 && split < next ? body.toString('latin1', from, split) : ''
    if (/content-disposition:[^\r\n]*\bfilename\*?=/i.test(head)) return body.subarray(split + headEnd.length, next)
    position = next + 2
  }
  throw invalid('', 'There is no file in the form.')
}
