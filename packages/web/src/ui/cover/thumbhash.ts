import { thumbHashToRGBA } from 'thumbhash'

/** Onto a canvas, because a data: address would need a looser content security policy. */
export const paintThumbhash = (canvas: HTMLCanvasElement, thumbhash: string): void => {
  const bytes = Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0))
  const { w, h, rgba } = thumbHashToRGBA(bytes)
  canvas.width = w
  canvas.height = h
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0)
}
