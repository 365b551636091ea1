import { thumbHashToRGBA } from 'thumbhash'
import { nextPaint } from '../state/next-paint.ts'

const waiting = new Map<HTMLCanvasElement, () => void>()

/** Words and frames are seen first, and what only stands for pictures right after: to work out a page of them takes as long as to draw it. */
const paintSoon = (canvas: HTMLCanvasElement, paint: () => void): void => {
  if (waiting.size === 0) void nextPaint().then(paintAll)
  waiting.set(canvas, paint)
}

const paintAll = (): void => {
  // The picture of some has come meanwhile.
  for (const [canvas, paint] of waiting) if (canvas.isConnected) paint()
  waiting.clear()
}

export const paintThumbhash = (canvas: HTMLCanvasElement, thumbhash: string): void =>
  paintSoon(canvas, () => paint(canvas, thumbhash))

/** Onto a canvas, because a data: address would need a looser content security policy. */
const paint = (canvas: HTMLCanvasElement, thumbhash: string): void => {
  const bytes = Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0))
  const { w, h, rgba } = thumbHashToRGBA(bytes)
  canvas.width = w
  canvas.height = h
  contextOf(canvas)?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0)
}

/**
 * The same from so far away that no edge is left. To double a picture with smoothing cuts its corners: after a few times it is
 * as soft as if it were blurred, and the browser does it once instead of with every frame.
 */
export const paintSoftThumbhash = (canvas: HTMLCanvasElement, thumbhash: string): void =>
  paintSoon(canvas, () => {
    let soft = document.createElement('canvas')
    paint(soft, thumbhash)
    for (let doubled = 1; doubled < doublings; doubled++) soft = paintDoubled(document.createElement('canvas'), soft)
    paintDoubled(canvas, soft)
  })

const doublings = 3

const paintDoubled = (canvas: HTMLCanvasElement, from: HTMLCanvasElement): HTMLCanvasElement => {
  canvas.width = 2 * from.width
  canvas.height = 2 * from.height
  contextOf(canvas)?.drawImage(from, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** These are far too small for the graphics card: to send them there and back is what would take long. */
const contextOf = (canvas: HTMLCanvasElement): CanvasRenderingContext2D | null =>
  canvas.getContext('2d', { willReadFrequently: true })
