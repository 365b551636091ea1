import type { EbookReading } from '../use-ebook-reading.ts'
import type { Marks } from './use-marks.ts'

/** The bookmark on the page in view, and the way to put it in or take it out. */
export const useBookmark = ({ visiblePart, title }: EbookReading, marks: Marks) => {
  const here = visiblePart
    ? marks.bookmarks.find(
        ({ location }) =>
          visiblePart.sections.includes(location.index) &&
          (location.cfi === visiblePart.cfi ||
            (location.fraction >= visiblePart.from - 1e-6 && location.fraction < visiblePart.to)),
      )
    : undefined
  return {
    isHere: here !== undefined,
    toggle: (): void => {
      if (here) void marks.takeOut(here)
      else if (visiblePart)
        marks.putIn(
          { index: visiblePart.index, fraction: visiblePart.from, cfi: visiblePart.cfi, quote: visiblePart.quote },
          title,
        )
    },
  }
}

export type BookmarkHere = ReturnType<typeof useBookmark>
