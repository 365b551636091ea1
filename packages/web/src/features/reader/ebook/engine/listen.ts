export interface ChapterPoint {
  /** Coordinates are shares of the window, 0 to 1. */
  readonly x: number
  readonly y: number
  readonly inChapter: { readonly x: number; readonly y: number }
}

export interface BookPicture {
  readonly address: string
  readonly text: string
}

/** A picture that was pressed. */
export interface PressedPicture extends BookPicture {
  /** It is what the page consists of: its edges are those of the page. */
  readonly isPage: boolean
}

/** It reports what a reader does inside a chapter, which is a document of its own. */
export interface ChapterListeners {
  readonly onPoint: (point: ChapterPoint) => void
  readonly onLink: (link: Element, reference: string) => void
  readonly onPicture: (picture: PressedPicture, point: ChapterPoint) => void
  readonly onSelect: (range: Range | undefined) => void
  /** It is called when the user scrolls beyond the end, or where the wheel turns pages. */
  readonly onWheel: (by: 1 | -1, at: number) => void
  readonly onTouch?: () => void
}

const signs = ['pointerdown', 'pointermove', 'wheel', 'touchmove'] as const

export const listenInChapter = (doc: Document, listeners: ChapterListeners): void => {
  const { onSelect, onTouch } = listeners
  // Activity inside the chapter counts as a sign of the reader, like activity around it.
  for (const name of signs)
    doc.addEventListener(name, () => window.dispatchEvent(new Event('pointermove')), { passive: true })
  doc.addEventListener('keydown', passOn)
  doc.addEventListener('click', (event) => click(event, listeners))
  doc.addEventListener('auxclick', (event) => {
    if (linkAt(event)) event.preventDefault()
  })
  doc.addEventListener('selectionchange', () => onSelect(selected(doc)))
  doc.addEventListener('touchstart', () => onTouch?.(), { passive: true })
  doc.addEventListener(
    'wheel',
    ({ deltaY, deltaX, timeStamp }) => {
      const by = Math.abs(deltaY) > Math.abs(deltaX) ? deltaY : deltaX
      if (Math.abs(by) > 4) listeners.onWheel(by > 0 ? 1 : -1, timeStamp)
    },
    { passive: true },
  )
}

/** It listens beside the text, where the window is larger than the page. */
export const listenBeside = (
  around: HTMLElement,
  { onPoint, onWheel }: Pick<ChapterListeners, 'onPoint' | 'onWheel'>,
): void => {
  around.addEventListener('click', ({ clientX, clientY }) =>
    onPoint({
      x: clientX / window.innerWidth,
      y: clientY / window.innerHeight,
      inChapter: { x: Number.NaN, y: Number.NaN },
    }),
  )
  around.addEventListener('wheel', ({ deltaY, timeStamp }) => onWheel(deltaY > 0 ? 1 : -1, timeStamp), {
    passive: true,
  })
}

/** Keys go to the reader's own document, where they are listened to. */
const passOn = (event: KeyboardEvent): void => {
  if (isPlayer(event) && playerKeys.has(event.key)) return
  const { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event
  const properties = { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat, bubbles: true, cancelable: true }
  if (!document.body.dispatchEvent(new KeyboardEvent('keydown', properties))) event.preventDefault()
}

const selected = (doc: Document): Range | undefined => {
  const selection = doc.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  return range.toString().trim() === '' ? undefined : range
}

const xlink = 'http://www.w3.org/1999/xlink'

const elementAt = ({ target }: Event): Element | undefined =>
  // It belongs to the document of the chapter, whose `Element` is another one.
  target !== null && 'closest' in target ? (target as Element) : undefined

/** Sound and film have controls of their own. */
const isPlayer = (event: Event): boolean => elementAt(event)?.closest('audio, video') != null
const playerKeys = new Set([' ', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

const linkAt = (event: Event): Element | null | undefined => elementAt(event)?.closest('a[href], area[href], a')

const click = (event: MouseEvent, { onPoint, onLink, onPicture }: ChapterListeners): void => {
  const link = linkAt(event)
  const reference = link?.getAttribute('href') ?? link?.getAttributeNS(xlink, 'href')
  if (link && reference != null) {
    event.preventDefault()
    return onLink(link, reference)
  }
  const doc = elementAt(event)?.ownerDocument
  if (!doc || selected(doc) || isPlayer(event)) return undefined
  const point = pointOf(event, doc)
  const picture = elementAt(event)?.closest('img, image')
  const address = picture?.getAttribute('src') ?? picture?.getAttribute('href')
  if (picture && address != null) {
    const { width, height } = picture.getBoundingClientRect()
    const isPage = width * height > (window.innerWidth * window.innerHeight) / 2
    return onPicture({ address, text: picture.getAttribute('alt') ?? '', isPage }, point)
  }
  return onPoint(point)
}

const pointOf = ({ clientX, clientY }: MouseEvent, { defaultView }: Document): ChapterPoint => {
  const frame = defaultView?.frameElement
  const { left = 0, top = 0, width = 0 } = frame?.getBoundingClientRect() ?? {}
  // A page of fixed layout is shown larger or smaller than it is.
  const scale = frame && frame.clientWidth > 0 ? width / frame.clientWidth : 1
  return {
    x: (left + clientX * scale) / window.innerWidth,
    y: (top + clientY * scale) / window.innerHeight,
    inChapter: { x: clientX, y: clientY },
  }
}
