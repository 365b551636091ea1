import type { Locator, Progression, ReadiumLocator } from '@carrel/api'
import type { CompatProgression, CompatProgressionUpdate } from '@carrel/api/doors'
import { bookHref, fileInHref, pageInHref } from '../../../features/reading/reading.ts'
import { invalid } from '../../../platform/errors.ts'
import { timestamp } from '../spelling.ts'

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An application may write an address, or the name of a file, in which every sign is one of the name. */
const meantBy = (href: string): string[] => {
  const pathInBook = bookHref(href).replace(/^\/?(resources\/)?/, '')
  const readings = [pathInBook, pathInBook.replace(/#[^#]*$/, ''), fileInHref(href), decoded(pathInBook)]
  return readings.map((path) => path.normalize('NFC'))
}

/** It finds the file in reading order that the address means. */
const fileMeant = (href: string, spine: readonly string[]): string | undefined => {
  const files = new Map(spine.map((each) => [fileInHref(each).normalize('NFC'), each]))
  const path = meantBy(href).find((each) => files.has(each))
  return path === undefined ? undefined : files.get(path)
}

/** What was said as a page, as a percentage, or by the name of a file alone is looked up in the positions of the book. */
export const toCompatProgression = (
  { modified, device, locator }: Progression,
  book: Pick<BookPositions, 'pageCount' | 'positions'>,
): CompatProgression => {
  const { href, type, locations } = inText(locator, book) ?? locator
  const { progression, totalProgression } = locations ?? {}
  const position = locations?.position ?? pageInHref(href)
  const file = fileInHref(href)
  return {
    modified: timestamp(modified),
    device: { id: device.id, name: device.name ?? '' },
    locator: {
      href: file,
      type: file === '' ? '' : (type ?? ''),
      ...titleOf(locator),
      locations: {
        fragments: [],
        ...(position != null && { position }),
        ...(progression != null && { progression }),
        ...(totalProgression != null && { totalProgression }),
      },
    },
  }
}

const titleOf = (locator: ReadiumLocator): { title?: string } => {
  const { title } = locator as { readonly title?: unknown }
  return typeof title === 'string' ? { title } : {}
}

/** It says everything that is asked of a locator. */
export const isFull = ({ href, type, locations }: ReadiumLocator): boolean =>
  fileInHref(href) !== '' && !!type && locations?.progression != null

/** The nearest position before it, in its file if it names one; what the locator itself says of where that is goes first. */
const inText = (
  locator: ReadiumLocator,
  { pageCount, positions }: Pick<BookPositions, 'pageCount' | 'positions'>,
): ReadiumLocator | undefined => {
  if (isFull(locator)) return locator
  const file = fileInHref(locator.href).normalize('NFC')
  const inFile = file === '' ? positions : positions.filter(({ href }) => fileInHref(href).normalize('NFC') === file)
  const { position = pageInHref(locator.href), totalProgression } = locator.locations ?? {}
  const reached =
    position !== undefined && positions.length === pageCount
      ? inFile.find(({ locations }) => locations.position === position)
      : inFile.findLast(({ locations }) => (locations.totalProgression ?? 0) <= (totalProgression ?? -1))
  const nearest = reached ?? (file === '' ? undefined : inFile[0])
  return nearest && { ...locator, ...nearest, locations: { ...nearest.locations, ...locator.locations } }
}

interface BookPositions {
  /** 0 where pages depend on the screen. */
  readonly pageCount: number
  /** Where in its text; a book without text has none. */
  readonly positions: readonly Locator[]
  /** Its files in reading order, asides too. */
  readonly spine: readonly string[]
}

/** In a book of text the file and the progression in it are kept; in a book of pages the page, which text of pictures has too. */
export const toLocator = (
  { href, type, title, locations }: CompatProgressionUpdate['locator'],
  { pageCount, positions, spine }: BookPositions,
): ReadiumLocator => {
  const { position, progression, totalProgression } = locations ?? {}
  const described = { ...(title != null && { title }), type: type ?? '' }
  const file = fileMeant(href, spine)
  if (file === undefined && pageCount > 0) {
    if (position == null || position < 1 || position > pageCount)
      throw invalid('/locator/locations/position', `position must be between 1 and ${pageCount}.`)
    return { href: '', ...described, locations: { position, totalProgression: position / pageCount } }
  }
  if (file === undefined) throw invalid('/locator/href', 'This is no file of the book.')
  if (progression == null || progression < 0 || progression > 1)
    throw invalid('/locator/locations/progression', 'progression must be between 0 and 1.')
  const nearest = positions.findLast((each) => each.href === file && (each.locations.progression ?? 0) <= progression)
  const overall =
    inUnit(totalProgression) ?? (nearest ?? lastBefore(file, { positions, spine }))?.locations.totalProgression
  const page = pageCount === 0 ? undefined : (pageOf(file, { pageCount, spine }) ?? pageAt(overall ?? 0, pageCount))
  return {
    href: file,
    ...described,
    locations: { ...(page !== undefined && { position: page }), progression, totalProgression: overall ?? 0 },
  }
}

/** Text that is nothing but pictures has one in each file. */
const pageOf = (file: string, { pageCount, spine }: Pick<BookPositions, 'pageCount' | 'spine'>): number | undefined =>
  spine.length === pageCount ? spine.indexOf(file) + 1 : undefined

const pageAt = (share: number, pageCount: number): number => Math.min(pageCount, Math.floor(share * pageCount) + 1)

/** An aside has no positions of its own: whoever reads it stands where the text before it ends. */
const lastBefore = (file: string, { positions, spine }: Pick<BookPositions, 'positions' | 'spine'>) => {
  const before = new Set(spine.slice(0, spine.indexOf(file)))
  return positions.findLast(({ href }) => before.has(href))
}

const inUnit = (fraction: number | null | undefined): number | undefined =>
  fraction != null && fraction >= 0 && fraction <= 1 ? fraction : undefined
