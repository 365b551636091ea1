import { type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { CoverCardSkeleton } from '../../ui/cover/cover-card.tsx'
import { FanCardSkeleton } from '../../ui/cover/fan-card.tsx'
import { useKeptInPlace, useVirtualGrid } from '../../ui/virtual/use-virtual-grid.ts'
import { type ItemFocus, VirtualList } from '../../ui/virtual/virtual-list.tsx'
import { cardWidths, useCardSize } from './use-card-size.ts'
import { type ListSource, usePages } from './use-pages.ts'
import { useChoosing } from './use-choosing.ts'
import type { SelectionControl } from '../selection/use-selection.ts'
import { useSpot } from './use-spot.ts'

interface Card {
  readonly width: number
  readonly focus: ItemFocus
  /** Which one of the list it is, from 0. */
  readonly index: number
}

interface CardPagesProps<Item> {
  readonly source: ListSource<Item>
  readonly label: string
  readonly empty: ReactNode
  readonly renderCard: (item: Item, card: Card) => ReactNode
  /** How it is drawn: one cover with its title below, or a fan of several. */
  readonly card?: 'cover' | 'fan'
  /** It can be chosen from. */
  readonly selection?: SelectionControl<Item>
}

/** `fan-card.module.css` says the same. */
const fanCard = { kind: 'mosaic', cardWidth: 250, cardHeight: 164 } as const

/** Covers of anything, however many: for lists that are not narrowed. */
export const CardPages = <Item extends { readonly id: string }>(props: CardPagesProps<Item>): ReactNode => {
  const { data } = useQuery(props.source.page(1))
  return data?.body.total === 0 ? props.empty : <Cards {...props} total={data?.body.total} />
}

const Cards = <Item extends { readonly id: string }>({
  source,
  label,
  renderCard,
  card = 'cover',
  selection,
  total,
}: CardPagesProps<Item> & { readonly total: number | undefined }): ReactNode => {
  const [size] = useCardSize()
  const { startAt, countBefore, note } = useSpot(source.key)
  const count = total ?? countBefore ?? 12
  const coverCard = { kind: 'grid', cardWidth: cardWidths[size] ?? 150, textHeight: 66 } as const
  const layout = card === 'fan' ? fanCard : coverCard
  const Waiting = card === 'fan' ? FanCardSkeleton : CoverCardSkeleton
  const grid = useVirtualGrid({ count, layout, startAt })
  const { columns, firstRow, lastRow } = grid
  const last = Math.min(count, (lastRow + 1) * columns) - 1
  const pages = usePages(source, { first: firstRow * columns, last, isPassing: grid.isJumping })
  const keyAt = (index: number): string | undefined => pages.itemAt(index)?.id
  const onSpot = (spot: Parameters<typeof note>[0]): void => note(spot, count)
  useKeptInPlace(grid, { keyAt, indexOf: pages.indexOf, isSettled: pages.isSettled, onSpot })
  const list = (
    <VirtualList
      grid={grid}
      kind="grid"
      label={label}
      count={count}
      isBusy={!pages.isSettled && keyAt(firstRow * columns) === undefined}
      keyAt={keyAt}
      {...(selection && { isSelected: (index: number) => selection.items.has(keyAt(index) ?? '') })}
      renderItem={(index, focus) => {
        const item = pages.itemAt(index)
        return item ? renderCard(item, { width: grid.cardWidth, focus, index }) : <Waiting focus={focus} />
      }}
    />
  )
  return selection ? (
    <Choosing selection={selection} itemAt={pages.itemAt}>
      {list}
    </Choosing>
  ) : (
    list
  )
}

interface ChoosingProps<Item> {
  readonly selection: SelectionControl<Item>
  readonly itemAt: (index: number) => Item | undefined
  readonly children: ReactNode
}

const Choosing = <Item,>({ selection, itemAt, children }: ChoosingProps<Item>): ReactNode => (
  <div {...useChoosing(selection, { itemAt, indexAt: (index) => index })}>{children}</div>
)
