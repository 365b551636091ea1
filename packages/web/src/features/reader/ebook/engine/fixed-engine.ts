import { fixedSpreadsOf, nextTo, openWith } from '../../../../reader/ebook/fixed-pages.ts'
import type { Engine, VisiblePart } from './engine.ts'
import { fixedView, type FixedOptions, makePages } from './fixed-view.ts'
import { oneAfterTheOther } from './in-turn.ts'
import { listenBeside, listenInChapter } from './listen.ts'
import type { PageFrame } from './page-frame.ts'
import { listenForSwipes } from './swipes.ts'

/** A book whose pages are laid out already, shown as a comic is: page by page, or two at once. */
export const openFixedEngine = (options: FixedOptions): Engine => {
  const view = fixedView(options)
  const pages = turnPages(options, view)
  listenBeside(view.stage, options)
  listenForSwipes(view.stage, pages.swipes)
  return {
    goTo: ({ index }) => pages.goTo(index),
    turn: pages.turn,
    setAppearance: ({ isDouble }) => pages.pairUp(isDouble),
    mark: view.mark,
    zoom: view.zoom,
    sectionOf: (doc) => view.shown()?.frames.find((frame) => frame.doc === doc)?.index,
    documentOf: (index) => view.shown()?.frames.find((frame) => frame.index === index)?.doc,
    close: () => {
      pages.stop()
      view.close()
    },
  }
}

type View = ReturnType<typeof fixedView>

/** It shows one spread after the other. */
const turnPages = (options: FixedOptions, view: View) => {
  const { sections, isRightToLeft, onEnd } = options
  let spreads: readonly (readonly number[])[] = []
  let isPairedUp: boolean | undefined
  let isOpen = true
  const inTurn = oneAfterTheOther(() => isOpen)
  const last = sections.findLastIndex(({ isLinear }) => isLinear)

  const show = async (pages: readonly number[], hasMoved: boolean): Promise<void> => {
    const before = view.shown()?.pages ?? []
    const next = await makePages(options, pages, view.root)
    if (!isOpen) return
    for (const frame of next.frames) {
      listenOnPage(frame, options)
      listenForSwipes(frame.doc, swipes)
    }
    view.show(next)
    options.onVisible(visiblePartOf(pages, pages.includes(last), hasMoved))
    const [after, ahead] = [nextTo(spreads, pages, 1), nextTo(spreads, pages, -1)]
    keepReady(options, before, [...(after ?? []), ...(ahead ?? [])])
  }
  const turn = async (by: 1 | -1): Promise<void> => {
    if (inTurn.isFull()) return
    await inTurn.run(async () => {
      const shown = view.shown()
      const next = shown && nextTo(spreads, shown.pages, by)
      if (next) await show(next, true)
      else if (by === 1 && shown) onEnd()
    })
  }
  const swipes = {
    canSwipe: () => !view.isZoomed(),
    onSwipe: (towards: 1 | -1) => void turn((towards === 1) === isRightToLeft ? 1 : -1),
  }
  return {
    swipes,
    turn,
    goTo: (index: number): Promise<void> =>
      inTurn.run(async () => {
        const pages = openWith(spreads, index)
        const shown = view.shown()
        // The position at which the book opens is known already.
        if (shown?.pages.join() !== pages.join()) await show(pages, shown !== undefined)
      }),
    pairUp: (isDouble: boolean): void => {
      if (isDouble === isPairedUp) return
      isPairedUp = isDouble
      spreads = fixedSpreadsOf(sections, { isDouble, isRightToLeft })
      void inTurn.run(async () => {
        const [first] = view.shown()?.pages ?? []
        if (first !== undefined) await show(openWith(spreads, first), false)
      })
    },
    stop: (): void => {
      isOpen = false
    },
  }
}

/** The next ones are made before one turns to them. */
const keepReady = ({ chapters }: FixedOptions, before: readonly number[], next: readonly number[]): void => {
  for (const index of before) chapters.unload(index)
  for (const index of next) void chapters.load(index)
}

const listenOnPage = ({ doc, index, size, markAt }: PageFrame, options: FixedOptions): void => {
  const { onSelect, onPoint, onMark, onWheel } = options
  listenInChapter(doc, {
    ...options,
    onSelect: (range) => onSelect(range && { range, index }),
    onPoint: (point) => {
      const id = markAt(point.inChapter)
      if (id === undefined) onPoint(point)
      else onMark(id)
    },
    // Pages of fixed layout consist of pictures, so a tap on a picture is a tap on the page.
    onPicture: (_, point) => onPoint(point),
    // A chapter that flows is scrolled.
    onWheel: (by, at) => {
      if (size) onWheel(by, at)
    },
  })
}

/** At the end the last page of the spread counts: whoever sees the end of a book has come to its end. */
const visiblePartOf = (pages: readonly number[], isAtEnd: boolean, hasMoved: boolean): VisiblePart => ({
  index: (isAtEnd ? pages.at(-1) : pages[0]) ?? 0,
  fraction: isAtEnd ? 1 : 0,
  from: 0,
  to: 1,
  cfi: undefined,
  quote: undefined,
  hasMoved: hasMoved || isAtEnd,
  left: 0,
  isAtEnd,
  isInColumns: false,
  passed: (ids) => ids,
  sections: pages,
})
