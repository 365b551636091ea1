import type { ReadiumLocator } from '@carrel/api'
import { type BookMap, progressAt, sectionAt, sectionOf, type Spot, startOfPosition } from './book-map.ts'
import type { Quote } from './text-search.ts'

/** A location in a book, precise enough to be found in a window of another size, or in a newer file. */
export interface EbookLocation extends Spot {
  /** The path is an EPUB CFI that starts at the body of the chapter. */
  readonly cfi?: string | undefined
  readonly quote?: Quote | undefined
}

export const locatorOf = (map: BookMap, location: EbookLocation, title?: string): ReadiumLocator => {
  const section = map.sections[location.index]
  const { position, totalProgression } = progressAt(map, location.index, location.fraction)
  const { quote, cfi } = location
  return {
    href: section?.href ?? '',
    type: section?.type ?? 'application/xhtml+xml',
    ...(title !== undefined && title !== '' && { title: title.slice(0, 500) }),
    locations: {
      position,
      progression: location.fraction,
      totalProgression,
      ...(cfi !== undefined && cfi.length < 4000 && { partialCfi: cfi }),
    },
    ...(quote && { text: { before: quote.before ?? '', highlight: quote.match, after: quote.after ?? '' } }),
  }
}

/** The locator may come from another app, an older file or a percentage; it becomes a location in this book. */
export const locationOf = (map: BookMap, locator: ReadiumLocator): EbookLocation | undefined => {
  const { href, locations = {} } = locator
  const { progression, totalProgression, position } = locations
  const index = sectionOf(map, href)
  if (index !== undefined) {
    return { index, fraction: progression ?? 0, cfi: cfiOf(locations), quote: textOf(locator) }
  }
  if (totalProgression !== undefined) return sectionAt(map, totalProgression)
  return position === undefined ? undefined : sectionAt(map, startOfPosition(map, position))
}

const cfiOf = (locations: Readonly<Record<string, unknown>>): string | undefined => {
  const cfi = locations['partialCfi']
  return typeof cfi === 'string' && /^\/[\d/:~@.[\],;=\w^()-]+$/.test(cfi) ? cfi : undefined
}

const textOf = (locator: ReadiumLocator & { readonly text?: unknown }): Quote | undefined => {
  const { text } = locator
  if (typeof text !== 'object' || text === null) return undefined
  const { before, highlight, after } = text as Record<string, unknown>
  if (typeof highlight !== 'string' || highlight.trim() === '') return undefined
  return {
    match: highlight,
    ...(typeof before === 'string' && { before }),
    ...(typeof after === 'string' && { after }),
  }
}
