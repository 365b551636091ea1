import { type HomeShelf, homeShelves } from '@carrel/api'

/** It orders all shelves: shown ones come from the top, then the others. */
export interface Arrangement {
  readonly order: readonly HomeShelf[]
  readonly shown: ReadonlySet<HomeShelf>
}

export const arrangementOf = (layout: readonly HomeShelf[]): Arrangement => ({
  order: [...layout, ...homeShelves.filter((shelf) => !layout.includes(shelf))],
  shown: new Set(layout),
})

export const layoutOf = ({ order, shown }: Arrangement): HomeShelf[] => order.filter((shelf) => shown.has(shelf))

/** The shelf at `from` moves to another position; the others keep their order. */
export const moved = ({ order, shown }: Arrangement, from: number, to: number): Arrangement => {
  const shelf = order[from]
  if (shelf === undefined || to < 0 || to >= order.length) return { order, shown }
  return { order: order.toSpliced(from, 1).toSpliced(to, 0, shelf), shown }
}

export const toggled = ({ order, shown }: Arrangement, shelf: HomeShelf): Arrangement => {
  const next = new Set(shown)
  if (!next.delete(shelf)) next.add(shelf)
  return { order, shown: next }
}
