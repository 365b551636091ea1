import { Overlayer } from 'foliate-js/overlayer.js'
import { Paginator, type Relocation } from 'foliate-js/paginator.js'
import type { Section } from '../../../../reader/ebook/book-map.ts'
import { measure, type TextAppearance } from '../../../../reader/ebook/text-appearance.ts'
import type { EbookLocation } from '../../../../reader/ebook/ebook-locator.ts'
import type { Chapters } from './chapters.ts'
import { oneAfterTheOther } from './in-turn.ts'
import { type ChapterListeners, listenBeside, listenInChapter } from './listen.ts'
import { putOnStyles } from './page-frame.ts'
import { sayPictureAlone } from './picture-alone.ts'
import { anchorOf, cfiOf, quoteAt, startOf } from './locations-in-chapter.ts'

/** It describes the part of the book in view. */
export interface VisiblePart extends EbookLocation {
  /** The position has changed; otherwise the text has only been laid out again around it. */
  readonly hasMoved: boolean
  /** The part of the chapter in view begins and ends here, each 0 to 1. */
  readonly from: number
  readonly to: number
  /** Screens of this chapter that come after this one. */
  readonly left: number
  readonly isAtEnd: boolean
  /** It is seen in two columns side by side. */
  readonly isInColumns: boolean
  /** It returns those of the given ids that stand before the end of what is in view. */
  readonly passed: (ids: readonly string[]) => readonly string[]
  /** Files of which anything is in view, in reading order. */
  readonly sections: readonly number[]
}

/** It says how the book is shown. */
export interface Appearance {
  readonly text: TextAppearance
  readonly sheets: readonly [string, string]
  /** A book of fixed layout shows two pages at once. */
  readonly isDouble: boolean
}

/** Text that somebody has selected, and in which file of the book. */
export interface Selected {
  readonly range: Range
  readonly index: number
}

export interface Mark {
  readonly id: string
  readonly location: EbookLocation
  readonly colour: string
}

/** An open book on the screen, as the engine has it. */
export interface Engine {
  goTo(target: EbookLocation | { readonly index: number; readonly fragment: string | undefined }): Promise<void>
  turn(by: 1 | -1): Promise<void>
  setAppearance(appearance: Appearance): void
  /** It marks passages in the chapter in view. */
  mark(marks: readonly Mark[]): void
  /** Larger or smaller, where text is not; 0 is as large as it fits. */
  readonly zoom?: (factor: number) => void
  /** It returns which file of the book is shown in this document. */
  sectionOf(doc: Document): number | undefined
  /** A file that is not shown has no document. */
  documentOf(index: number): Document | undefined
  close(): void
}

export interface EngineOptions extends Omit<ChapterListeners, 'onSelect'> {
  readonly host: HTMLElement
  readonly sections: readonly Section[]
  readonly chapters: Chapters
  readonly isRightToLeft: boolean
  readonly language: string | undefined
  readonly onVisible: (part: VisiblePart) => void
  readonly onSelect: (selected: Selected | undefined) => void
  readonly onMark: (id: string) => void
  readonly onEnd: () => void
}

/** A book whose text flows. */
export const openEngine = (options: EngineOptions): Engine => {
  const { host, sections, chapters, onVisible, onEnd } = options
  const paginator = paginatorFor(options)
  const drawing = drawMarks(paginator)
  let current = ''
  let isOpen = true
  // The position at which the book opens is known already, and better than by the page it is on.
  let hasOpened = false
  listenToChapters(paginator, drawing, options)
  listenBeside(paginator, options)
  on(paginator, 'relocate', (relocation) => {
    if (!isOpen) return
    onVisible(visiblePartOf(paginator, relocation, hasOpened && relocation.reason !== 'anchor'))
    // The next ones are made before one turns to them.
    for (const index of [relocation.index + 1, relocation.index - 1]) if (sections[index]) void chapters.load(index)
  })
  host.append(paginator)
  let shown: TextAppearance | undefined
  const widths = new ResizeObserver(() => {
    if (shown) layOut(paginator, host, shown)
  })
  widths.observe(host)

  const inTurn = oneAfterTheOther(() => isOpen)
  return {
    goTo: (target) =>
      inTurn.run(async () => {
        await paginator.goTo({
          index: target.index,
          anchor: (doc) => ('fraction' in target ? anchorOf(doc, target) : elementOf(doc, target.fragment)),
        })
        hasOpened = true
      }),
    turn: async (by) => {
      if (inTurn.isFull()) return
      await inTurn.run(async () => {
        paginator.removeAttribute('animated')
        if (by === 1 && isAtEnd(paginator)) onEnd()
        else await (by === 1 ? paginator.next() : paginator.prev())
      })
    },
    setAppearance: ({ text, sheets }) => {
      const next = JSON.stringify([text, sheets])
      if (next === current) return
      current = next
      shown = text
      layOut(paginator, host, text)
      paginator.setStyles(sheets)
    },
    mark: drawing.mark,
    sectionOf: (doc) => paginator.getContents().find((content) => content.doc === doc)?.index,
    documentOf: (index) => paginator.getContents().find((content) => content.index === index)?.doc,
    close: () => {
      isOpen = false
      widths.disconnect()
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
  on(paginator, 'load', ({ doc, index }) => {
    putOnStyles(doc)
    sayLanguage(doc, options.language)
    sayAlignment(doc)
    sayPictureAlone(doc)
    listenInChapter(doc, {
      ...options,
      onSelect: (range) => options.onSelect(range && { range, index }),
      onPoint: (point) => {
        const id = drawing.markAt(doc, point.inChapter)
        if (id === undefined) options.onPoint(point)
        else options.onMark(id)
      },
      onTouch: () => paginator.toggleAttribute('animated', !prefersStill()),
    })
  })

/** The engine's own events carry this; they have no types. */
interface EngineDetails {
  readonly relocate: Relocation
  readonly load: { readonly doc: Document; readonly index: number }
  readonly 'create-overlayer': { readonly doc: Document; readonly attach: (overlay: Overlayer) => void }
}

const on = <Name extends keyof EngineDetails>(
  target: EventTarget,
  name: Name,
  listener: (detail: EngineDetails[Name]) => void,
): void => target.addEventListener(name, (event) => listener((event as CustomEvent<EngineDetails[Name]>).detail))

const prefersStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Words are divided as the language of the book does it, which not every chapter says. */
const sayLanguage = ({ documentElement }: Document, language: string | undefined): void => {
  const languageTag = documentElement.getAttribute('lang') ?? documentElement.getAttribute('xml:lang') ?? ''
  if (languageTag === '' && language !== undefined) documentElement.setAttribute('lang', language)
  else if (languageTag !== '' && !documentElement.hasAttribute('lang'))
    documentElement.setAttribute('lang', languageTag)
}

/** Our own style sheets need to know the alignment: text that is aligned otherwise stays so. */
const sayAlignment = (doc: Document): void => {
  const { defaultView } = doc
  for (const block of doc.querySelectorAll('p, li, dd, blockquote')) {
    const align = defaultView?.getComputedStyle(block).textAlign
    if (align === 'center' || align === 'right' || align === 'end' || align === '-webkit-center')
      block.setAttribute('data-carrel-aligned', '')
  }
}

const elementOf = (doc: Document, fragment: string | undefined): Element | number =>
  (fragment === undefined ? null : doc.getElementById(fragment)) ?? 0

/** It draws the marks over the chapter in view. */
const drawMarks = (paginator: Paginator) => {
  const overlays = new WeakMap<Document, Overlayer>()
  let marks: readonly Mark[] = []
  let drawn: string[] = []
  const draw = (): void => {
    const [content] = paginator.getContents()
    const overlay = content && overlays.get(content.doc)
    if (!content || !overlay) return
    for (const id of drawn) overlay.remove(id)
    const here = marks.filter(({ location }) => location.index === content.index)
    drawn = here.flatMap(({ id, location, colour }) => {
      const range = anchorOf(content.doc, location)
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

/** Space above and below the text, where the controls come and go without covering it. */
const marginPixels = 56

const layOut = (paginator: Paginator, host: HTMLElement, text: TextAppearance): void => {
  const { width } = host.getBoundingClientRect()
  const { textFlow, textMargin, columns } = text
  const set = (name: string, value: string): void => {
    if (paginator.getAttribute(name) !== value) paginator.setAttribute(name, value)
  }
  const gap = Math.max(1, textMargin)
  const letters = 16 * (text.textSize / 100)
  const between = (gap / 100) * width
  // More room makes a second column, and not longer lines.
  const isRoomy = width >= 2 * (measure.min * letters + between)
  const widest = Math.round(measure.max * letters + between)
  set('margin', `${marginPixels}px`)
  set('gap', `${gap}%`)
  set('max-column-count', columns === 'one' || (columns === 'auto' && !isRoomy) ? '1' : '2')
  set('max-inline-size', `${columns === 'two' ? Math.max(200, Math.min(widest, Math.floor(width / 2) - 1)) : widest}px`)
  set('max-block-size', '1440px')
  set('flow', textFlow === 'scrolled' ? 'scrolled' : 'paginated')
}

const leftIn = ({ scrolled, page, pages, size, viewSize, end }: Paginator): number =>
  Math.max(0, scrolled ? Math.ceil((viewSize - end - 2) / Math.max(1, size)) : pages - 2 - page)

const isAtEnd = (paginator: Paginator): boolean =>
  paginator.atEnd && (!paginator.scrolled || paginator.viewSize - paginator.end <= 2)

const visiblePartOf = (paginator: Paginator, relocation: Relocation, hasMoved: boolean): VisiblePart => {
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
    isInColumns: !paginator.scrolled && paginator.columnCount === 2,
    passed: (ids) => ids.filter((id) => isBefore(range, id)),
    sections: [index],
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
