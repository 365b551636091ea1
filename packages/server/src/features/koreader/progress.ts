import type { FileFormat, ReadiumLocator } from '@carrel/api'
import {
  type BookShape,
  koreaderFromLocation,
  locationFromLocator,
  locationFromPosition,
  type StandingPosition,
} from '../reading/reading.ts'

const flowing: ReadonlySet<FileFormat> = new Set(['epub', 'mobi', 'azw3', 'fb2'])

export const isFlowing = (format: FileFormat): boolean => flowing.has(format)

/** It gives a position as KOReader would have saved it; undefined where its format for that book is unknown. */
export const progressFrom = (
  shape: BookShape,
  format: FileFormat,
  { page, percentage, locator }: Pick<StandingPosition, 'page' | 'percentage' | 'locator'>,
): string | undefined => {
  if (!isFlowing(format)) return page > 0 ? String(page) : undefined
  // KOReader numbers the parts as the spine does only in EPUBs.
  if (format !== 'epub' || shape.spine.length === 0) return undefined
  const location =
    locator === null
      ? locationFromPosition(shape, { page: null, percentage })
      : locationFromLocator(shape, JSON.parse(locator) as ReadiumLocator)
  return koreaderFromLocation(shape, location)
}
