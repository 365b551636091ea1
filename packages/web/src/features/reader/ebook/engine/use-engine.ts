import type { BookDetail } from '@carrel/api'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BookMap } from '../../../../reader/ebook/book-map.ts'
import type { EbookLocation } from '../../../../reader/ebook/ebook-locator.ts'
import { type Chapters, openChapters } from './chapters.ts'
import {
  type Appearance,
  type Engine,
  type EngineOptions,
  type Mark,
  openEngine,
  type Selected,
  type VisiblePart,
} from './engine.ts'
import { openFixedEngine } from './fixed-engine.ts'
import type { BookFile } from './book-files.ts'
import type { ChapterPoint, PressedPicture } from './listen.ts'

/** The engine reports these. */
interface EngineEvents {
  /** There it is, for what the reader does; undefined when it is closed. */
  readonly onOpen: (open: OpenEngine | undefined) => void
  readonly onVisible: (part: VisiblePart) => void
  readonly onPoint: (point: ChapterPoint) => void
  readonly onLink: (link: Element, reference: string) => void
  readonly onPicture: (picture: PressedPicture, point: ChapterPoint) => void
  readonly onSelect: (selected: Selected | undefined) => void
  readonly onWheel: (by: 1 | -1, at: number) => void
  readonly onMark: (id: string) => void
  readonly onEnd: () => void
  /** The book is open at its location. */
  readonly onReady: () => void
  readonly onProblem: (error: unknown) => void
}

/** It exists once the book is open. */
export interface OpenEngine {
  readonly engine: Engine
  readonly chapters: Chapters
}

interface EngineInput extends EngineEvents {
  readonly host: RefObject<HTMLElement | null>
  readonly book: BookDetail
  readonly map: BookMap
  readonly isRightToLeft: boolean
  /** It returns the title of a page of fixed layout. */
  readonly pageTitle: (index: number) => string
  readonly start: EbookLocation
  readonly appearance: Appearance
  readonly marks: readonly Mark[]
}

/** The one place where the engine is put into the page: it lives as long as the book is open. */
export const useEngine = (options: EngineInput): void => {
  const { host, book, map, isRightToLeft, appearance, marks } = options
  const [engine, setEngine] = useState<OpenEngine>()
  // Facts about the book change while it is read, its progress among them; it stays open.
  const [file] = useState({ id: book.id, fileHash: book.fileHash })
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const now = (): EngineInput => latest.current
    const { opened, chapters } = openBook(element, { file, map, isRightToLeft }, now)
    opened.setAppearance(now().appearance)
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
  useEffect(() => engine?.engine.setAppearance(appearance), [engine, appearance])
  useEffect(() => engine?.engine.mark(marks), [engine, marks])
}

interface BookToOpen extends Pick<EngineInput, 'map' | 'isRightToLeft'> {
  readonly file: BookFile
}

const openBook = (host: HTMLElement, { file, map, isRightToLeft }: BookToOpen, now: () => EngineInput) => {
  const { sections, fixed } = map
  const isFixed = fixed !== undefined
  const chapters = openChapters({ book: file, sections, isFixed, onProblem: (error) => now().onProblem(error) })
  const options: EngineOptions = {
    host,
    sections,
    chapters,
    isRightToLeft,
    language: map.language,
    onVisible: (part) => now().onVisible(part),
    onPoint: (point) => now().onPoint(point),
    onLink: (link, reference) => now().onLink(link, reference),
    onPicture: (picture, point) => now().onPicture(picture, point),
    onSelect: (range) => now().onSelect(range),
    onWheel: (by, at) => now().onWheel(by, at),
    onMark: (id) => now().onMark(id),
    onEnd: () => now().onEnd(),
  }
  return {
    chapters,
    opened: isFixed ? openFixedEngine({ ...options, pageTitle: now().pageTitle }) : openEngine(options),
  }
}

/** The layout is finished before the book is shown, so that nothing moves. */
const openAt = async (engine: Engine, location: EbookLocation, onReady: () => void): Promise<void> => {
  await engine.goTo(location)
  requestAnimationFrame(() => requestAnimationFrame(onReady))
}
