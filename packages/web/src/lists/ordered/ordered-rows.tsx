import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemName } from '../../text/book-name.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Center, Row } from '../../ui/layout/layout.tsx'
import { useKeptInPlace, useVirtualGrid } from '../../ui/virtual/use-virtual-grid.ts'
import { type ItemFocus, VirtualList } from '../../ui/virtual/virtual-list.tsx'
import { MoveDialog } from './move-dialog.tsx'
import styles from './ordered-rows.module.css'
import { type Dragging, useDragging } from './use-dragging.ts'
import { type ListSource, usePages } from '../pages/use-pages.ts'
import { useSpot } from '../pages/use-spot.ts'

interface Titled {
  readonly id: string
  readonly title: string
}

interface OrderedRowsProps<Item> {
  readonly source: ListSource<Item>
  readonly label: string
  readonly empty: ReactNode
  readonly renderItem: (item: Item, focus: ItemFocus) => ReactNode
  /** It is absent for those who may only read. */
  readonly onMove?: ((item: Item, position: number) => void) | undefined
  readonly onRemove?: ((item: Item, index: number) => void) | undefined
}

const rowHeight = 84

/** A list in an order of somebody's own: moved by dragging, with the keys of its handle, or to a number. */
export const OrderedRows = <Item extends Titled>(props: OrderedRowsProps<Item>): ReactNode => {
  const { data } = useQuery(props.source.page(1))
  return data?.body.total === 0 ? props.empty : <Rows {...props} total={data?.body.total} />
}

const Rows = <Item extends Titled>(
  props: OrderedRowsProps<Item> & { readonly total: number | undefined },
): ReactNode => {
  const { source, label, total, onMove } = props
  const { t } = useTranslation('lists')
  const nameOf = useItemName()
  const [moving, setMoving] = useState<{ readonly item: Item; readonly index: number }>()
  const { startAt, countBefore, note } = useSpot(source.key)
  const count = total ?? countBefore ?? 8
  const grid = useVirtualGrid({ count, layout: { kind: 'table', rowHeight }, startAt })
  const { firstRow, lastRow } = grid
  const pages = usePages(source, { first: firstRow, last: lastRow, isPassing: grid.isJumping })
  const keyAt = (index: number): string | undefined => pages.itemAt(index)?.id
  const onSpot = (spot: Parameters<typeof note>[0]): void => note(spot, count)
  useKeptInPlace(grid, { keyAt, indexOf: pages.indexOf, isSettled: pages.isSettled, onSpot })
  const move = (index: number, to: number): void => {
    const item = pages.itemAt(index)
    if (item && to !== index && to >= 0 && to < count) onMove?.(item, to + 1)
  }
  const dragging = useDragging({ element: grid.element, rowHeight, shift: grid.shift, count, onDrop: move })
  return (
    <>
      <VirtualList
        grid={grid}
        kind="table"
        label={label}
        count={count}
        columnCount={1}
        isBusy={!pages.isSettled && keyAt(firstRow) === undefined}
        keyAt={keyAt}
        renderItem={(index, focus) => {
          const item = pages.itemAt(index)
          if (!item) return <div role="gridcell" className={styles.waiting} aria-label={t('waiting')} {...focus} />
          return (
            <OrderedRow
              {...props}
              item={item}
              index={index}
              focus={focus}
              dragging={dragging}
              onStep={(by) => move(index, index + by)}
              onAsk={() => setMoving({ item, index })}
            />
          )
        }}
      />
      {moving ? (
        <MoveDialog
          title={nameOf(moving.item)}
          position={moving.index + 1}
          count={count}
          onMove={(position) => move(moving.index, position - 1)}
          onClose={() => setMoving(undefined)}
        />
      ) : null}
    </>
  )
}

interface OrderedRowProps<Item> extends OrderedRowsProps<Item> {
  readonly item: Item
  readonly index: number
  readonly focus: ItemFocus
  readonly dragging: Dragging
  readonly onStep: (by: 1 | -1) => void
  readonly onAsk: () => void
}

const OrderedRow = <Item extends Titled>(props: OrderedRowProps<Item>): ReactNode => {
  const { item, index, focus, dragging, onStep, onAsk, onMove, onRemove, renderItem } = props
  const { t } = useTranslation('lists')
  const title = useItemName()(item)
  return (
    <Row
      gap={3}
      role="gridcell"
      className={styles.cell}
      data-is-dragged={dragging.from === index}
      data-drop={dragging.to === index ? ((dragging.from ?? 0) < index ? 'after' : 'before') : undefined}
    >
      {onMove ? (
        <Center
          as="button"
          type="button"
          className={styles.handle}
          aria-label={t('moveItem', { title, position: index + 1 })}
          title={t('moveHint')}
          onPointerDown={(event) => dragging.start(event, index)}
          onClick={() => {
            if (!dragging.hasMoved()) onAsk()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
            event.preventDefault()
            onStep(event.key === 'ArrowUp' ? -1 : 1)
          }}
        >
          {index + 1}
        </Center>
      ) : (
        <Center as="span" className={styles.number}>
          {index + 1}
        </Center>
      )}
      {renderItem(item, focus)}
      {onRemove ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          className={styles.remove ?? ''}
          aria-label={t('removeItem', { title })}
          onClick={() => onRemove(item, index)}
        >
          <Icon name="close" />
        </ActionIcon>
      ) : null}
    </Row>
  )
}
