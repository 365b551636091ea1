import type { FileFormat } from '@carrel/api'
import {
  BookFault,
  type Fault,
  type FaultCode,
  type Fingerprints,
  type MetadataLayer,
  type OpenBook,
  type Page,
  type PageLocation,
} from './book-format.ts'
import { findImageHeader, headBytes } from './images/header.ts'
import { bookLimits } from './limits.ts'
import { comicInfoLayer } from './metadata/comic-info.ts'
import { findComicInfo, inReadingOrder, isNamedAsPicture, promisedMediaType, type Member } from './picture-members.ts'

/** It is anything that holds the pictures of a book. */
export interface PictureSource<Named extends Member> {
  readonly format: FileFormat
  /** Files only, in any order. */
  readonly members: readonly Named[]
  readonly warnings: readonly Fault[]
  /**
   * It reads the first bytes of a member and, where that is known, the place of all of them. It is undefined when that
   * would cost too much, and the name must do.
   */
  readHead(member: Named, length: number): PictureHead | undefined | Promise<PictureHead | undefined>
  /** It reads all bytes of a member and checks them. */
  read(member: Named, bytesMax: number): Buffer | Promise<Buffer>
  /** The members that are named as pictures are given in reading order. */
  fingerprints(pictures: readonly Named[]): Fingerprints | Promise<Fingerprints>
  close(): void
}

export interface PictureHead {
  readonly head: Buffer
  readonly location?: PageLocation | undefined
}

/** A book whose pages are the pictures of an archive or a folder. */
export const openPictureBook = <Named extends Member>(source: PictureSource<Named>): OpenBook => {
  const candidates = inReadingOrder(source.members.filter(isNamedAsPicture))
  if (candidates.length === 0) throw new BookFault('empty', 'There are no pictures in it')
  if (candidates.length > bookLimits.pages) {
    throw new BookFault('limit', `It has ${candidates.length} pages; up to ${bookLimits.pages} are read`)
  }
  const warnings = [...source.warnings]
  let listing: Promise<readonly Listed<Named>[]> | undefined
  const list = (): Promise<readonly Listed<Named>[]> => (listing ??= listPages(source, candidates, warnings))

  let description: Promise<MetadataLayer | undefined> | undefined
  const describe = (): Promise<MetadataLayer | undefined> => (description ??= readDescription(source, warnings))

  const readPage: OpenBook['readPage'] = async (number) => {
    const listed = (await list())[number - 1]
    if (listed === undefined) throw new BookFault('damaged', `It has no page ${number}`)
    return { mediaType: listed.page.mediaType, bytes: await source.read(listed.member, bookLimits.entryBytes) }
  }
  return {
    format: source.format,
    warnings,
    pages: async () => (await list()).map(({ page }) => page),
    readPage,
    readCover: async () => readPage(coverPage(await list(), await describe())),
    metadata: async () => {
      const layer = await describe()
      return layer === undefined ? [] : [layer]
    },
    fingerprints: async () => source.fingerprints(candidates),
    close: source.close,
  }
}

/** The first page, unless the book says that it is another one it has. */
const coverPage = (listed: readonly unknown[], layer: MetadataLayer | undefined): number => {
  const stated = layer?.book.coverPage
  return stated !== undefined && stated <= listed.length ? stated : 1
}

/** A description that cannot be read is no reason to lose the book. */
const readDescription = async <Named extends Member>(
  source: PictureSource<Named>,
  warnings: Fault[],
): Promise<MetadataLayer | undefined> => {
  const member = findComicInfo(source.members)
  if (member === undefined) return undefined
  try {
    return comicInfoLayer(await source.read(member, bookLimits.xmlBytes))
  } catch (error) {
    if (!(error instanceof BookFault)) throw error
    warn(warnings, error.code, `${error.message}: ${JSON.stringify(member.name)}`)
    return undefined
  }
}

interface Listed<Named> {
  readonly member: Named
  readonly page: Page
}

const listPages = async <Named extends Member>(
  source: PictureSource<Named>,
  candidates: readonly Named[],
  warnings: Fault[],
): Promise<readonly Listed<Named>[]> => {
  const listed: Listed<Named>[] = []
  for (const member of candidates) {
    const page = await inspectPage(source, member, warnings)
    if (page !== undefined) listed.push({ member, page })
  }
  if (listed.length === 0) throw new BookFault('empty', 'There are no pictures in it')
  return listed
}

/**
 * A member named like a picture that is none is no page. One that cannot be read stays, so that the others keep their
 * numbers and a reader who turns to it sees the error.
 */
const inspectPage = async <Named extends Member>(
  source: PictureSource<Named>,
  member: Named,
  warnings: Fault[],
): Promise<Page | undefined> => {
  const { name, size } = member
  try {
    const pictureHead = await source.readHead(member, headBytes)
    if (pictureHead === undefined) return unseenPage(member)
    const { head, location } = pictureHead
    const header = await findImageHeader(head, async (length) => (await source.readHead(member, length))?.head ?? head)
    if (header !== undefined) {
      return { name, mediaType: header.mediaType, width: header.width, height: header.height, size, location }
    }
    warn(warnings, 'damaged', `No picture, whatever its name says: ${JSON.stringify(name)}`)
    return undefined
  } catch (error) {
    if (!(error instanceof BookFault)) throw error
    warn(warnings, error.code, `${error.message}: ${JSON.stringify(name)}`)
    return unseenPage(member)
  }
}

const unseenPage = ({ name, size }: Member): Page => {
  return { name, mediaType: promisedMediaType(name) ?? 'application/octet-stream', width: null, height: null, size }
}

/** Nobody needs to read more warnings to understand. */
const warningsMax = 20

const warn = (warnings: Fault[], code: FaultCode, message: string): void => {
  if (warnings.length < warningsMax) warnings.push({ code, message })
}
