import { Overlayer } from 'foliate-js/overlayer.js'
import { drawingSize, type PageSize, soundSize, viewportSize } from '../../../../reader/ebook/fixed-pages.ts'

/** A page of fixed layout on the screen: a document of its own, made larger or smaller as a whole. */
export interface PageFrame {
  readonly index: number
  readonly doc: Document
  /** It is the original size of the page; undefined for a chapter that flows, which is as large as the window. */
  readonly size: PageSize | undefined
  resize(size: PageSize, scale: number): void
  /** It draws these marks on the page. */
  mark(marks: readonly DrawnMark[]): void
  markAt(point: { readonly x: number; readonly y: number }): string | undefined
}

interface DrawnMark {
  readonly id: string
  readonly range: Range
  readonly colour: string
}

export interface PageOptions {
  readonly index: number
  readonly address: Promise<string>
  /** Screen readers call the page by this title. */
  readonly title: string
  readonly isFlowing: boolean
}

/** A page that does not state its size is laid out in this, and takes what it needs. */
const usual: PageSize = { width: 800, height: 1100 }

/** The frame is put into `layer`; the promise resolves when it has loaded with its pictures. */
export const openPage = async (
  { index, address, title, isFlowing }: PageOptions,
  layer: Element,
): Promise<PageFrame> => {
  const frame = document.createElement('iframe')
  // WebKit tells nobody outside what happens in a frame without scripts; there the policy and the server's sanitiser hold.
  const sandbox = 'GestureEvent' in globalThis ? 'allow-same-origin allow-scripts' : 'allow-same-origin'
  frame.setAttribute('sandbox', sandbox)
  frame.setAttribute('scrolling', isFlowing ? 'auto' : 'no')
  frame.title = title
  // Paper: what a page does not paint is white, whatever is around it.
  Object.assign(frame.style, { border: '0', display: 'block', background: '#ffffff', colorScheme: 'light' })
  setSize(frame, usual)
  const sheet = div({ position: 'relative', transformOrigin: '0 0' }, frame)
  const box = div({ flex: 'none', overflow: 'hidden' }, sheet)
  frame.src = await address
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  layer.append(box)
  await loaded
  const doc = frame.contentDocument
  if (!doc) throw new Error('A page that was put into the document is not in it')
  putOnStyles(doc)
  const overlay = new Overlayer(doc)
  sheet.append(overlay.element)
  return {
    index,
    doc,
    size: isFlowing ? undefined : (sizeOf(doc) ?? usual),
    resize: (size, scale) => {
      setSize(frame, size)
      setSize(box, { width: size.width * scale, height: size.height * scale })
      setSize(sheet, size)
      sheet.style.transform = `scale(${scale})`
      overlay.redraw()
    },
    mark: marksOn(overlay),
    markAt: (point) => overlay.hitTest(point)[0],
  }
}

const marksOn = (overlay: Overlayer) => {
  let drawn: string[] = []
  return (marks: readonly DrawnMark[]): void => {
    for (const id of drawn) overlay.remove(id)
    for (const { id, range, colour } of marks) overlay.add(id, range, Overlayer.highlight, { color: colour })
    drawn = marks.map(({ id }) => id)
  }
}

/** Styles of elements, which the policy does not let a document bring along. */
export const putOnStyles = (doc: Document): void => {
  for (const element of doc.querySelectorAll<HTMLElement>('[data-carrel-style]'))
    element.style.cssText = element.dataset.carrelStyle ?? ''
}

const div = (style: Partial<CSSStyleDeclaration>, ...children: Element[]): HTMLDivElement => {
  const element = document.createElement('div')
  Object.assign(element.style, style)
  element.append(...children)
  return element
}

const setSize = ({ style }: HTMLElement, { width, height }: PageSize): void => {
  Object.assign(style, { width: `${width}px`, height: `${height}px` })
}

/** The size is stated by the page, else by its only drawing or picture, else it is what the content takes. */
const sizeOf = (doc: Document): PageSize | undefined => {
  const viewport = doc.querySelector('meta[name="viewport"]')?.getAttribute('content')
  const only = doc.body?.childElementCount === 1 ? doc.body.firstElementChild : null
  const { scrollWidth, scrollHeight } = doc.documentElement
  return (
    viewportSize(viewport ?? '') ??
    drawingSize((only?.localName === 'svg' && only.getAttribute('viewBox')) || '') ??
    pictureSize(only) ??
    soundSize(scrollWidth, scrollHeight)
  )
}

const pictureSize = (only: Element | null): PageSize | undefined => {
  if (only?.localName !== 'img') return undefined
  // It belongs to the document of the page, whose kind of element is another one.
  const { naturalWidth, naturalHeight } = only as HTMLImageElement
  return soundSize(naturalWidth, naturalHeight)
}
