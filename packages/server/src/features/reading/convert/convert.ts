import type { ReadiumLocator } from '@carrel/api'
import { fileInHref } from './book-href.ts'

/** These are needed to express the same location in another format. */
export interface BookShape {
  /** 0 where pages depend on the screen. */
  readonly pageCount: number
  /** The spine of an EPUB holds its parts in reading order, with how much there is to read in each. */
  readonly spine: readonly SpineItem[]
}

interface SpineItem {
  readonly href: string
  readonly type: string
  /** Characters, or whatever measure is the same for all of them. */
  readonly length: number
}

/** It is a location in a book, as far as it is known. Everything else is computed from what is there. */
export interface BookLocation {
  /** Pages are counted from 1. */
  readonly page?: number
  /** 0 to 1, of the whole book. */
  readonly percentage?: number
  /** It is an item of the spine, counted from 0, and the progression within it. */
  readonly item?: { readonly index: number; readonly progression: number | undefined }
}

/**
 * The location comes from the pages or the percentage of a position. A book of pages has no location before its first page.
 */
export const locationFromPosition = (
  { pageCount, spine }: BookShape,
  { page, percentage }: { readonly page: number | null; readonly percentage: number | null },
): BookLocation => {
  const fraction = percentage ?? (page !== null && pageCount > 0 ? clamp(page / pageCount) : undefined)
  const pageNumber = page ?? (fraction !== undefined && pageCount > 0 ? pageAt(fraction, pageCount) : undefined)
  const item = fraction === undefined ? undefined : itemAt(spine, fraction)
  return {
    ...(pageNumber !== undefined && { page: pageCount > 0 ? Math.min(pageNumber, pageCount) : pageNumber }),
    ...(fraction !== undefined && { percentage: clamp(fraction) }),
    ...(item && { item }),
  }
}

export const locationFromLocator = (shape: BookShape, { href, locations }: ReadiumLocator): BookLocation => {
  const { position, progression, totalProgression } = locations ?? {}
  const file = fileInHref(href)
  const index = shape.spine.findIndex((item) => fileInHref(item.href) === file)
  const inItem = index < 0 ? undefined : { index, progression }
  const fraction = totalProgression ?? (inItem && wholeAt(shape.spine, inItem))
  const location = locationFromPosition(shape, {
    page: shape.pageCount > 0 ? (position ?? null) : null,
    percentage: fraction ?? null,
  })
  return inItem ? { ...location, item: inItem } : location
}

/** Undefined: neither where in the spine nor where in the book is known. */
export const locatorFromLocation = (
  { spine }: BookShape,
  { page, percentage, item }: BookLocation,
): ReadiumLocator | undefined => {
  const part = item && spine[item.index]
  if (!part && page === undefined && percentage === undefined) return undefined
  return {
    href: part?.href ?? '',
    type: part?.type ?? '',
    locations: {
      ...(page !== undefined && { position: page }),
      ...(item?.progression !== undefined && { progression: item.progression }),
      ...(percentage !== undefined && { totalProgression: percentage }),
    },
  }
}

/** KOReader saves `/body/DocFragment[12]/body/p[3]/text().0` in a book that flows, the number of a page in others. */
export const locationFromKoreader = (
  shape: BookShape,
  { progress, percentage }: { readonly progress: string; readonly percentage: number | null },
): BookLocation | undefined => {
  const text = progress.trim()
  if (/^\d{1,8}$/.test(text)) return locationFromPosition(shape, { page: Number(text), percentage })
  const [, number] = /^\/body\/DocFragment(?:\[(\d{1,8})\])?(?:\/|\.|$)/.exec(text) ?? []
  const isFragment = text.startsWith('/body/DocFragment')
  if (!isFragment) return percentage === null ? undefined : locationFromPosition(shape, { page: null, percentage })
  // A document with one fragment only has no number.
  const location = atItem(shape, Number(number ?? 1) - 1)
  if (percentage === null) return location
  const converted = locationFromPosition(shape, { page: null, percentage })
  if (!location?.item) return converted
  return {
    ...converted,
    item: { index: location.item.index, progression: progressionIn(shape.spine, location.item.index, percentage) },
  }
}

/** The sixth step of a CFI leads to the spine, the next one to its part: even numbers count elements, from 2. */
export const locationFromCfi = (shape: BookShape, cfi: string): BookLocation | undefined => {
  const [, step] = /^epubcfi\(\/6\/(\d{1,8})(?:\[[^\]]*\])?!/.exec(cfi) ?? []
  return step === undefined ? undefined : atItem(shape, Number(step) / 2 - 1)
}

/** The pointer is as KOReader saves it; in a book that flows it points to the beginning of the part. */
export const koreaderFromLocation = ({ spine }: BookShape, { page, item }: BookLocation): string | undefined => {
  if (spine.length > 0) return item && spine[item.index] ? `/body/DocFragment[${item.index + 1}].0` : undefined
  return page === undefined ? undefined : String(page)
}

const atItem = (shape: BookShape, index: number): BookLocation | undefined => {
  if (!Number.isInteger(index) || !shape.spine[index]) return undefined
  const item = { index, progression: undefined }
  const percentage = wholeAt(shape.spine, item)
  return { ...(percentage !== undefined && { percentage }), item }
}

const clamp = (fraction: number): number => Math.min(1, Math.max(0, fraction))

const pageAt = (percentage: number, pageCount: number): number =>
  Math.min(pageCount, Math.max(1, Math.round(percentage * pageCount)))

const lengthOf = (spine: readonly SpineItem[]): number => spine.reduce((sum, { length }) => sum + length, 0)

const lengthBefore = (spine: readonly SpineItem[], index: number): number => lengthOf(spine.slice(0, index))

const wholeAt = (
  spine: readonly SpineItem[],
  { index, progression = 0 }: { readonly index: number; readonly progression: number | undefined },
): number | undefined => {
  const total = lengthOf(spine)
  const own = spine[index]?.length
  return total === 0 || own === undefined ? undefined : clamp((lengthBefore(spine, index) + own * progression) / total)
}

const itemAt = (spine: readonly SpineItem[], percentage: number): BookLocation['item'] => {
  const total = lengthOf(spine)
  if (total === 0) return undefined
  let passed = 0
  for (const [index, { length }] of spine.entries()) {
    if (length > 0 && percentage * total < passed + length)
      return { index, progression: clamp((percentage * total - passed) / length) }
    passed += length
  }
  return { index: spine.findLastIndex(({ length }) => length > 0), progression: 1 }
}

const progressionIn = (spine: readonly SpineItem[], index: number, percentage: number): number | undefined => {
  const own = spine[index]?.length ?? 0
  return own === 0 ? undefined : clamp((percentage * lengthOf(spine) - lengthBefore(spine, index)) / own)
}
