import type { BookDetail } from '@carrel/api'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BookMap } from '../../../reader/ebook/book-map.ts'
import type { EbookLook } from '../../../reader/ebook/ebook-look.ts'
import type { Place } from '../../../reader/ebook/ebook-locator.ts'
import { type Chapters, openChapters } from './chapters.ts'
import { type Engine, type Mark, openEngine, type Sight } from './engine.ts'
import type { ChapterPoint, PressedPicture } from './listen.ts'

/** What the engine tells of. */
export interface EngineEvents {
  readonly onSight: (sight: Sight) => void
  readonly onPoint: (point: ChapterPoint) => void
  readonly onLink: (link: Element, reference: string) => void
  readonly onPicture: (picture: PressedPicture, point: ChapterPoint) => void
  readonly onSelect: (range: Range | undefined) => void
  readonly onWheel: (by: 1 | -1) => void
  readonly onMark: (id: string) => void
  readonly onEnd: () => void
  /** The book is open at its place. */
  readonly onReady: () => void
  readonly onProblem: (error: unknown) => void
}

interface EngineWish extends EngineEvents {
  readonly host: RefObject<HTMLElement | null>
  readonly book: BookDetail
  readonly map: BookMap
  readonly isRightToLeft: boolean
  readonly start: Place
  readonly look: EbookLook
  readonly sheets: readonly [string, string]
  readonly marks: readonly Mark[]
}

/** The one place where the engine is put into the page: it lives as long as the book is open. */
export const useEngine = (wish: EngineWish) => {
  const { host, book, map, isRightToLeft, look, sheets, marks } = wish
  const [engine, setEngine] = useState<{ readonly engine: Engine; readonly chapters: Chapters }>()
  const latest = useRef(wish)
  useLayoutEffect(() => {
    latest.current = wish
  })
  useEffect(() => {
    const place = host.current
    if (!place) return undefined
    const { sections } = map
    const now = (): EngineWish => latest.current
    const chapters = openChapters({ book, sections, onProblem: (error) => now().onProblem(error) })
    const opened = openEngine({
      host: place,
      sections,
      chapters,
      isRightToLeft,
      onSight: (sight) => now().onSight(sight),
      onPoint: (point) => now().onPoint(point),
      onLink: (link, reference) => now().onLink(link, reference),
      onPicture: (picture, point) => now().onPicture(picture, point),
      onSelect: (range) => now().onSelect(range),
      onWheel: (by) => now().onWheel(by),
      onMark: (id) => now().onMark(id),
      onEnd: () => now().onEnd(),
    })
    opened.wear(now().look, now().sheets)
    void openAt(opened, now().start, () => now().onReady())
    setEngine({ engine: opened, chapters })
    return () => {
      opened.close()
      chapters.close()
      setEngine(undefined)
    }
  }, [host, book, map, isRightToLeft])
  useEffect(() => engine?.engine.wear(look, sheets), [engine, look, sheets])
  useEffect(() => engine?.engine.mark(marks), [engine, marks])
  return engine
}

/** What is laid out after it has been shown would be seen to move. */
const openAt = async (engine: Engine, place: Place, onReady: () => void): Promise<void> => {
  await engine.goTo(place)
  requestAnimationFrame(() => requestAnimationFrame(onReady))
}
