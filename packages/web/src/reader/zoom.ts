export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** It says how the content lies in the window: how much larger, and where its upper left corner is. */
export interface View extends Point {
  readonly scale: number
}

export type Fit = 'smart' | 'screen' | 'width' | 'height' | 'original'

/** It is the factor by which a page is enlarged before anybody zooms. */
export const fittingScale = (fit: Fit, content: Size, window: Size): number => {
  const wide = window.width / content.width
  const high = window.height / content.height
  const scales: Readonly<Record<Fit, number>> = {
    smart: Math.min(wide, high),
    screen: Math.min(1, wide, high),
    width: wide,
    height: high,
    original: 1,
  }
  const scale = scales[fit]
  return Number.isFinite(scale) && scale > 0 ? scale : 1
}

export const zoomMax = 8

/** Content larger than the window leaves no empty edge, smaller content lies in its middle. */
export const clampView = ({ scale, x, y }: View, content: Size, window: Size): View => ({
  scale,
  x: along(x, content.width * scale, window.width),
  y: along(y, content.height * scale, window.height),
})

const along = (start: number, length: number, window: number): number =>
  length <= window ? (window - length) / 2 : Math.min(0, Math.max(window - length, start))

/** It zooms by a factor; what is under `point` stays there, as far as the edges let it. */
export const zoomedAt = (view: View, factor: number, point: Point, room: Room): View => {
  const scale = Math.min(room.fitting * zoomMax, Math.max(room.fitting, view.scale * factor))
  const grown = scale / view.scale
  const moved = { scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown }
  return clampView(moved, room.content, room.window)
}

export interface Room {
  readonly content: Size
  readonly window: Size
  /** The scale nobody zooms out below. */
  readonly fitting: number
}

export const panned = (view: View, by: Point, { content, window }: Room): View =>
  clampView({ ...view, x: view.x + by.x, y: view.y + by.y }, content, window)

/** Two fingers that move: they hold what was under them. */
export const pinched = (
  view: View,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  room: Room,
): View => {
  const from = middleOf(before)
  const to = middleOf(after)
  const apart = distance(before)
  const factor = apart > 0 ? distance(after) / apart : 1
  const moved = { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y }
  return zoomedAt(moved, factor, to, room)
}

const middleOf = ([a, b]: readonly [Point, Point]): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const distance = ([a, b]: readonly [Point, Point]): number => Math.hypot(a.x - b.x, a.y - b.y)

/** A page begins at its upper edge, and on the side where reading begins. */
export const startView = (fitting: number, { content, window }: Omit<Room, 'fitting'>, isRightToLeft: boolean): View =>
  clampView({ scale: fitting, x: isRightToLeft ? -content.width * fitting : 0, y: 0 }, content, window)
