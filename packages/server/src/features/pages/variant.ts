import type { PageFormat } from '@carrel/api'
import type { Page } from '../../formats/book-format.ts'

export interface PageOptions {
  readonly width?: number | undefined
  /** It is to be no wider than that; else it may be a little. */
  readonly isWidthMost?: boolean | undefined
  readonly format?: PageFormat | undefined
  readonly accept: string
}

export interface Variant {
  /** Null: as wide as it is. */
  readonly width: number | null
  readonly format: PageFormat
  /** Nobody asked for it: the page is of a kind that the client does not say it can show. */
  readonly isOurOptions: boolean
}

/** Few, so that few pictures of a page are kept. */
const widths = [160, 320, 480, 640, 800, 1080, 1280, 1600, 2000, 2400, 3200]
const shownEverywhere = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/bmp'])
/** Clients that accept any picture show these, but clients that list formats without them do not. */
const shownUsually = new Set(['image/webp', 'image/avif'])

/** A width below the narrowest is rounded down to a multiple of this, but never to 0. */
const narrowStep = 40

const roundedWidth = (width: number, isMost: boolean): number | null => {
  if (!isMost) return widths.find((each) => each >= width) ?? null
  return widths.findLast((each) => each <= width) ?? (Math.floor(width / narrowStep) * narrowStep || width)
}

/** It decides what is sent in place of a page as it stands in the book; undefined when that will do. */
export const variantOf = (page: Page, isDrawn: boolean, options: PageOptions): Variant | undefined => {
  const { width, isWidthMost = false, format, accept } = options
  const own = page.mediaType.replace('image/', '')
  const rounded = width === undefined ? null : roundedWidth(width, isWidthMost)
  const widthMax = isWidthMost ? (width ?? 0) : (rounded ?? 0)
  const isNarrower = rounded !== null && (isDrawn || page.width === null || page.width > widthMax)
  const isUsual = shownUsually.has(page.mediaType) && takes(accept, page.mediaType)
  const isShown = shownEverywhere.has(page.mediaType) || isUsual || names(accept, page.mediaType)
  if (format !== undefined && format !== own) return { width: isNarrower ? rounded : null, format, isOurOptions: false }
  if (isNarrower) return { width: rounded, format: format ?? narrowFormat(own, accept), isOurOptions: false }
  // A rendered page is made once and cached, in whatever format.
  if (isDrawn) return { width: null, format: narrowFormat(own, accept), isOurOptions: true }
  return isShown ? undefined : { width: null, format: shownFormat(accept), isOurOptions: true }
}

/** A drawing of few colours stays one; everything else is a photograph or nearly. */
const narrowFormat = (own: string, accept: string): PageFormat => {
  if (names(accept, 'image/webp')) return 'webp'
  return own === 'png' ? 'png' : shownFormat(accept)
}

/**
 * It picks a format for a client that cannot show the page as it is; a client that names none gets one that all can
 * show.
 */
const shownFormat = (accept: string): PageFormat =>
  (['jpeg', 'png', 'webp'] as const).find((format) => takes(accept, `image/${format}`)) ?? 'jpeg'

/** It returns whether the client names this very type; a star only says that it takes anything. */
const names = (accept: string, mediaType: string): boolean => saysOf(accept, mediaType) === true

/**
 * It returns whether the client takes this type, by its name or by a star; a client that names nothing takes
 * everything.
 */
const takes = (accept: string, mediaType: string): boolean =>
  accept.trim() === '' ||
  (saysOf(accept, mediaType) ?? saysOf(accept, mediaType.replace(/\/.*/, '/*')) ?? saysOf(accept, '*/*') ?? false)

/** Undefined: of this range it says nothing. */
const saysOf = (accept: string, range: string): boolean | undefined => {
  for (const each of accept.split(',')) {
    const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    if (type === range) return !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  }
  return undefined
}
