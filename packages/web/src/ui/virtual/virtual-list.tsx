import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { nextIndex } from './next-index.ts'
import type { VirtualGrid } from './use-virtual-grid.ts'
import styles from './virtual-list.module.css'

/** It is put onto the one element of an item at which the keyboard stops. */
export interface ItemFocus {
  readonly tabIndex: 0 | -1
  readonly 'data-item': number
  readonly onFocus: () => void
}

interface VirtualListProps {
  readonly grid: VirtualGrid
  readonly kind: 'grid' | 'table'
  readonly label: string
  readonly count: number
  readonly isBusy: boolean
  /** A table sets the widths of its columns with this class. */
  readonly rowClass?: string | undefined
  readonly columnCount?: number
  readonly head?: ReactNode
  readonly keyAt: (index: number) => string | undefined
  /** It renders the content of a cell in a grid, and the cells of a row in a table. */
  readonly renderItem: (index: number, focus: ItemFocus) => ReactNode
  readonly isSelected?: (index: number) => boolean
}

/** Rows of a long list. One stop for the keyboard; arrows go on from there, through everything. */
export const VirtualList = (props: VirtualListProps): ReactNode => {
  const { grid, kind, label, count, isBusy, head, columnCount, rowClass } = props
  const { element, height } = grid
  const { active, onFocus, onBlur, onKeyDown, stop } = useRoving(grid, count)
  const rows = rowsToShow(grid, active)
  const headRows = head === undefined ? 0 : 1
  return (
    <div
      role="grid"
      tabIndex={-1}
      aria-label={label}
      aria-rowcount={grid.rows + headRows}
      aria-colcount={columnCount ?? grid.columns}
      aria-busy={isBusy}
      aria-multiselectable={props.isSelected === undefined ? undefined : true}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {head}
      <div role="rowgroup" ref={element} className={styles.track} style={{ height }}>
        {rows.map((row) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 1 + headRows}
            aria-selected={kind === 'table' ? props.isSelected?.(row) : undefined}
            data-kind={kind}
            className={rowClass === undefined ? styles.row : `${styles.row} ${rowClass}`}
            style={{
              height: grid.rowHeight,
              transform: `translateY(${row * grid.rowHeight - grid.shift}px)`,
              ...(kind === 'grid' && { gridTemplateColumns: `repeat(${grid.columns}, minmax(0, 1fr))` }),
            }}
          >
            {itemsOf(row, grid.columns, count).map((index) => (
              <Item key={props.keyAt(index) ?? index} {...props} index={index} stop={stop} onActive={onFocus} />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

interface ItemProps extends VirtualListProps {
  readonly index: number
  readonly stop: number
  readonly onActive: (index: number) => void
}

const Item = ({ kind, index, stop, onActive, renderItem, isSelected }: ItemProps): ReactNode => {
  const content = renderItem(index, {
    tabIndex: index === stop ? 0 : -1,
    'data-item': index,
    onFocus: () => onActive(index),
  })
  return kind === 'table' ? (
    content
  ) : (
    <div role="gridcell" className={styles.cell} aria-selected={isSelected?.(index)}>
      {content}
    </div>
  )
}

const itemsOf = (row: number, columns: number, count: number): number[] => {
  const first = row * columns
  return Array.from({ length: Math.max(0, Math.min(columns, count - first)) }, (_, each) => first + each)
}

/** The row with the focus may be this far from the window and is still laid out. */
const keptFar = 1_000_000

const rowsToShow = ({ firstRow, lastRow, columns, rowHeight }: VirtualGrid, active: number | undefined): number[] => {
  const rows = Array.from({ length: Math.max(0, lastRow - firstRow + 1) }, (_, each) => firstRow + each)
  if (active === undefined) return rows
  // The item with the focus stays rendered while others are scrolled into view.
  const row = Math.floor(active / columns)
  const isNear = Math.abs(row - firstRow) * rowHeight < keptFar
  if (row < firstRow && isNear) return [row, ...rows]
  return row > lastRow && isNear ? [...rows, row] : rows
}

const useRoving = (grid: VirtualGrid, count: number) => {
  const [active, setActive] = useState<number>()
  const indexToFocus = useRef<number>(undefined)
  const focused = useRef<number>(undefined)
  const isThere = active !== undefined && active < count
  const stop = isThere ? active : Math.min(grid.firstRow * grid.columns, Math.max(0, count - 1))

  useLayoutEffect(() => {
    // The focused item may have been rendered again, because it has been loaded meanwhile.
    const target = indexToFocus.current ?? (document.activeElement === document.body ? focused.current : undefined)
    if (target === undefined) return
    const item = grid.element.current?.querySelector<HTMLElement>(`[data-item="${target}"]`)
    if (!item) return
    indexToFocus.current = undefined
    item.focus({ preventScroll: true })
  })

  const onFocus = (index: number): void => {
    focused.current = index
    setActive(index)
  }
  const onBlur = (): void => {
    focused.current = undefined
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.item === undefined) return
    const { direction } = getComputedStyle(event.currentTarget)
    const next = nextIndex(event, Number(event.target.dataset.item), {
      columns: grid.columns,
      count,
      rowsInView: Math.floor(window.innerHeight / grid.rowHeight),
      isRightToLeft: direction === 'rtl',
    })
    if (next === undefined) return
    event.preventDefault()
    indexToFocus.current = next
    setActive(next)
    grid.revealIndex(next)
  }
  return { active: isThere ? active : undefined, stop, onFocus, onBlur, onKeyDown }
}
