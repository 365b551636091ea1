import { thumbHashToRGBA } from 'thumbhash'

/** Onto a canvas, because a data: address would need a looser content security policy. */
export const paintThumbhash = (canvas: HTMLCanvasElement, thumbhash: string): void => {
  const bytes = Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0))
  const { w, h, rgba } = thumbHashToRGBA(bytes)
  canvas.width = w
  canvas.height = h
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0)
}

/**
 * The same from so far away that no edge is left. To double a picture with smoothing cuts its corners: after a few times it is
 * as soft as if it were blurred, and the browser does it once instead of with every frame.
 */
export const paintSoftThumbhash = (canvas: HTMLCanvasElement, thumbhash: string): void => {
  let soft = document.createElement('canvas')
  paintThumbhash(soft, thumbhash)
  for (let doubled = 1; doubled < doublings; doubled++) soft = paintDoubled(document.createElement('canvas'), soft)
  paintDoubled(canvas, soft)
}

const doublings = 3

const paintDoubled = (canvas: HTMLCanvasElement, from: HTMLCanvasElement): HTMLCanvasElement => {
  canvas.width = 2 * from.width
  canvas.height = 2 * from.height
  canvas.getContext('2d')?.drawImage(from, 0, 0, canvas.width, canvas.height)
  return canvas
}
