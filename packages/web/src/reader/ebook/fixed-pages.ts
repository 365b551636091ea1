/** It is the side of a page of fixed layout when two are open; undefined where the book does not say. */
export type Side = 'left' | 'right' | 'center'

export interface FixedPage {
  readonly side?: Side | undefined
  /** Notes and other pages that are reached only by a link lie beside nothing. */
  readonly isLinear: boolean
}

interface SpreadOptions {
  readonly isDouble: boolean
  readonly isRightToLeft: boolean
}

/**
 * It groups the pages that are open together, by their positions in the book, in reading order. The first page is a
 * cover, and stands alone unless the book says where it lies; from then on pages lie as they would in a bound book.
 */
export const fixedSpreadsOf = (
  pages: readonly FixedPage[],
  { isDouble, isRightToLeft }: SpreadOptions,
): readonly (readonly number[])[] => {
  const [begins, ends] = isRightToLeft ? ['right', 'left'] : ['left', 'right']
  const spreads: number[][] = []
  // The one that lies open with nothing on its other side yet.
  let open: number[] | undefined
  for (const [index, { side, isLinear }] of pages.entries()) {
    if (!isLinear) continue
    const lies = isDouble ? (side ?? (open || spreads.length === 0 ? ends : begins)) : 'center'
    if (lies === ends && open) {
      open.push(index)
      open = undefined
      continue
    }
    const spread = [index]
    spreads.push(spread)
    open = lies === begins ? spread : undefined
  }
  return spreads
}

/** The pages to be seen for one of them: those it is open with, or it alone. */
export const openWith = (spreads: readonly (readonly number[])[], index: number): readonly number[] =>
  spreads.find((spread) => spread.includes(index)) ?? [index]

/** The pages after or before those that are open. */
export const nextTo = (
  spreads: readonly (readonly number[])[],
  shown: readonly number[],
  by: 1 | -1,
): readonly number[] | undefined =>
  by === 1
    ? spreads.find(([first = 0]) => first > (shown.at(-1) ?? -1))
    : spreads.findLast((spread) => (spread.at(-1) ?? 0) < (shown[0] ?? 0))

export interface PageSize {
  readonly width: number
  readonly height: number
}

/** A larger size is a mistake, or an attack. */
const edgeMax = 20_000

export const soundSize = (width: number, height: number): PageSize | undefined =>
  width >= 1 && height >= 1 && width <= edgeMax && height <= edgeMax ? { width, height } : undefined

/** It reads the `viewport` of a page: `width=1200, height=1600`. */
export const viewportSize = (content: string): PageSize | undefined => {
  const values = new Map(
    content
      .toLowerCase()
      .split(/[,;\s]+(?=[a-z])/)
      .map((each) => {
        const [name = '', value = ''] = each.split('=', 2)
        return [name.trim(), value.trim()] as const
      }),
  )
  return soundSize(Number.parseFloat(values.get('width') ?? ''), Number.parseFloat(values.get('height') ?? ''))
}

/** It reads the `viewBox` of a drawing: `0 0 1200 1600`. */
export const drawingSize = (viewBox: string): PageSize | undefined => {
  const [, , width, height] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return soundSize(width ?? Number.NaN, height ?? Number.NaN)
}

export interface LaidOut extends PageSize {
  /** These factors scale each page from its original size, from left to right. */
  readonly scales: readonly number[]
}

/** Pages side by side, equally high, as large as the window lets them be; `zoom` times that. */
export const layOutPages = (pages: readonly PageSize[], window: PageSize, zoom: number): LaidOut => {
  const height = Math.max(1, ...pages.map((page) => page.height))
  const width = pages.reduce((sum, page) => sum + (page.width * height) / page.height, 0)
  const fitting = Math.min(window.width / Math.max(1, width), window.height / height) * zoom
  return {
    width: width * fitting,
    height: height * fitting,
    scales: pages.map((page) => (fitting * height) / page.height),
  }
}
