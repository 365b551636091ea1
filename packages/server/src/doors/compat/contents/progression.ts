import type { Locator, Progression, ReadiumLocator } from '@carrel/api'
import type { CompatProgression, CompatProgressionUpdate } from '@carrel/api/doors'
import { AppError, invalid } from '../../../platform/errors.ts'
import { timestamp } from '../spelling.ts'

/** The file of a book that a locator of ours leads to, by its name: these applications know files by those. */
export const pathIn = (href: string): string => decoded(withoutFragment(inBook(href)))

/** The prefix before the file is the address of the book at any of our doors. */
const inBook = (href: string): string =>
  href
    .replace(/^.*\/books\/[^/]+\/resources?\//, '')
    .replace(/^\//, '')
    .replace(/^resources\//, '')

const withoutFragment = (href: string): string => href.replace(/[#?].*$/s, '')

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An application may write an address, or the name of a file, in which every sign is one of the name. */
const meantBy = (href: string): string[] => {
  const pathInBook = inBook(href)
  const readings = [
    pathInBook,
    pathInBook.replace(/#[^#]*$/, ''),
    decoded(withoutFragment(pathInBook)),
    decoded(pathInBook),
  ]
  return readings.map((path) => path.normalize('NFC'))
}

/** It finds the file in reading order that the address means. */
const fileMeant = (href: string, spine: readonly string[]): string | undefined => {
  const files = new Map(spine.map((each) => [pathIn(each).normalize('NFC'), each]))
  const path = meantBy(href).find((each) => files.has(each))
  return path === undefined ? undefined : files.get(path)
}

/** A position stored as a page or percentage is looked up in the positions of the book. */
export const toCompatProgression = (
  { modified, device, locator }: Progression,
  positions: readonly Locator[],
): CompatProgression => {
  const { href, type, locations } = withPath(locator, positions)
  const { position, progression, totalProgression } = locations ?? {}
  return {
    modified: timestamp(modified),
    device: { id: device.id, name: device.name ?? '' },
    locator: {
      href: pathIn(href),
      type: type ?? '',
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

const withPath = (locator: ReadiumLocator, positions: readonly Locator[]): ReadiumLocator => {
  if (locator.href !== '') return locator
  const totalProgression = locator.locations?.totalProgression
  const nearest =
    totalProgression == null
      ? undefined
      : positions.findLast(({ locations }) => (locations.totalProgression ?? 0) <= totalProgression)
  return nearest ? { ...nearest, locations: { ...nearest.locations, ...locator.locations } } : locator
}

interface BookPositions {
  readonly pageCount: number
  /** A book of pages has none. */
  readonly positions: readonly Locator[]
  /** Its files in reading order, asides too. */
  readonly spine: readonly string[]
}

/** In a book of pages only the page of a locator is kept; in other books the file and the progression in it. */
export const toLocator = (
  { href, type, title, locations }: CompatProgressionUpdate['locator'],
  { pageCount, positions, spine }: BookPositions,
): ReadiumLocator => {
  const { position, progression, totalProgression } = locations ?? {}
  const described = { ...(title != null && { title }), type: type ?? '' }
  if (positions.length === 0) {
    if (position == null || position < 1 || position > pageCount)
      throw invalid('/locator/locations/position', `position must be between 1 and ${pageCount}.`)
    return { href: '', ...described, locations: { position, totalProgression: position / pageCount } }
  }
  const file = fileMeant(href, spine)
  if (file === undefined) throw invalid('/locator/href', 'This is no file of the book.')
  if (progression == null || progression < 0 || progression > 1)
    throw invalid('/locator/locations/progression', 'progression must be between 0 and 1.')
  const nearest = positions.findLast((each) => each.href === file && (each.locations.progression ?? 0) <= progression)
  const overall =
    inUnit(totalProgression) ?? (nearest ?? lastBefore(file, { positions, spine }))?.locations.totalProgression
  return { href: file, ...described, locations: { progression, totalProgression: overall ?? 0 } }
}

/** An aside has no positions of its own: whoever reads it stands where the text before it ends. */
const lastBefore = (file: string, { positions, spine }: Pick<BookPositions, 'positions' | 'spine'>) => {
  const before = new Set(spine.slice(0, spine.indexOf(file)))
  return positions.findLast(({ href }) => before.has(href))
}

const inUnit = (fraction: number | null | undefined): number | undefined =>
  fraction != null && fraction >= 0 && fraction <= 1 ? fraction : undefined

/** They want to hear that another device was further on. */
export const requireLater = (modified: string, standing: Progression | undefined): void => {
  if (standing && Date.parse(modified) <= Date.parse(standing.modified))
    throw new AppError('conflict', 'Progression is older than existing')
}
