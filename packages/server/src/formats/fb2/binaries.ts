import { BookFault, type Picture, type ResourceLink } from '../book-format.ts'
import { attributeOf, type Tag, tagsOf } from '../flowing/tags.ts'
import { headBytes, readImageHeader } from '../images/header.ts'
import { bookLimits } from '../limits.ts'

/** The pictures of a FictionBook, which stand at its end as base64. */
export interface Binaries {
  /** It returns the name in the book of the picture with this id. */
  nameOf(id: string): string | undefined
  all(): readonly ResourceLink[]
  read(name: string): Buffer | undefined
  picture(id: string): Picture | undefined
}

interface Binary {
  readonly id: string
  readonly name: string
  readonly mediaType: string
  readonly start: number
  readonly end: number
}

/** The bytes without their pictures, and where those are. Found among bytes: text of such length is never made of them. */
export const takeBinaries = (bytes: Buffer): { readonly text: Buffer; readonly binaries: Binaries } => {
  const parts: Buffer[] = []
  const binaries: Binary[] = []
  let totalBytes = 0
  let number = 0
  for (let position = bytes.indexOf('<binary'); position !== -1; position = bytes.indexOf('<binary', totalBytes)) {
    number += 1
    if (number > bookLimits.entries)
      throw new BookFault('limit', `The FictionBook has more than ${bookLimits.entries} pictures`)
    const start = bytes.indexOf('>', position) + 1
    const closing = start === 0 ? -1 : bytes.indexOf('</binary', start)
    const end = closing === -1 ? bytes.length : closing
    const [tag] = start === 0 ? [] : tagsOf(bytes.toString('utf8', position, Math.min(start, position + 4096)))
    const ending = closing === -1 ? -1 : bytes.indexOf('>', closing)
    parts.push(bytes.subarray(totalBytes, position))
    totalBytes = ending === -1 ? bytes.length : ending + 1
    const binary = tag?.name === 'binary' ? binaryOf(bytes, tag, { number, start, end }) : undefined
    if (binary !== undefined) binaries.push(binary)
  }
  return { text: Buffer.concat([...parts, bytes.subarray(totalBytes)]), binaries: binariesIn(bytes, binaries) }
}

/** The head is in base64, with line breaks. */
const headLength = headBytes * 1.5

/** The content decides, not the stated type. It is undefined when it is no picture. */
const binaryOf = (
  bytes: Buffer,
  tag: Tag,
  { number, start, end }: { number: number; start: number; end: number },
): Binary | undefined => {
  const head = Buffer.from(bytes.toString('latin1', start, Math.min(end, start + headLength)), 'base64')
  const mediaType = readImageHeader(head)?.mediaType
  if (mediaType === undefined) return undefined
  const extension = mediaType.slice('image/'.length).replace('jpeg', 'jpg')
  const name = `image${String(number).padStart(4, '0')}.${extension}`
  return { id: attributeOf(tag, 'id') ?? '', name, mediaType, start, end }
}

const binariesIn = (bytes: Buffer, binaries: readonly Binary[]): Binaries => {
  const byId = new Map(binaries.toReversed().map((each) => [each.id, each]))
  const byName = new Map(binaries.map((each) => [each.name, each]))
  const decode = ({ start, end }: Binary): Buffer => {
    if (end - start > (bookLimits.entryBytes / 3) * 4)
      throw new BookFault('limit', `A picture has more than ${bookLimits.entryBytes} bytes`)
    return Buffer.from(bytes.toString('latin1', start, end), 'base64')
  }
  return {
    nameOf: (id) => byId.get(id)?.name,
    all: () => binaries.map(({ name, mediaType }) => ({ href: name, mediaType })),
    read: (name) => {
      const binary = byName.get(name)
      return binary && decode(binary)
    },
    picture: (id) => {
      const binary = byId.get(id)
      const picture = binary && decode(binary)
      const mediaType = picture && readImageHeader(picture)?.mediaType
      return picture === undefined || mediaType === undefined ? undefined : { mediaType, bytes: picture }
    },
  }
}
