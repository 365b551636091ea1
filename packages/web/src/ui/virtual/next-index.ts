interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

interface Items {
  readonly columns: number
  readonly count: number
  readonly rowsInView: number
  /** The first of a row stands at the right. */
  readonly isRightToLeft: boolean
}

/** It says to which item of a grid a key leads; undefined when grids do not use that key. */
export const nextIndex = (press: Press, from: number, items: Items): number | undefined => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  if (altKey || shiftKey) return undefined
  const { columns, count, rowsInView, isRightToLeft } = items
  const page = columns * Math.max(1, rowsInView - 1)
  const isFar = ctrlKey || metaKey
  const row = from - (from % columns)
  const onwards = isRightToLeft ? -1 : 1
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: from + onwards,
    ArrowLeft: from - onwards,
    ArrowDown: from + columns,
    ArrowUp: from - columns,
    PageDown: from + page,
    PageUp: from - page,
    Home: isFar || columns === 1 ? 0 : row,
    End: isFar || columns === 1 ? count - 1 : row + columns - 1,
  }
  const target = targets[key]
  if (target === undefined) return undefined
  return key === 'ArrowUp' && target < 0 ? from : Math.max(0, Math.min(count - 1, target))
}
