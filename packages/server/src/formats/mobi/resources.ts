import type { Picture, ResourceLink } from '../book-format.ts'
import { fontType } from '../flowing/fonts.ts'
import { ifSound } from '../if-sound.ts'
import { headBytes, readImageHeader } from '../images/header.ts'
import { fontRecordHead, isFontRecord, readFontRecord } from './font-record.ts'
import type { PalmDatabase } from './palm-database.ts'

/** Pictures and fonts of a book: records that the text knows by their numbers, from 1 on. */
export interface MobiResources {
  /** It returns the record's name in the book; undefined when it is neither picture nor font. */
  nameOf(number: number): string | undefined
  all(): readonly ResourceLink[]
  read(name: string): Buffer | undefined
  picture(number: number): Picture | undefined
}

interface NamedResource {
  readonly name: string
  readonly mediaType: string
}

export const mobiResources = (
  database: PalmDatabase,
  { first, end }: { first: number | undefined; end: number },
): MobiResources => {
  const cached = new Map<number, NamedResource | undefined>()
  const count = first === undefined ? 0 : Math.max(0, Math.min(end, database.count) - first)
  const recordOf = (number: number): number => (first ?? 0) + number - 1
  const isThere = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= count
  const findResource = (number: number): NamedResource | undefined => {
    if (!isThere(number)) return undefined
    if (!cached.has(number))
      cached.set(
        number,
        ifSound(() => whatItIs(database, recordOf(number), number)),
      )
    return cached.get(number)
  }
  return {
    nameOf: (number) => findResource(number)?.name,
    all: () =>
      Array.from({ length: count }, (_, index) => findResource(index + 1)).flatMap((each) =>
        each === undefined ? [] : [{ href: each.name, mediaType: each.mediaType }],
      ),
    read: (name) => {
      const number = Number(/^(?:image|font)(\d{4,5})\.[a-z\d]+$/.exec(name)?.[1])
      if (findResource(number)?.name !== name) return undefined
      const record = database.read(recordOf(number))
      return isFontRecord(record) ? readFontRecord(record) : record
    },
    picture: (number) => {
      const bytes = isThere(number) ? database.read(recordOf(number)) : undefined
      const mediaType = bytes && readImageHeader(bytes)?.mediaType
      return bytes === undefined || mediaType === undefined ? undefined : { mediaType, bytes }
    },
  }
}

const whatItIs = (database: PalmDatabase, record: number, number: number): NamedResource | undefined => {
  const head = database.read(record, headBytes)
  const digits = String(number).padStart(4, '0')
  const picture = readImageHeader(head)?.mediaType
  if (picture !== undefined) {
    const extension = picture.slice('image/'.length).replace('jpeg', 'jpg')
    return { name: `image${digits}.${extension}`, mediaType: picture }
  }
  const font = isFontRecord(head) ? fontType(fontRecordHead(head)) : undefined
  return font === undefined ? undefined : { name: `font${digits}.${font.slice('font/'.length)}`, mediaType: font }
}
