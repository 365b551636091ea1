import type { BookDto, SeriesDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BookName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Text } from '../../ui/layout/layout.tsx'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import { useMenuOf } from '../menu/use-menu-of.ts'
import { bookCover, pathOfSeries, seriesCover } from './addresses.ts'
import { isReadWhole, progressOf, useItemText } from './item-text.ts'
import styles from '../ordered/ordered-rows.module.css'

interface ItemLineProps {
  readonly item: SeriesDto | BookDto
  readonly focus: ItemFocus
}

/** A series or book in one row of a list in order. */
export const ItemLine = ({ item, focus }: ItemLineProps): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const menuOf = useMenuOf()
  const isBook = 'seriesId' in item
  const progress = isBook ? progressOf(item) : undefined
  const isRead = isBook && isReadWhole(item)
  const below = isBook
    ? [...item.authors, text.ofBook(item), isRead ? t('read') : progress === undefined ? '' : text.percent(progress)]
    : [text.ofSeries(item)]
  return (
    <Columns
      as={AppLink}
      gap={3}
      align="center"
      grow
      to={isBook ? paths.book(item.id) : pathOfSeries(item)}
      className={styles.item}
      {...menuOf(item)}
      {...focus}
    >
      <Cover
        src={isBook ? bookCover(item, 44) : seriesCover(item, 44)}
        thumbhash={item.placeholder}
        alt=""
        icon={isBook ? 'book' : 'series'}
      />
      <span>
        <Text as="span" lines={2} className={styles.name} dir="auto">
          {isBook ? <BookName book={item} context="mixed" /> : item.title}
        </Text>
        <Text as="span" lines={1} quiet size={13} dir="auto">
          {below.filter((part) => part !== '').join(' · ')}
        </Text>
      </span>
      {isRead ? (
        <span className={styles.done}>
          <Icon name="check" size="small" />
        </span>
      ) : null}
    </Columns>
  )
}
