import { Overlayer } from 'foliate-js/overlayer.js'
import { Paginator, type Relocation } from 'foliate-js/paginator.js'
import type { Section } from '../../../reader/ebook/book-map.ts'
import type { EbookLook } from '../../../reader/ebook/ebook-look.ts'
import type { Place } from '../../../reader/ebook/ebook-locator.ts'
import type { Chapters } from './chapters.ts'
import { listenInChapter, type ChapterListeners } from './listen.ts'
import { anchorOf, cfiOf, quoteAt, startOf } from './places-in-chapter.ts'

/** What is in view. */
export interface Sight extends Place {
  /** The reader is elsewhere now; otherwise the text has only been laid out anew around where they are. */
  readonly hasMoved: boolean
  /** What of the chapter is in view, each 0 to 1. */
  readonly from: number
  readonly to: number
  /** Screens of this chapter that come after this one. */
  readonly left: number
  readonly isAtEnd: boolean
  /** Which of the asked for ids stand before what is in view ends. */
  readonly passed: (ids: readonly string[]) => readonly string[]
}

export interface Mark {
  readonly id: string
  readonly place: Place
  readonly colour: string
}

/** An open book on the screen, as the engine has it. */
export interface Engine {
  goTo(place: Place | { readonly index: number; readonly fragment: string | undefined }): Promise<void>
  turn(by: 1 | -1): Promise<void>
  wear(look: EbookLook, sheets: readonly [string, string]): void
  /** What is marked in the chapter in view. */
  mark(marks: readonly Mark[]): void
  /** The chapter in view. */
  chapter(): { readonly index: number; readonly doc: Document } | undefined
  close(): void
}

interface EngineOptions extends ChapterListeners {
  readonly host: HTMLElement
  readonly sections: readonly Section[]
  readonly chapters: Chapters
  readonly isRightToLeft: boolean
  readonly onSight: (sight: Sight) => void
  readonly onMark: (id: string) => void
  readonly onEnd: () => void
}

export const openEngine = (options: EngineOptions): Engine => {
  const { host, sections, chapters, onSight, onEnd } = options
  const paginator = paginatorFor(options)
  const drawing = drawMarks(paginator)
  let worn = ''
  let isOpen = true
  // The place one opens the book at is known already, and better than by the page it is on.
  let isAtPlace = false
  listenToChapters(paginator, drawing, options)
  listenBeside(paginator, options)
  on(paginator, 'relocate', (relocation) => {
    if (!isOpen) return
    onSight(sightOf(paginator, relocation, isAtPlace && relocation.reason !== 'anchor'))
    // The next ones are made before one turns to them.
    for (const index of [relocation.index + 1, relocation.index - 1]) if (sections[index]) void chapters.load(index)
  })
  host.append(paginator)

  const inTurn = oneAfterTheOther(() => isOpen)
  return {
    goTo: (place) =>
      inTurn.run(async () => {
        await paginator.goTo({
          index: place.index,
          anchor: (doc) => ('fraction' in place ? anchorOf(doc, place) : elementOf(doc, place.fragment)),
        })
        isAtPlace = true
      }),
    turn: async (by) => {
      if (inTurn.isFull()) return
      await inTurn.run(async () => {
        paginator.removeAttribute('animated')
        if (by === 1 && isAtEnd(paginator)) onEnd()
        else await (by === 1 ? paginator.next() : paginator.prev())
      })
    },
    wear: (look, sheets) => {
      const next = JSON.stringify([look, sheets])
      if (next === worn) return
      worn = next
      layOut(paginator, host, look)
      paginator.setStyles(sheets)
    },
    mark: drawing.mark,
    chapter: () => paginator.getContents()[0],
    close: () => {
      isOpen = false
      try {
        paginator.destroy()
      } catch {
        // It had nothing to show yet.
      }
      paginator.remove()
    },
  }
}

const paginatorFor = ({ sections, chapters, isRightToLeft }: EngineOptions): Paginator => {
  const paginator = new Paginator()
  paginator.open({
    dir: isRightToLeft ? 'rtl' : 'ltr',
    sections: sections.map(({ isLinear }, index) => ({
      load: () => chapters.load(index),
      unload: () => chapters.unload(index),
      ...(!isLinear && { linear: 'no' as const }),
    })),
  })
  return paginator
}

const listenToChapters = (paginator: Paginator, drawing: Drawing, options: EngineOptions): void =>
  on(paginator, 'load', ({ doc }) => {
    styleByScript(doc)
    listenInChapter(doc, {
      ...options,
      onPoint: (point) => {
        const id = drawing.markAt(doc, point.inChapter)
        if (id === undefined) options.onPoint(point)
        else options.onMark(id)
      },
      onTouch: () => paginator.toggleAttribute('animated', !prefersStill()),
    })
  })

/** Beside the text, where the window is larger than the page. */
const listenBeside = (paginator: Paginator, { onPoint, onWheel }: EngineOptions): void => {
  paginator.addEventListener('click', ({ clientX, clientY }) =>
    onPoint({
      x: clientX / window.innerWidth,
      y: clientY / window.innerHeight,
      inChapter: { x: Number.NaN, y: Number.NaN },
    }),
  )
  paginator.addEventListener('wheel', ({ deltaY, timeStamp }) => onWheel(deltaY > 0 ? 1 : -1, timeStamp), {
    passive: true,
  })
}

/** What the engine's own events carry; it is not typed. */
interface EngineDetails {
  readonly relocate: Relocation
  readonly load: { readonly doc: Document }
  readonly 'create-overlayer': { readonly doc: Document; readonly attach: (overlay: Overlayer) => void }
}

const on = <Name extends keyof EngineDetails>(
  target: EventTarget,
  name: Name,
  listener: (detail: EngineDetails[Name]) => void,
): void => target.addEventListener(name, (event) => listener((event as CustomEvent<EngineDetails[Name]>).detail))

const prefersStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Styles of elements, which the policy does not let a document bring along, and what our own sheets need to know. */
const styleByScript = (doc: Document): void => {
  for (const element of doc.querySelectorAll<HTMLElement>('[data-carrel-style]'))
    element.style.cssText = element.dataset.carrelStyle ?? ''
  const { defaultView } = doc
  for (const block of doc.querySelectorAll('p, li, dd, blockquote')) {
    const align = defaultView?.getComputedStyle(block).textAlign
    if (align === 'center' || align === 'right' || align === 'end' || align === '-webkit-center')
      block.setAttribute('data-carrel-aligned', '')
  }
}

const elementOf = (doc: Document, fragment: string | undefined): Element | number =>
  (fragment === undefined ? null : doc.getElementById(fragment)) ?? 0

/** What is marked, over the chapter in view. */
const drawMarks = (paginator: Paginator) => {
  const overlays = new WeakMap<Document, Overlayer>()
  let marks: readonly Mark[] = []
  let drawn: string[] = []
  const draw = (): void => {
    const [content] = paginator.getContents()
    const overlay = content && overlays.get(content.doc)
    if (!content || !overlay) return
    for (const id of drawn) overlay.remove(id)
    const here = marks.filter(({ place }) => place.index === content.index)
    drawn = here.flatMap(({ id, place, colour }) => {
      const range = anchorOf(content.doc, place)
      if (typeof range === 'number') return []
      overlay.add(id, range, Overlayer.highlight, { color: colour })
      return [id]
    })
  }
  on(paginator, 'create-overlayer', (detail) => {
    const overlay = new Overlayer(detail.doc)
    overlays.set(detail.doc, overlay)
    detail.attach(overlay)
    drawn = []
    draw()
  })
  return {
    mark: (next: readonly Mark[]): void => {
      marks = next
      draw()
    },
    markAt: (doc: Document, point: { readonly x: number; readonly y: number }): string | undefined =>
      overlays.get(doc)?.hitTest(point)[0],
  }
}

type Drawing = ReturnType<typeof drawMarks>

/** What one asks for while a chapter is on its way waits for it. */
const oneAfterTheOther = (isOpen: () => boolean) => {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    isFull: (): boolean => waiting >= waitingMax,
    run: (work: () => Promise<void>): Promise<void> => {
      waiting += 1
      const done = last.then(() => (isOpen() ? work() : undefined)).finally(() => (waiting -= 1))
      last = done.catch(() => undefined)
      return done
    },
  }
}

/** Keys that are held down do not turn pages long after they were let go. */
const waitingMax = 8

/** Space above and below the text, where the controls come and go without covering it. */
const marginPixels = 56

const layOut = (paginator: Paginator, host: HTMLElement, { textFlow, textMargin, columns }: EbookLook): void => {
  const { width } = host.getBoundingClientRect()
  const set = (name: string, value: string): void => {
    if (paginator.getAttribute(name) !== value) paginator.setAttribute(name, value)
  }
  set('margin', `${marginPixels}px`)
  set('gap', `${Math.max(1, textMargin)}%`)
  set('max-column-count', columns === 'one' ? '1' : '2')
  set('max-inline-size', `${columns === 'two' ? Math.max(200, Math.floor(width / 2) - 1) : 720}px`)
  set('max-block-size', '1440px')
  set('flow', textFlow === 'scrolled' ? 'scrolled' : 'paginated')
}

const leftIn = ({ scrolled, page, pages, size, viewSize, end }: Paginator): number =>
  Math.max(0, scrolled ? Math.ceil((viewSize - end - 2) / Math.max(1, size)) : pages - 2 - page)

const isAtEnd = (paginator: Paginator): boolean =>
  paginator.atEnd && (!paginator.scrolled || paginator.viewSize - paginator.end <= 2)

const sightOf = (paginator: Paginator, relocation: Relocation, hasMoved: boolean): Sight => {
  const { range, index, fraction = 0, size = 0 } = relocation
  const start = startOf(range)
  const far = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0
  return {
    index,
    fraction: isAtEnd(paginator) ? 1 : far,
    from: far,
    to: paginator.scrolled ? paginator.end / Math.max(1, paginator.viewSize) : far + size,
    cfi: cfiOf(start),
    quote: quoteAt(start),
    hasMoved,
    left: leftIn(paginator),
    isAtEnd: isAtEnd(paginator),
    passed: (ids) => ids.filter((id) => isBefore(range, id)),
  }
}

const isBefore = (range: Range, id: string): boolean => {
  const element = range.startContainer.ownerDocument?.getElementById(id)
  if (!element) return false
  try {
    return range.comparePoint(element, 0) <= 0
  } catch {
    return false
  }
}
