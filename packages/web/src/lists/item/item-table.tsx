import type { BookDto, SeriesDto } from '@carrel/api'
import type { HTMLAttributes, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBookTitle } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import { dragOf, dropOn } from '../dragging/books-in-hand.ts'
import { useMenuOf } from '../menu/use-menu-of.ts'
import { orders, type Sorting } from '../search/list-search.ts'
import { bookCover, pathOfSeries, seriesCover } from './addresses.ts'
import { type ColumnName, columnOf } from './columns.ts'
import { isReadWhole, progressOf, readShareOf, useItemText } from './item-text.ts'
import styles from './item-table.module.css'
import type { Kind } from '../kinds.ts'

export const tableRowHeight = 44

interface HeadProps<K extends Kind> {
  readonly kind: K
  readonly columns: readonly ColumnName[]
  readonly sorting: Sorting<K> | undefined
  readonly onSort: (sorting: Sorting<K>) => void
}

/** A click on a head puts the list in its order, another one turns it around. */
export const TableHead = <K extends Kind>({ kind, columns, sorting, onSort }: HeadProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const directions: Readonly<Record<string, { readonly first: 'asc' | 'desc' } | undefined>> = orders[kind]
  return (
    <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.head}`}>
      {(['name', ...columns] as const).map((name) => {
        const { order, isNumber } = name === 'name' ? { order: name, isNumber: undefined } : columnOf(name)
        const isSorted = order !== undefined && sorting?.order === order
        const isDown = isSorted ? sorting.isDown : undefined
        const sort = (): void =>
          onSort({
            order,
            isDown: isDown === undefined ? directions[order ?? '']?.first === 'desc' : !isDown,
          } as Sorting<K>)
        return (
          <span
            key={name}
            role="columnheader"
            className={styles.cell}
            data-column={name}
            data-is-number={isNumber}
            aria-sort={isDown === undefined ? undefined : isDown ? 'descending' : 'ascending'}
          >
            {order === undefined ? (
              t(`column.${name}`)
            ) : (
              <Row as="button" inline gap={1} type="button" className={styles.sort} onClick={sort}>
                {t(`column.${name}`)}
                {isDown === undefined ? null : <Icon name={isDown ? 'down' : 'up'} size="small" />}
              </Row>
            )}
          </span>
        )
      })}
    </div>
  )
}

interface ItemRowProps {
  readonly columns: readonly ColumnName[]
  /** It is absent while it is loading. */
  readonly item?: SeriesDto | BookDto
  readonly focus: ItemFocus
  readonly box?: ReactNode
}

/** One item as the cells of a row. */
export const ItemRow = ({ columns, item, focus, box }: ItemRowProps): ReactNode => {
  const cellOf = useCells(item)
  const menuOf = useMenuOf()
  const menu: HTMLAttributes<HTMLElement> = item ? menuOf(item) : {}
  return (
    <>
      <Row
        gap={3}
        role="gridcell"
        className={styles.title}
        {...menu}
        {...(item && ('seriesId' in item ? dragOf(item) : dropOn(item)))}
      >
        {item ? <Title item={item} focus={focus} box={box} /> : <span className={styles.waiting} {...focus} />}
      </Row>
      {columns.map((name) => (
        <Text
          as="span"
          lines={1}
          quiet
          key={name}
          role="gridcell"
          className={styles.cell}
          data-column={name}
          data-is-number={columnOf(name).isNumber}
          dir="auto"
          {...menu}
        >
          {cellOf(name)}
        </Text>
      ))}
    </>
  )
}

const Title = ({
  item,
  focus,
  box,
}: { readonly item: SeriesDto | BookDto } & Pick<ItemRowProps, 'focus' | 'box'>): ReactNode => {
  const isBook = 'seriesId' in item
  const titleIn = useBookTitle()
  return (
    <>
      <span className={styles.cover}>
        <Cover
          src={isBook ? bookCover(item, 28) : seriesCover(item, 28)}
          thumbhash={item.placeholder}
          alt=""
          icon={isBook ? 'book' : 'series'}
        />
      </span>
      <Text
        as={AppLink}
        lines={2}
        to={isBook ? paths.book(item.id) : pathOfSeries(item)}
        className={styles.link}
        {...focus}
        dir="auto"
      >
        {isBook ? titleIn('series', item).text : item.title}
      </Text>
      {box}
    </>
  )
}

const useCells = (item: SeriesDto | BookDto | undefined): ((name: ColumnName) => ReactNode) => {
  const text = useItemText()
  if (!item) return () => null
  const isBook = 'seriesId' in item
  const numberOr = (value: number | null | undefined): string => (value ? text.number(value) : '')
  const cells: Readonly<Partial<Record<ColumnName, () => ReactNode>>> = isBook
    ? {
        series: () => item.seriesName,
        pages: () => numberOr(item.pageCount),
        format: () => item.fileFormat.toUpperCase(),
        size: () => text.size(item.fileSize),
      }
    : {
        author: () => item.authors.join(', '),
        publisher: () => item.publisher,
        year: () => item.year,
        books: () => text.number(item.bookCount),
        unread: () => numberOr(item.unreadCount),
      }
  const shared: Readonly<Partial<Record<ColumnName, () => ReactNode>>> = {
    progress: () => <Progress item={item} />,
    library: () => item.libraryName,
    added: () => text.date(item.createdAt),
    updated: () => text.date(item.updatedAt),
  }
  return (name) => (cells[name] ?? shared[name])?.()
}

const Progress = ({ item }: { readonly item: SeriesDto | BookDto }): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  if (isReadWhole(item)) return t('read')
  const share = 'seriesId' in item ? progressOf(item) : readShareOf(item)
  const words = share === undefined ? t('readStatus.unread') : text.percent(share)
  return <progress data-bar className={styles.progress} value={share ?? 0} aria-label={words} />
}
