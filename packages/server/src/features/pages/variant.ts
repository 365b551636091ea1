import type { PageFormat } from '@carrel/api'
import type { Page } from '../../formats/book-format.ts'

export interface PageWish {
  readonly width?: number | undefined
  readonly format?: PageFormat | undefined
  readonly accept: string
}

export interface Variant {
  /** Null: as wide as it is. */
  readonly width: number | null
  readonly format: PageFormat
  /** Nobody asked for it: the page is of a kind that the client does not say it can show. */
  readonly isOurWish: boolean
}

/** Few, so that few pictures of a page are kept. */
const widths = [320, 480, 640, 800, 1080, 1280, 1600, 2000, 2400, 3200]
const shownEverywhere = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/bmp'])

/** What is sent in place of a page as it stands in the book; undefined when that will do. */
export const variantOf = (page: Page, isDrawn: boolean, { width, format, accept }: PageWish): Variant | undefined => {
  const own = page.mediaType.replace('image/', '')
  const rounded = width === undefined ? null : (widths.find((each) => each >= width) ?? null)
  const isNarrower = rounded !== null && (isDrawn || page.width === null || page.width > rounded)
  const isShown = shownEverywhere.has(page.mediaType) || names(accept, page.mediaType)
  if (format !== undefined && format !== own) return { width: isNarrower ? rounded : null, format, isOurWish: false }
  if (isNarrower) return { width: rounded, format: format ?? narrowFormat(own, accept), isOurWish: false }
  // Drawn once and kept, whatever it is drawn as.
  if (isDrawn) return { width: null, format: narrowFormat(own, accept), isOurWish: true }
  return isShown ? undefined : { width: null, format: 'jpeg', isOurWish: true }
}

/** A drawing of few colours stays one; everything else is a photograph or nearly. */
const narrowFormat = (own: string, accept: string): PageFormat => {
  if (names(accept, 'image/webp')) return 'webp'
  return own === 'png' ? 'png' : 'jpeg'
}

/** Whether the client names this very type; a star says only that it takes what comes. */
const names = (accept: string, mediaType: string): boolean =>
  accept.split(',').some((each) => {
    const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
