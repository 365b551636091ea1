import type { Position } from '../log/fold.ts'

const finishedMin = 0.98

/**
 * It completes a position for storing: page and share of the whole, each computed from the other where only one was
 * sent.
 */
export const positionIn = (pageCount: number, { page, percentage }: Position): Position => {
  // In a book without pages, page 0 beside a percentage means nothing: least of all that this is the first page.
  if (pageCount === 0) return { page: page === 0 && percentage !== null ? null : page, percentage }
  if (page !== null) {
    const clamped = Math.min(page, pageCount)
    return { page: clamped, percentage: percentage ?? clamped / pageCount }
  }
  return { page: percentage === null ? null : pageAt(percentage, pageCount), percentage }
}

/** Only the position decides: the last page, or almost the end. */
export const isAtEnd = (pageCount: number, { page, percentage }: Position): boolean =>
  (pageCount > 0 && page !== null && page >= pageCount) || (percentage !== null && percentage >= finishedMin)

/**
 * A position as it is shown in a book that has `pageCount` pages by now. When its file was replaced by one with another
 * number of pages, the reader is as far into the new one.
 */
export const shownIn = (
  pageCount: number,
  saved: Position & { readonly pageCount: number | null },
): { readonly currentPage: number; readonly progressPercentage: number | null } => {
  const { page, percentage } = saved
  if (pageCount === 0) return { currentPage: page ?? 0, progressPercentage: percentage }
  if (percentage !== null && (page === null || saved.pageCount !== pageCount))
    return { currentPage: pageAt(percentage, pageCount), progressPercentage: percentage }
  const shown = Math.min(page ?? 0, pageCount)
  return { currentPage: shown, progressPercentage: percentage ?? shown / pageCount }
}

const pageAt = (percentage: number, pageCount: number): number =>
  Math.min(pageCount, Math.max(1, Math.round(percentage * pageCount)))
