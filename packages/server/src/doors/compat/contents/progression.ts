import type { Locator, Progression, ReadiumLocator } from '@carrel/api'
import type { CompatProgression, CompatProgressionUpdate } from '@carrel/api/doors'
import { AppError, invalid } from '../../../platform/errors.ts'
import { timestamp } from '../spelling.ts'

/** The file of a book that a locator names, however it spells it. */
export const pathIn = (href: string): string => {
  const path = href
    .replace(/[#?].*$/s, '')
    .replace(/^.*\/api\/v1\/books\/[^/]+\/resource\//, '')
    .replace(/^\//, '')
    .replace(/^resources\//, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Where somebody stands, found again in the positions of the book where it was said in pages or percent. */
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
  const whole = locator.locations?.totalProgression
  const nearest =
    whole == null ? undefined : positions.findLast(({ locations }) => (locations.totalProgression ?? 0) <= whole)
  return nearest ? { ...nearest, locations: { ...nearest.locations, ...locator.locations } } : locator
}

/** What is kept of a locator. In a book of pages the page says it all; in others the file and how far into it. */
export const placeSaid = (
  { href, type, title, locations }: CompatProgressionUpdate['locator'],
  { pageCount, positions }: { readonly pageCount: number; readonly positions: readonly Locator[] },
): ReadiumLocator => {
  const { position, progression, totalProgression } = locations ?? {}
  const said = { ...(title != null && { title }), type: type ?? '' }
  if (positions.length === 0) {
    if (position == null || position < 1 || position > pageCount)
      throw invalid('/locator/locations/position', `position must be between 1 and ${pageCount}.`)
    return { href: '', ...said, locations: { position, totalProgression: position / pageCount } }
  }
  const path = pathIn(href)
  const inFile = positions.filter((each) => pathIn(each.href) === path)
  if (inFile.length === 0) throw invalid('/locator/href', 'This is no file of the book.')
  if (progression == null || progression < 0 || progression > 1)
    throw invalid('/locator/locations/progression', 'progression must be between 0 and 1.')
  const nearest = inFile.findLast((each) => (each.locations.progression ?? 0) <= progression) ?? inFile[0]
  const whole = inUnit(totalProgression) ?? nearest?.locations.totalProgression ?? 0
  return { href: `resources/${path}`, ...said, locations: { progression, totalProgression: whole } }
}

const inUnit = (fraction: number | null | undefined): number | undefined =>
  fraction != null && fraction >= 0 && fraction <= 1 ? fraction : undefined

/** They want to hear that another device was further on. */
export const requireLater = (modified: string, standing: Progression | undefined): void => {
  if (standing && Date.parse(modified) <= Date.parse(standing.modified))
    throw new AppError('conflict', 'Progression is older than existing')
}
