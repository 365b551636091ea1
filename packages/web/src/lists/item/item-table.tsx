import type { BookDto, SeriesDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBookTitle } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import { dragOf, dropOn } from '../dragging/books-in-hand.ts'
import { bookCover, pathOfSeries, seriesCover } from './addresses.ts'
import { progressOf, useItemText } from './item-text.ts'
import styles from './item-table.module.css'
import type { Kind } from '../kinds.ts'

export const tableRowHeight = 60

const heads = {
  series: ['name', 'year', 'books', 'unread', 'added'],
  books: ['name', 'series', 'pages', 'read', 'added'],
} as const

export const TableHead = ({ kind }: { readonly kind: Kind }): ReactNode => {
  const { t } = useTranslation('lists')
  return (
    <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.head}`}>
      {heads[kind].map((name) => (
        <Text as="span" lines={1} quiet key={name} role="columnheader" className={styles.cell} data-column={name}>
          {t(`column.${name}`)}
        </Text>
      ))}
    </div>
  )
}

interface ItemRowProps {
  readonly kind: Kind
  /** It is absent while it is loading. */
  readonly item?: SeriesDto | BookDto
  readonly focus: ItemFocus
  readonly box?: ReactNode
}

/** One item as the cells of a row. */
export const ItemRow = ({ kind, item, focus, box }: ItemRowProps): ReactNode => {
  const cells = useCells(item)
  return (
    <>
      <Row
        gap={3}
        role="gridcell"
        className={styles.title}
        {...(item && ('seriesId' in item ? dragOf(item) : dropOn(item)))}
      >
        {item ? <Title item={item} focus={focus} box={box} /> : <span className={styles.waiting} {...focus} />}
      </Row>
      {heads[kind].slice(1).map((name, index) => (
        <Text
          as="span"
          lines={1}
          quiet
          key={name}
          role="gridcell"
          className={styles.cell}
          data-column={name}
          dir="auto"
        >
          {cells[index]}
        </Text>
      ))}
    </>
  )
}

const Title = ({
  item,
  focus,
  box,
}: { readonly item: SeriesDto | BookDto } & Omit<ItemRowProps, 'kind' | 'item'>): ReactNode => {
  const isBook = 'seriesId' in item
  const titleIn = useBookTitle()
  return (
    <>
      <span className={styles.cover}>
        <Cover
          src={isBook ? bookCover(item, 36) : seriesCover(item, 36)}
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

const useCells = (item: SeriesDto | BookDto | undefined): readonly ReactNode[] => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  if (!item) return []
  if (!('seriesId' in item)) {
    const { year, bookCount, unreadCount, createdAt } = item
    return [year, text.number(bookCount), text.number(unreadCount), text.date(createdAt)]
  }
  const progress = progressOf(item)
  const read = item.readProgress?.completed === true ? t('read') : progress === undefined ? '' : text.percent(progress)
  return [item.seriesName, item.pageCount > 0 ? text.number(item.pageCount) : '', read, text.date(item.createdAt)]
}
