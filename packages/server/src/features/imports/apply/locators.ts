import { ReadiumLocator } from '@carrel/api'
import { Check } from 'typebox/value'
import { type BookShape, locationFromCfi, locatorFromLocation } from '../../reading/reading.ts'
import type { Position } from '../records.ts'

export const isLocator = (value: unknown): value is ReadiumLocator => Check(ReadiumLocator, value)

/** A mark needs a place: where theirs has a page or a share alone, the address within the book is empty, as it is in progress. */
export const locatorOf = ({ page, fraction, locator }: Position): ReadiumLocator | undefined => {
  if (isLocator(locator)) return locator
  if (page === null && fraction === null) return undefined
  return {
    href: '',
    type: '',
    locations: {
      ...(page !== null && { position: page }),
      ...(fraction !== null && { totalProgression: fraction }),
    },
  }
}

/** Theirs knows the place by its CFI alone: in which part of the book that is, the book has to say. */
export const needsSpine = ({ href, locations }: ReadiumLocator): boolean =>
  href === '' && cfiIn(locations) !== undefined

/** The part, and how far into the book it begins; what the store has said of the place stays as it was said. */
export const placedIn = (spine: BookShape['spine'], locator: ReadiumLocator): ReadiumLocator => {
  const cfi = cfiIn(locator.locations)
  const shape = { pageCount: 0, spine }
  const location = cfi === undefined ? undefined : locationFromCfi(shape, cfi)
  const found = location && locatorFromLocation(shape, location)
  if (cfi === undefined || !found) return locator
  const [, partialCfi] = /!(\/.*)\)$/.exec(cfi) ?? []
  return {
    ...locator,
    href: found.href,
    type: found.type,
    locations: { ...found.locations, ...locator.locations, ...(partialCfi !== undefined && { partialCfi }) },
  }
}

const cfiIn = (locations: ReadiumLocator['locations']): string | undefined => {
  // Readium's locators may say more than the contract names.
  const { fragments } = (locations ?? {}) as { readonly fragments?: unknown }
  return Array.isArray(fragments)
    ? fragments.find((each): each is string => typeof each === 'string' && each.startsWith('epubcfi('))
    : undefined
}
