import type { BookDto, SeriesDto } from '@carrel/api'
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBookLines } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { CoverCard } from '../../ui/cover/cover-card.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import { dragOf, dropOn } from '../dragging/books-in-hand.ts'
import { bookCover, pathOfSeries, seriesCover } from './addresses.ts'
import { progressOf, useItemText } from './item-text.ts'

interface CardProps {
  readonly width?: number
  readonly focus?: ItemFocus
  readonly actions?: ReactNode
  readonly isFirst?: boolean
  readonly isPatient?: boolean
}

/** A series by its cover, with how many of its books are unread. */
export const SeriesCard = ({
  series,
  width,
  focus,
  ...card
}: CardProps & { readonly series: SeriesDto }): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const { unreadCount, bookCount } = series
  return (
    <CoverCard
      {...card}
      title={series.title}
      subtitle={
        <Spoken words={unreadCount === 0 ? t('read') : text.count('unread', unreadCount)}>
          {series.authors.length > 0 ? series.authors.join(', ') : text.ofSeries(series)}
        </Spoken>
      }
      src={seriesCover(series, width)}
      thumbhash={series.placeholder}
      icon="series"
      badge={
        bookCount === 0 ? undefined : (
          <span aria-hidden="true">
            {unreadCount === 0 ? <Icon name="check" size="small" /> : text.number(unreadCount)}
          </span>
        )
      }
      to={pathOfSeries(series)}
      link={AppLink}
      focus={{ ...focus, ...dropOn(series) }}
    />
  )
}

interface BookCardProps extends CardProps {
  readonly book: BookDto
  /** Within its series a book does not repeat the title of the series. */
  readonly isInSeries?: boolean
}

/** A book by its cover, with how far it has been read. */
export const BookCard = ({ book, isInSeries = false, width, focus, ...card }: BookCardProps): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const isRead = book.readProgress?.completed === true
  const progress = progressOf(book)
  const state = isRead ? t('read') : progress === undefined ? undefined : text.percent(progress)
  const { first, second } = useBookLines()(book, isInSeries)
  return (
    <CoverCard
      {...card}
      title={first}
      subtitle={<Spoken words={state}>{second ?? text.ofBook(book)}</Spoken>}
      src={bookCover(book, width)}
      thumbhash={book.placeholder}
      progress={progress}
      badge={isRead ? <Icon name="check" size="small" /> : undefined}
      to={paths.book(book.id)}
      link={AppLink}
      focus={{ ...focus, ...dragOf(book) }}
    />
  )
}

/** The text stands for a picture on the cover, and is read after the title. */
const Spoken = ({ words, children }: { readonly words: string | undefined; readonly children: string }): ReactNode => (
  <>
    <span dir="auto">{children}</span>
    {words === undefined ? null : <VisuallyHidden component="span"> {words}</VisuallyHidden>}
  </>
)
