import type { LayoutItem } from './shelves.ts'

/** It orders all shelves: shown ones come from the top, then the others. */
export interface Arrangement {
  readonly order: readonly LayoutItem[]
  readonly shown: ReadonlySet<LayoutItem>
}

/** A shelf that is no longer there, a search that was deleted, is left out. */
export const arrangementOf = (layout: readonly LayoutItem[], all: readonly LayoutItem[]): Arrangement => {
  const shown = layout.filter((shelf) => all.includes(shelf))
  return { order: [...shown, ...all.filter((shelf) => !shown.includes(shelf))], shown: new Set(shown) }
}

export const layoutOf = ({ order, shown }: Arrangement): LayoutItem[] => order.filter((shelf) => shown.has(shelf))

/** The shelf at `from` moves to another position; the others keep their order. */
export const moved = ({ order, shown }: Arrangement, from: number, to: number): Arrangement => {
  const shelf = order[from]
  if (shelf === undefined || to < 0 || to >= order.length) return { order, shown }
  return { order: order.toSpliced(from, 1).toSpliced(to, 0, shelf), shown }
}

export const toggled = ({ order, shown }: Arrangement, shelf: LayoutItem): Arrangement => {
  const next = new Set(shown)
  if (!next.delete(shelf)) next.add(shelf)
  return { order, shown: next }
}
