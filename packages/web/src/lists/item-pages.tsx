import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../problem-text.ts'
import { CoverCardSkeleton } from '../ui/cover-card.tsx'
import { ErrorState } from '../ui/state.tsx'
import { useKeptInPlace, useVirtualGrid } from '../ui/virtual/use-virtual-grid.ts'
import { type ItemFocus, VirtualList } from '../ui/virtual/virtual-list.tsx'
import { BookCard, SeriesCard } from './item-card.tsx'
import type { ItemOf, Kind } from './kinds.ts'
import type { ListSearch } from './list-search.ts'
import type { Scope } from './sources.ts'
import { cardWidths, useCardSize } from './use-card-size.ts'
import { type ListSource, usePages } from './use-pages.ts'
import { useSpot } from './use-spot.ts'

interface ItemPagesProps<K extends Kind> {
  readonly kind: K
  readonly source: ListSource<ItemOf[K]>
  readonly search: ListSearch<K>
  readonly scope: Scope
  readonly label: string
  readonly total: number | undefined
}

/** Two lines of title and one below it: `cover-card.module.css`. */
const cardTextHeight = 66
/** Until it is known how many there are. */
const placeholders = 24

/** The items of a list themselves, as covers. */
export const ItemPages = <K extends Kind>({ kind, source, scope, label, total }: ItemPagesProps<K>): ReactNode => {
  const [size] = useCardSize()
  const { startAt, note } = useSpot(source.key)
  const count = total ?? startAt?.count ?? placeholders
  const layout = { kind: 'grid', cardWidth: cardWidths[size] ?? 150, textHeight: cardTextHeight } as const
  const grid = useVirtualGrid({ count, layout, startAt })
  const { firstRow, lastRow, columns, isJumping } = grid
  const pages = usePages(source, {
    first: firstRow * columns,
    last: (lastRow + 1) * columns - 1,
    isPassing: isJumping,
  })
  const keyAt = (index: number): string | undefined => pages.itemAt(index)?.id
  useKeptInPlace(grid, {
    keyAt,
    indexOf: pages.indexOf,
    isSettled: pages.isSettled,
    onSpot: (spot) => note(spot, count),
  })
  if (pages.error) return <ListFailed error={pages.error} onRetry={pages.retry} />
  const renderItem = (index: number, focus: ItemFocus): ReactNode => {
    const item = pages.itemAt(index)
    if (!item) return <CoverCardSkeleton focus={focus} />
    const card = { width: grid.cardWidth, focus, isFirst: index < columns * 2 }
    return 'seriesId' in item ? (
      <BookCard book={item} isInSeries={scope.seriesId !== undefined} {...card} />
    ) : (
      <SeriesCard series={item} {...card} />
    )
  }
  return (
    <VirtualList
      grid={grid}
      kind="grid"
      label={label}
      count={count}
      isBusy={!pages.isSettled && keyAt(firstRow * columns) === undefined}
      keyAt={keyAt}
      renderItem={renderItem}
    />
  )
}

const ListFailed = ({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }): ReactNode => {
  const { t } = useTranslation()
  const textOf = useProblemText()
  return (
    <ErrorState
      title={t('page.failed')}
      text={textOf(error)}
      action={<Button onClick={onRetry}>{t('tryAgain')}</Button>}
    />
  )
}
