import type { EbookPlace } from './use-ebook-place.ts'
import type { Marks } from './use-marks.ts'

/** The bookmark on the page in view, and the way to put it in or take it out. */
export const useBookmark = ({ sight, title }: EbookPlace, marks: Marks) => {
  const here = sight
    ? marks.bookmarks.find(
        ({ place }) =>
          sight.sections.includes(place.index) &&
          (place.cfi === sight.cfi || (place.fraction >= sight.from - 1e-6 && place.fraction < sight.to)),
      )
    : undefined
  return {
    isHere: here !== undefined,
    toggle: (): void => {
      if (here) void marks.takeOut(here)
      else if (sight)
        marks.putIn({ index: sight.index, fraction: sight.from, cfi: sight.cfi, quote: sight.quote }, title)
    },
  }
}

export type BookmarkHere = ReturnType<typeof useBookmark>
