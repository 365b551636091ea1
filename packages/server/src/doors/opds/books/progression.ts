import { hash } from 'node:crypto'
import type { Locator, Progression, ReadiumLocator } from '@carrel/api'
import type { OpdsPositionUpdate, OpdsProgression, OpdsProgressionUpdate } from '@carrel/api/doors'
import type { Database, ReadDb } from '../../../database/database.ts'
import type { ContentsReading } from '../../../features/contents/contents.ts'
import {
  bookHref,
  fileInHref,
  pageInHref,
  type Reader,
  readProgression,
  saveProgression,
} from '../../../features/reading/reading.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Texts } from '../../../texts/texts.ts'
import { hrefOf, type FeedContext } from '../feed.ts'
import { isOffered } from '../offering.ts'

// OPDS Progression

export const readOpdsProgression = async (
  db: ReadDb,
  viewer: Viewer,
  bookId: string,
  texts: Texts,
): Promise<OpdsProgression | undefined> => {
  const standing = await readProgression(db, viewer, bookId)
  return standing && toOpds(standing, texts)
}

export const saveOpdsProgression = async (
  db: Database,
  { texts, ...reader }: Reader & { readonly texts: Texts },
  bookId: string,
  { modified, device, progression, references = [] }: OpdsProgressionUpdate,
): Promise<OpdsProgression> => {
  const position = references.map(pageInHref).find((page) => page !== undefined)
  const locator: ReadiumLocator = {
    href: bookHref(references[0] ?? ''),
    type: '',
    locations: { totalProgression: progression, ...(position !== undefined && { position }) },
  }
  await saveProgression(db, reader, bookId, { modified, device, locator, refused: 'older' })
  const standing = await readProgression(db.read, reader.viewer, bookId)
  if (!standing) throw notFound('progression')
  return toOpds(standing, texts)
}

const toOpds = ({ modified, device, locator }: Progression, { say }: Texts): OpdsProgression => {
  const { locations } = locator
  return {
    modified,
    device: { id: asUri(device.id), name: device.name || say('unknownDevice') },
    progression: locations?.totalProgression ?? 0,
    ...(locator.href !== '' && isReference(locator.href) && { references: [locator.href] }),
  }
}

/** Devices have names of all kinds with us, and an address here. */
const asUri = (id: string): string => {
  if (/^[a-z][a-z0-9+.-]*:[\w!$&'()*+,;=:@/?#%.~-]+$/i.test(id)) return id
  const digits = hash('sha256', `carrel device ${id}`, 'hex')
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
  return `urn:uuid:${groups.join('-')}-${digits.slice(20, 32)}`
}

const isReference = (href: string): boolean => /^[\w!$&'()*+,;=:@/?#%.~-]+$/.test(href)

// Readium progression

interface WhereParts {
  readonly contents: Pick<ContentsReading, 'positions'>
  readonly feedContext: FeedContext
}

/**
 * The position names the part of the book as the manifest has it: most clients have no use for a share of the whole.
 */
export const readOpdsPosition = async (
  db: ReadDb,
  viewer: Viewer,
  bookId: string,
  { contents, feedContext }: WhereParts,
): Promise<Progression | undefined> => {
  const standing = await readProgression(db, viewer, bookId)
  const book = hrefOf(feedContext, 'v2', { path: `/books/${bookId}/` })
  // A user who may not read the book has no use for the address of a part.
  if (!standing || !isOffered(feedContext, `${book}pages/1`)) return standing
  const locator = { ...standing.locator, href: bookHref(standing.locator.href) }
  const named = isOfManifest(locator.href) ? locator : inPart(locator, await positionsIn(contents, viewer, bookId))
  return named ? { ...standing, locator: { ...named, href: book + named.href } } : standing
}

const isOfManifest = (href: string): boolean => /^(?:resources|pages)\//.test(href)

/** There are none for a book whose file cannot be read just now. */
const positionsIn = async ({ positions }: WhereParts['contents'], viewer: Viewer, bookId: string) => {
  try {
    return (await positions(viewer, bookId)).positions
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

/** What names a file without its address, or nothing at all, is looked up. */
const inPart = (locator: ReadiumLocator, positions: readonly Locator[]): ReadiumLocator | undefined => {
  const { position = pageInHref(locator.href), totalProgression } = locator.locations ?? {}
  const arePages = positions[0]?.href.startsWith('pages/') === true
  const page = position ?? Math.max(1, Math.round((totalProgression ?? 0) * positions.length))
  const file = fileInHref(locator.href).normalize('NFC')
  const inFile = positions.filter(({ href }) => fileInHref(href).normalize('NFC') === file)
  const parts = inFile.length > 0 ? inFile : positions
  const part = arePages
    ? positions[Math.min(page, positions.length) - 1]
    : (parts.findLast(({ locations }) => (locations.totalProgression ?? 0) <= (totalProgression ?? 0)) ?? parts[0])
  if (!part) return undefined
  return { ...locator, href: part.href, type: part.type, locations: { ...part.locations, ...locator.locations } }
}

/** Some say a page by its fragment, or by its address, alone. */
export const saveOpdsPosition = async (
  db: Database,
  reader: Reader,
  bookId: string,
  { modified, device, locator }: OpdsPositionUpdate,
): Promise<undefined> => {
  const { locations = {} } = locator
  const hasPosition = locations.position !== undefined || locations.totalProgression !== undefined
  const page = hasPosition ? undefined : pageOf(locator)
  const href = bookHref(locator.href)
  const fullLocator = { ...locator, href, ...(page !== undefined && { locations: { ...locations, position: page } }) }
  await saveProgression(db, reader, bookId, { modified, device, locator: fullLocator, refused: 'older' })
  return undefined
}

const pageOf = ({ href, locations }: ReadiumLocator): number | undefined => {
  const fragments = (locations as { readonly fragments?: unknown } | undefined)?.fragments
  const texts = (Array.isArray(fragments) ? fragments : []).filter((each) => typeof each === 'string')
  for (const text of texts) {
    const page = pageInHref(`#${text.replace(/^#/, '')}`)
    if (page !== undefined) return page
  }
  return pageInHref(href)
}
