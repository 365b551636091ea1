import { layOutPages, type PageSize } from '../../../../reader/ebook/fixed-pages.ts'
import type { EngineOptions, Mark } from './engine.ts'
import { openPage, type PageFrame } from './page-frame.ts'
import { anchorOf } from './locations-in-chapter.ts'

export interface FixedOptions extends EngineOptions {
  readonly pageTitle: (index: number) => string
}

/** One page is open, or two. */
export interface OpenPages {
  readonly pages: readonly number[]
  /** The frames stand from left to right. */
  readonly frames: readonly PageFrame[]
  readonly layer: HTMLElement
}

const zoomMax = 5

/** The pages on the screen, as large as the window lets them be, or larger. */
export const fixedView = ({ host }: Pick<FixedOptions, 'host'>) => {
  const { stage, root } = stageIn(host)
  let shown: OpenPages | undefined
  let marks: readonly Mark[] = []
  let zoom = 1
  const layOut = (): void => {
    stage.style.overflow = zoom === 1 ? 'hidden' : 'auto'
    if (shown) layOutIn(shown, host.getBoundingClientRect(), zoom)
  }
  const observer = new ResizeObserver(layOut)
  observer.observe(host)
  return {
    stage,
    root,
    shown: (): OpenPages | undefined => shown,
    isZoomed: (): boolean => zoom > 1 || (window.visualViewport?.scale ?? 1) > 1.01,
    show: (next: OpenPages): void => {
      const before = shown
      shown = next
      zoom = 1
      draw(next, marks)
      layOut()
      Object.assign(next.layer.style, isShown)
      before?.layer.remove()
    },
    mark: (next: readonly Mark[]): void => {
      marks = next
      if (shown) draw(shown, marks)
    },
    zoom: (factor: number): void => {
      if (!shown) return
      const { layer } = shown
      const [window, before] = [stage.getBoundingClientRect(), layer.getBoundingClientRect()]
      const [x, y] = [window.left + window.width / 2, window.top + window.height / 2]
      zoom = Math.min(zoomMax, Math.max(1, zoom * factor))
      layOut()
      // The middle of the view stays where it is.
      const after = layer.getBoundingClientRect()
      const grown = after.width / before.width
      stage.scrollBy(after.left + (x - before.left) * grown - x, after.top + (y - before.top) * grown - y)
    },
    close: (): void => {
      observer.disconnect()
      stage.remove()
    },
  }
}

/** The pages live in a shadow root, so that the reader's own styles do not apply to the book. */
const stageIn = (host: HTMLElement): { readonly stage: HTMLElement; readonly root: ShadowRoot } => {
  const stage = document.createElement('div')
  Object.assign(stage.style, {
    position: 'absolute',
    inset: '0',
    overflow: 'hidden',
    display: 'grid',
    direction: 'ltr',
  })
  host.append(stage)
  return { stage, root: stage.attachShadow({ mode: 'closed' }) }
}

/** A page is built out of sight, and without a size that would move anything else. */
const isHidden = { position: 'absolute', inset: '0', overflow: 'hidden', display: 'flex', visibility: 'hidden' }
const isShown = { position: 'static', overflow: 'visible', margin: 'auto', visibility: 'visible' }

/** The open pages stay until all of the next ones have loaded. */
export const makePages = async (
  { sections, chapters, isRightToLeft, pageTitle }: FixedOptions,
  pages: readonly number[],
  root: ShadowRoot,
): Promise<OpenPages> => {
  const layer = document.createElement('div')
  Object.assign(layer.style, isHidden)
  root.append(layer)
  const lying = isRightToLeft ? pages.toReversed() : pages
  const slots = lying.map(() => layer.appendChild(document.createElement('div')))
  const frames = await Promise.all(
    lying.map((index, position) => {
      const isFlowing = sections[index]?.isFlowing === true
      const options = { index, address: chapters.load(index), title: pageTitle(index), isFlowing }
      return openPage(options, slots[position] ?? layer)
    }),
  )
  return { pages, layer, frames }
}

const layOutIn = ({ frames, layer }: OpenPages, { width, height }: PageSize, zoom: number): void => {
  const sizes = frames.map(({ size }) => size ?? { width: width / frames.length, height })
  const laidOut = layOutPages(sizes, { width, height }, zoom)
  Object.assign(layer.style, { width: `${laidOut.width}px`, height: `${laidOut.height}px` })
  for (const [index, frame] of frames.entries())
    frame.resize(sizes[index] ?? { width, height }, laidOut.scales[index] ?? 1)
}

const draw = ({ frames }: OpenPages, marks: readonly Mark[]): void => {
  for (const { index, doc, mark } of frames) {
    const here = marks.filter(({ location }) => location.index === index)
    mark(
      here.flatMap(({ id, location, colour }) => {
        const range = anchorOf(doc, location)
        return typeof range === 'number' ? [] : [{ id, range, colour }]
      }),
    )
  }
}
