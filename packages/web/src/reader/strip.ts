import type { PageSize } from './spreads.ts'

/** All pages stand one below the other: it holds where each begins, before any of them is loaded. */
export interface Strip {
  /** Entry `n - 1` is where page `n` begins; the last entry is where the strip ends. */
  readonly tops: Float64Array
  readonly gap: number
}

export interface StripLayout {
  /** Pages are shown with this width. */
  readonly columnWidth: number
  readonly gap: number
}

/** A page without a known size has this ratio until it is loaded. */
const usualRatio = 1.5
/** Whatever size is stated, a page is high enough to be seen, and never longer than this many times its width. */
const heightMin = 8
const ratioMax = 100

export const stripOf = (pages: readonly PageSize[], { columnWidth, gap }: StripLayout): Strip => {
  const tops = new Float64Array(pages.length + 1)
  pages.forEach((page, index) => {
    tops[index + 1] = (tops[index] ?? 0) + heightOf(page, columnWidth) + (index < pages.length - 1 ? gap : 0)
  })
  return { tops, gap }
}

const heightOf = ({ width, height }: PageSize, columnWidth: number): number => {
  const ratio = width && height ? Math.min(height / width, ratioMax) : usualRatio
  return Math.max(heightMin, Math.round(columnWidth * ratio))
}

export const lengthOf = ({ tops }: Strip): number => tops.at(-1) ?? 0

export const topOf = ({ tops }: Strip, page: number): number => tops[page - 1] ?? 0

/** The gap below the page is not included. */
export const heightAt = ({ tops, gap }: Strip, page: number): number => {
  const isLast = page === tops.length - 1
  return (tops[page] ?? 0) - (tops[page - 1] ?? 0) - (isLast ? 0 : gap)
}

/** The page that lies at a height of the scroll; a gap belongs to the page above it. */
export const pageAt = ({ tops }: Strip, y: number): number => {
  let low = 1
  let high = Math.max(1, tops.length - 1)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle - 1] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

export interface Window {
  /** It is the scroll position. */
  readonly scroll: number
  readonly height: number
}

/**
 * The reading line lies a quarter below the upper edge, but at the very ends it is the edge itself, so that no page is
 * skipped.
 */
const lineAt = 0.25

/** The height of the scroll that is being read. It grows with the scroll, from its beginning to its end. */
export const readingLine = (strip: Strip, { scroll, height }: Window): number => {
  const end = Math.max(0, lengthOf(strip) - height)
  if (end === 0) return 0
  const position = Math.min(Math.max(scroll, 0), end)
  if (end <= 2 * height) return (position / end) * lengthOf(strip)
  const fromStart = Math.min(1, position / height) * lineAt
  const toEnd = Math.max(0, 1 - (end - position) / height) * (1 - lineAt)
  return position + height * (fromStart + toEnd)
}

/** It returns the scroll position at which a page is being read: its upper edge, if that is enough. */
export const scrollTo = (strip: Strip, page: number, height: number): number => {
  const end = Math.max(0, lengthOf(strip) - height)
  const edge = Math.min(topOf(strip, page), end)
  if (pageAt(strip, readingLine(strip, { scroll: edge, height })) === page) return edge
  const target = topOf(strip, page) + heightAt(strip, page) / 2
  let low = 0
  let high = end
  // The line grows with the scroll: forty halvings find it to less than a thousandth of a pixel.
  for (let round = 0; round < 40; round += 1) {
    const middle = (low + high) / 2
    if (readingLine(strip, { scroll: middle, height }) < target) low = middle
    else high = middle
  }
  return high
}

/**
 * The reading line must be this far past an edge before another page counts as read, so that trembling there changes
 * nothing.
 */
const trembling = 24

/** The page being read after a scroll, when `before` was. */
export const pageRead = (strip: Strip, before: number, window: Window): number => {
  const line = readingLine(strip, window)
  const page = pageAt(strip, line)
  if (page === before) return before
  if (page === before + 1 && isBarely(line - topOf(strip, page), strip, page)) return before
  if (page === before - 1 && isBarely(topOf(strip, before) - line, strip, page)) return before
  return page
}

/** At the ends of the strip one cannot scroll further: there every step counts. */
const isBarely = (past: number, strip: Strip, page: number): boolean =>
  page > 1 && page < strip.tops.length - 1 && past < Math.min(trembling, heightAt(strip, page) / 4)

/** A point of a page, wherever that page lies. */
export interface Anchor {
  readonly page: number
  /** It is the share of the page, 0 to 1. */
  readonly part: number
}

export const anchorAt = (strip: Strip, y: number): Anchor => {
  const page = pageAt(strip, y)
  const height = heightAt(strip, page)
  return { page, part: height > 0 ? Math.min(1, Math.max(0, (y - topOf(strip, page)) / height)) : 0 }
}

export const heightOfAnchor = (strip: Strip, { page, part }: Anchor): number =>
  topOf(strip, page) + part * heightAt(strip, page)

/** It returns the scroll position in `after` that keeps what is at the upper edge of the window in `before`. */
export const keptScroll = (before: Strip, after: Strip, scroll: number): number => {
  const past = scroll - heightOfAnchor(before, anchorAt(before, scroll))
  return heightOfAnchor(after, anchorAt(before, scroll)) + past
}

/** The pages to have in the document: those in the window and a little around it. */
export const pagesAround = (
  strip: Strip,
  { scroll, height }: Window,
  margin: number,
): { readonly first: number; readonly last: number } => ({
  first: pageAt(strip, scroll - margin),
  last: pageAt(strip, scroll + height + margin),
})

/** Browsers end every element somewhere beyond this many pixels: of a longer scroll they get a part. */
export const partMax = 8_000_000

/**
 * It returns where the part begins that the browser gets when the scroll position is `scroll`; it stays the same while
 * that will do.
 */
export const partStart = (length: number, scroll: number, before: number): number => {
  if (length <= partMax) return 0
  const last = length - partMax
  const margin = partMax / 8
  const isNearStart = before > 0 && scroll < before + margin
  const isNearEnd = before < last && scroll > before + partMax - margin
  if (!isNearStart && !isNearEnd) return before
  return Math.round(Math.min(last, Math.max(0, scroll - partMax / 2)))
}
