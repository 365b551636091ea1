import type { BookDetail } from '@carrel/api'
import { useCallback, useMemo, useState } from 'react'
import { type BookMap, progressAt } from '../../../reader/ebook/book-map.ts'
import { locatorOf, type EbookLocation } from '../../../reader/ebook/ebook-locator.ts'
import type { VisiblePart } from './engine/engine.ts'

export interface OpenEbook {
  readonly book: BookDetail
  readonly map: BookMap
  readonly isRightToLeft: boolean
  readonly start: EbookLocation
  readonly isByAddress: boolean
}

/** The target is a location, or an entry of the contents. */
export type Goal = EbookLocation | { readonly index: number; readonly fragment: string | undefined }

interface State {
  /** It is the part in view; undefined until the book has loaded. */
  readonly visiblePart: VisiblePart | undefined
  /** The user has read to here; a window of another size does not change it. */
  readonly location: EbookLocation
  /** These locations were left by jumps; the last comes first. */
  readonly trail: readonly EbookLocation[]
}

const trailMax = 50

/** It holds the position in the book, and the locations jumped from. */
export const useEbookReading = ({ map, start }: OpenEbook) => {
  const [state, setState] = useState<State>({ visiblePart: undefined, location: start, trail: [] })
  const { visiblePart, location, trail } = state
  const saw = useCallback(
    (next: VisiblePart): void =>
      setState((before) => ({
        ...before,
        visiblePart: next,
        location: next.hasMoved ? locationFrom(next) : before.location,
      })),
    [],
  )
  const leap = useCallback(
    (): void => setState((before) => ({ ...before, trail: [before.location, ...before.trail].slice(0, trailMax) })),
    [],
  )
  const comeBack = useCallback((): void => setState((before) => ({ ...before, trail: before.trail.slice(1) })), [])
  const chapter = useMemo(() => chapterAt(map, visiblePart), [map, visiblePart])
  const seen = progressAt(map, visiblePart?.index ?? location.index, visiblePart?.fraction ?? location.fraction)
  const { position, totalProgression } = progressAt(map, location.index, location.fraction)
  const title = chapter === undefined ? undefined : map.chapters[chapter]?.title
  return {
    visiblePart,
    location,
    trail,
    saw,
    leap,
    comeBack,
    /** The index is that of `map.chapters`. */
    chapter,
    title,
    percentage: seen.totalProgression,
    position,
    totalProgression,
    locator: JSON.stringify(locatorOf(map, location, title)),
  }
}

export type EbookReading = ReturnType<typeof useEbookReading>

const locationFrom = ({ index, fraction, cfi, quote }: VisiblePart): EbookLocation => ({ index, fraction, cfi, quote })

/** The last entry of the contents that has begun. */
const chapterAt = ({ chapters }: BookMap, visiblePart: VisiblePart | undefined): number | undefined => {
  if (!visiblePart) return undefined
  const here = chapters.flatMap(({ section, fragment }) =>
    section === visiblePart.index && fragment ? [fragment] : [],
  )
  const passed = new Set(visiblePart.passed(here))
  const index = chapters.findLastIndex(
    ({ section, fragment }) =>
      section !== undefined &&
      (section < visiblePart.index ||
        (section === visiblePart.index && (fragment === undefined || passed.has(fragment)))),
  )
  return index < 0 ? undefined : index
}
