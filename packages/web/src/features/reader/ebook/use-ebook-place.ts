import type { BookDetail } from '@carrel/api'
import { useCallback, useMemo, useState } from 'react'
import { type BookMap, placeIn } from '../../../reader/ebook/book-map.ts'
import { locatorOf, type EbookLocation } from '../../../reader/ebook/ebook-locator.ts'
import type { Sight } from './engine.ts'

export interface OpenEbook {
  readonly book: BookDetail
  readonly map: BookMap
  readonly isRightToLeft: boolean
  readonly start: EbookLocation
  readonly isByAddress: boolean
}

/** The target is a place, or an entry of the contents. */
export type Goal = EbookLocation | { readonly index: number; readonly fragment: string | undefined }

interface State {
  /** It is the part in view; undefined until the book has loaded. */
  readonly sight: Sight | undefined
  /** The user has read to here; a window of another size does not change it. */
  readonly place: EbookLocation
  /** These places were left by jumps; the last comes first. */
  readonly trail: readonly EbookLocation[]
}

const trailMax = 50

/** It holds the position in the book, and the places jumped from. */
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
    /** The index is that of `map.chapters`. */
    chapter,
    title,
    percentage: seen.totalProgression,
    position,
    totalProgression,
    locator: JSON.stringify(locatorOf(map, place, title)),
  }
}

export type EbookPlace = ReturnType<typeof useEbookPlace>

const placeFrom = ({ index, fraction, cfi, quote }: Sight): EbookLocation => ({ index, fraction, cfi, quote })

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
