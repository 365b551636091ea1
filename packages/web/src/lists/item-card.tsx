import type { BookDto, SeriesDto } from '@carrel/api'
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../link.tsx'
import { paths } from '../paths.ts'
import { CoverCard } from '../ui/cover-card.tsx'
import { Icon } from '../ui/icon.tsx'
import type { ItemFocus } from '../ui/virtual/virtual-list.tsx'
import { bookCover, seriesCover } from './addresses.ts'
import { progressOf, useItemText } from './item-text.ts'

interface CardProps {
  readonly width?: number
  readonly focus?: ItemFocus
  readonly actions?: ReactNode
  readonly isFirst?: boolean
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
      subtitle={text.ofSeries(series)}
      src={seriesCover(series, width)}
      thumbhash={series.placeholder}
      icon="series"
      badge={
        bookCount === 0 ? undefined : unreadCount === 0 ? (
          <ReadBadge />
        ) : (
          <>
            <span aria-hidden="true">{text.number(unreadCount)}</span>
            <VisuallyHidden component="span">{t('count.unread', { count: unreadCount })}</VisuallyHidden>
          </>
        )
      }
      link={(content) => (
        <AppLink to={paths.series(series.id)} {...focus}>
          {content}
        </AppLink>
      )}
    />
  )
}

interface BookCardProps extends CardProps {
  readonly book: BookDto
  /** Within its series the title of the series is known. */
  readonly isInSeries?: boolean
}

/** A book by its cover, with how far it has been read. */
export const BookCard = ({ book, isInSeries = false, width, focus, ...card }: BookCardProps): ReactNode => {
  const text = useItemText()
  return (
    <CoverCard
      {...card}
      title={book.title}
      subtitle={isInSeries ? text.ofBook(book) : book.seriesName}
      src={bookCover(book, width)}
      thumbhash={book.placeholder}
      progress={progressOf(book)}
      badge={book.readProgress?.completed === true ? <ReadBadge /> : undefined}
      link={(content) => (
        <AppLink to={paths.book(book.id)} {...focus}>
          {content}
        </AppLink>
      )}
    />
  )
}

const ReadBadge = (): ReactNode => {
  const { t } = useTranslation('lists')
  return (
    <>
      <Icon name="check" size="small" />
      <VisuallyHidden component="span">{t('read')}</VisuallyHidden>
    </>
  )
}
