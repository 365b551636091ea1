import { ReadiumLocator } from '@carrel/api'
import { Check } from 'typebox/value'
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
