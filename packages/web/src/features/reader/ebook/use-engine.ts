import type { BookDetail } from '@carrel/api'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BookMap } from '../../../reader/ebook/book-map.ts'
import type { EbookLook } from '../../../reader/ebook/ebook-look.ts'
import type { Place } from '../../../reader/ebook/ebook-locator.ts'
import { type Chapters, openChapters } from './chapters.ts'
import { type Engine, type Mark, openEngine, type Sight } from './engine.ts'
import type { ChapterPoint, PressedPicture } from './listen.ts'

/** What the engine tells of. */
interface EngineEvents {
  /** There it is, for what the reader does; undefined when it is closed. */
  readonly onOpen: (open: OpenEngine | undefined) => void
  readonly onSight: (sight: Sight) => void
  readonly onPoint: (point: ChapterPoint) => void
  readonly onLink: (link: Element, reference: string) => void
  readonly onPicture: (picture: PressedPicture, point: ChapterPoint) => void
  readonly onSelect: (range: Range | undefined) => void
  readonly onWheel: (by: 1 | -1, at: number) => void
  readonly onMark: (id: string) => void
  readonly onEnd: () => void
  /** The book is open at its place. */
  readonly onReady: () => void
  readonly onProblem: (error: unknown) => void
}

/** Once the book is open. */
export interface OpenEngine {
  readonly engine: Engine
  readonly chapters: Chapters
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
export const useEngine = (wish: EngineWish): void => {
  const { host, book, map, isRightToLeft, look, sheets, marks } = wish
  const [engine, setEngine] = useState<OpenEngine>()
  // Facts about the book change while it is read, its progress among them; it stays open.
  const [file] = useState({ id: book.id, fileHash: book.fileHash })
  const latest = useRef(wish)
  useLayoutEffect(() => {
    latest.current = wish
  })
  useEffect(() => {
    const place = host.current
    if (!place) return undefined
    const { sections } = map
    const now = (): EngineWish => latest.current
    const chapters = openChapters({ book: file, sections, onProblem: (error) => now().onProblem(error) })
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
      onWheel: (by, at) => now().onWheel(by, at),
      onMark: (id) => now().onMark(id),
      onEnd: () => now().onEnd(),
    })
    opened.wear(now().look, now().sheets)
    void openAt(opened, now().start, () => now().onReady())
    const open = { engine: opened, chapters }
    now().onOpen(open)
    setEngine(open)
    return () => {
      opened.close()
      chapters.close()
      now().onOpen(undefined)
      setEngine(undefined)
    }
  }, [host, file, map, isRightToLeft])
  useEffect(() => engine?.engine.wear(look, sheets), [engine, look, sheets])
  useEffect(() => engine?.engine.mark(marks), [engine, marks])
}

/** What is laid out after it has been shown would be seen to move. */
const openAt = async (engine: Engine, place: Place, onReady: () => void): Promise<void> => {
  await engine.goTo(place)
  requestAnimationFrame(() => requestAnimationFrame(onReady))
}
