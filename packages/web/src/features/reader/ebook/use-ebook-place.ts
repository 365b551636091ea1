import type { BookDetail } from '@carrel/api'
import { useCallback, useMemo, useState } from 'react'
import { type BookMap, placeIn } from '../../../reader/ebook/book-map.ts'
import { locatorOf, type Place } from '../../../reader/ebook/ebook-locator.ts'
import type { Sight } from './engine.ts'

export interface OpenEbook {
  readonly book: BookDetail
  readonly map: BookMap
  readonly isRightToLeft: boolean
  readonly start: Place
  readonly isByAddress: boolean
}

/** Where one goes: a place, or an entry of the contents. */
export type Goal = Place | { readonly index: number; readonly fragment: string | undefined }

interface State {
  /** What is in view; undefined until the book is there. */
  readonly sight: Sight | undefined
  /** Where one has read to, which a window of another size does not change. */
  readonly place: Place
  /** Where one was before one jumped, the last first. */
  readonly trail: readonly Place[]
}

const trailMax = 50

/** Where one is in the book, and where one came from. */
export const useEbookPlace = ({ map, start }: OpenEbook) => {
  const [state, setState] = useState<State>({ sight: undefined, place: start, trail: [] })
  const { sight, place, trail } = state
  const saw = useCallback(
    (next: Sight): void =>
      setState((before) => ({
        ...before,
        sight: next,
        place: next.hasMoved ? placeFrom(next) : before.place,
      })),
    [],
  )
  const leap = useCallback(
    (): void => setState((before) => ({ ...before, trail: [before.place, ...before.trail].slice(0, trailMax) })),
    [],
  )
  const comeBack = useCallback((): void => setState((before) => ({ ...before, trail: before.trail.slice(1) })), [])
  const chapter = useMemo(() => chapterAt(map, sight), [map, sight])
  const seen = placeIn(map, sight?.index ?? place.index, sight?.fraction ?? place.fraction)
  const { position, totalProgression } = placeIn(map, place.index, place.fraction)
  const title = chapter === undefined ? undefined : map.chapters[chapter]?.title
  return {
    sight,
    place,
    trail,
    saw,
    leap,
    comeBack,
    /** Of `map.chapters`. */
    chapter,
    title,
    percentage: seen.totalProgression,
    position,
    totalProgression,
    locator: JSON.stringify(locatorOf(map, place, title)),
  }
}

export type EbookPlace = ReturnType<typeof useEbookPlace>

const placeFrom = ({ index, fraction, cfi, quote }: Sight): Place => ({ index, fraction, cfi, quote })

/** The last entry of the contents that has begun. */
const chapterAt = ({ chapters }: BookMap, sight: Sight | undefined): number | undefined => {
  if (!sight) return undefined
  const here = chapters.flatMap(({ section, fragment }) => (section === sight.index && fragment ? [fragment] : []))
  const passed = new Set(sight.passed(here))
  const found = chapters.findLastIndex(
    ({ section, fragment }) =>
      section !== undefined &&
      (section < sight.index || (section === sight.index && (fragment === undefined || passed.has(fragment)))),
  )
  return found < 0 ? undefined : found
}
