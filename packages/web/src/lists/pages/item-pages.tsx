import type { BookDto, SeriesDto } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ComponentProps, CSSProperties, DragEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { CoverCardSkeleton } from '../../ui/cover/cover-card.tsx'
import { ErrorState } from '../../ui/state/state.tsx'
import type { ListLayout } from '../../ui/virtual/layout.ts'
import { useKeptInPlace, useVirtualGrid } from '../../ui/virtual/use-virtual-grid.ts'
import { type ItemFocus, VirtualList } from '../../ui/virtual/virtual-list.tsx'
import { ChosenItems } from '../menu/use-menu-of.ts'
import { takeInHand } from '../dragging/books-in-hand.ts'
import { type ColumnName, useColumns, widthsOf } from '../item/columns.ts'
import { BookCard, SeriesCard } from '../item/item-card.tsx'
import { ItemRow, TableHead, tableRowHeight } from '../item/item-table.tsx'
import tableStyles from '../item/item-table.module.css'
import pageStyles from './item-pages.module.css'
import { type GapCard, withGaps } from './gap-cards.ts'
import { GapCell } from './gap-cell.tsx'
import type { ItemOf, Kind } from '../kinds.ts'
import { LettersRail } from './letters-rail.tsx'
import { type ListSearch, usualSorting } from '../search/list-search.ts'
import { useListView } from '../search/use-list-view.ts'
import { SelectBox } from '../selection/select-box.tsx'
import type { Scope } from '../search/sources.ts'
import { cardWidths, useCardSize } from './use-card-size.ts'
import { useChoosing } from './use-choosing.ts'
import { type ListSource, usePages } from './use-pages.ts'
import type { SelectionControl } from '../selection/use-selection.ts'
import { useSpot } from './use-spot.ts'

interface ItemPagesProps<K extends Kind> {
  readonly kind: K
  readonly source: ListSource<ItemOf[K]>
  readonly search: ListSearch<K>
  readonly scope: Scope
  readonly label: string
  readonly total: number | undefined
  readonly selection: SelectionControl<ItemOf[K]>
  readonly gaps: readonly GapCard[]
}

/** Two lines of title and one below it: `cover-card.module.css`. */
const cardTextHeight = 66
/** This many placeholders are shown until the count is known. */
const placeholders = 24
const spaceAbove = 12

const layoutOf = (isTable: boolean, size: number): ListLayout =>
  isTable
    ? { kind: 'table', rowHeight: tableRowHeight }
    : { kind: 'grid', cardWidth: cardWidths[size] ?? 150, textHeight: cardTextHeight }

/** The items of a list themselves, as covers or as a table. */
export const ItemPages = <K extends Kind>(props: ItemPagesProps<K>): ReactNode => {
  const { kind, search, scope, label, total, selection } = props
  const isTable = search.layout === 'table'
  const columns = useColumns(kind)
  const { grid, pages, count, gapAt, itemAt, indexAt, keyAt } = useItemPositions(props)
  const choosing = useChoosing(selection, { itemAt, indexAt })
  if (pages.error) return <ListFailed error={pages.error} onRetry={pages.retry} />

  const { firstRow } = grid
  const renderItem = (position: number, focus: ItemFocus): ReactNode => {
    const gap = gapAt(position)
    if (gap) return <GapCell gap={gap} focus={focus} />
    const item = itemAt(position)
    const index = indexAt(position)
    const box = item && <SelectBox item={item} index={index} selection={selection} />
    if (isTable) return <ItemRow columns={columns} focus={focus} box={box} {...(item && { item })} />
    const { isChoosing } = selection
    const card = { width: grid.cardWidth, focus, isChoosing, isFirst: index < grid.columns * 2, actions: box }
    return <ItemCard item={item} isInSeries={scope.seriesId !== undefined} {...card} />
  }
  return (
    <ChosenItems value={selection.items}>
      <div
        {...choosing}
        onDragStart={dragOfChosen(selection.items)}
        className={pageStyles.pages}
        style={isTable ? ({ '--columns': widthsOf(columns) } as CSSProperties) : undefined}
      >
        <VirtualList
          grid={grid}
          kind={isTable ? 'table' : 'grid'}
          label={label}
          count={count}
          isBusy={!pages.isSettled && keyAt(firstRow * grid.columns) === undefined}
          keyAt={keyAt}
          renderItem={renderItem}
          isSelected={(index) => selection.items.has(keyAt(index) ?? '')}
          {...(isTable && {
            head: <Head {...{ kind, search, scope, columns }} />,
            rowClass: tableStyles.row,
            columnCount: columns.length + 1,
          })}
        />
        <LettersRail
          kind={kind}
          search={search}
          scope={scope}
          total={total}
          shown={(firstRow === 0 ? 0 : firstRow + 1) * grid.columns}
          onGo={grid.goToIndex}
        />
      </div>
    </ChosenItems>
  )
}

/** Which item stands in which place, with what is not there between them. */
const useItemPositions = <K extends Kind>({ source, search, total, ...props }: ItemPagesProps<K>) => {
  const [size] = useCardSize()
  const { startAt, countBefore, note } = useSpot(source.key)
  const isTable = search.layout === 'table'
  const gaps = isTable ? noGaps : props.gaps
  const { gapAt, indexAt, placeOf } = withGaps(gaps)
  const count = total === undefined ? (countBefore ?? placeholders) : total + gaps.length
  const grid = useVirtualGrid({ count, layout: layoutOf(isTable, size), startAt, coveredTop: spaceAbove })
  const { firstRow, lastRow, isJumping } = grid
  const pages = usePages(source, {
    first: indexAt(firstRow * grid.columns),
    last: Math.min(indexAt(Math.min(count, (lastRow + 1) * grid.columns) - 1), (total ?? count) - 1),
    isPassing: isJumping,
  })
  const itemAt = (position: number): ItemOf[K] | undefined =>
    gapAt(position) === undefined ? pages.itemAt(indexAt(position)) : undefined
  const keyAt = (position: number): string | undefined => gapAt(position)?.key ?? itemAt(position)?.id
  useKeptInPlace(grid, {
    keyAt,
    indexOf: (key) => {
      const index = pages.indexOf(key)
      return index === undefined ? undefined : placeOf(index)
    },
    isSettled: pages.isSettled,
    onSpot: (spot) => note(spot, count),
  })
  return { grid, pages, count, gapAt, itemAt, indexAt, keyAt }
}

interface HeadProps<K extends Kind> extends Pick<ItemPagesProps<K>, 'kind' | 'search' | 'scope'> {
  readonly columns: readonly ColumnName[]
}

const Head = <K extends Kind>({ kind, search, scope, columns }: HeadProps<K>): ReactNode => {
  const go = useListView(kind)
  return (
    <TableHead
      kind={kind}
      columns={columns}
      sorting={search.sorting ?? usualSorting<K>(search.filters, scope)}
      onSort={(sorting) => go({ ...search, sorting })}
    />
  )
}

interface ItemCardProps extends Omit<ComponentProps<typeof SeriesCard>, 'series'> {
  readonly item: SeriesDto | BookDto | undefined
  readonly isInSeries: boolean
  readonly focus: ItemFocus
}

const ItemCard = ({ item, isInSeries, ...card }: ItemCardProps): ReactNode => {
  if (!item) return <CoverCardSkeleton focus={card.focus} />
  return 'seriesId' in item ? (
    <BookCard book={item} isInSeries={isInSeries} {...card} />
  ) : (
    <SeriesCard series={item} {...card} />
  )
}

const noGaps: readonly GapCard[] = []

/** One of those that are chosen takes the others along. */
const dragOfChosen =
  (items: ReadonlyMap<string, SeriesDto | BookDto>) =>
  (event: DragEvent): void => {
    const cell = event.target instanceof Element ? event.target.closest('[role=gridcell]') : null
    const link = cell?.querySelector<HTMLAnchorElement>('a[data-item]')
    const books = [...items.values()].filter((item) => 'seriesId' in item)
    if (books.some(({ id }) => link?.pathname.endsWith(paths.book(id)))) takeInHand(event, books)
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
