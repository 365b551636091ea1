import { bookLimits } from '../limits.ts'

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** A page has its stated size at the resolution scans are commonly made with, as points mean nothing to clients. */
const pixelsPerPoint = 150 / 72
/** No JPEG is longer. */
const longestEdge = 65_500
/** A page is rendered this wide when nobody asks for a width: most comics have such pages. */
const usualWidth = 1600

/** It is the size stated for a page before it is rendered: its shape, and about its size. */
export const announcedSize = (points: PixelSize): PixelSize | undefined => scaled(points, pixelsPerPoint)

/** A page is rendered at this size. */
export const renderedSize = (points: PixelSize, maxEdge: number | undefined): PixelSize | undefined => {
  if (maxEdge === undefined) return scaled(points, usualWidth / points.width)
  const edge = Math.min(Math.max(1, maxEdge), longestEdge)
  return scaled(points, edge / Math.max(points.width, points.height))
}

const scaled = (points: PixelSize, factor: number): PixelSize | undefined => {
  const [width, height] = [points.width * factor, points.height * factor]
  if (!(width > 0 && height > 0 && Number.isFinite(width * height))) return undefined
  const shrink = Math.min(1, longestEdge / width, longestEdge / height, Math.sqrt(bookLimits.pixels / (width * height)))
  const rounded = edges(width * shrink, height * shrink, Math.round)
  return rounded.width * rounded.height <= bookLimits.pixels
    ? rounded
    : edges(width * shrink, height * shrink, Math.floor)
}

const edges = (width: number, height: number, round: (edge: number) => number): PixelSize => ({
  width: Math.max(1, round(width)),
  height: Math.max(1, round(height)),
})
