import type { BookDto, SeriesDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dragOf, dropOn } from '../../lists/dragging/books-in-hand.ts'
import { bookCover, pathOfSeries, seriesCover } from '../../lists/item/addresses.ts'
import { useBookLines } from '../../text/book-name.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { CoverCard } from '../../ui/cover/cover-card.tsx'

interface SeriesCardProps {
  readonly series: SeriesDto
  readonly isFirst?: boolean
}

export const SeriesCard = ({ series, isFirst = false }: SeriesCardProps): ReactNode => {
  const { t } = useTranslation('search')
  const { id, title, year, bookCount, unreadCount, placeholder, authors } = series
  const figures = [year, t('books', { count: bookCount })]
  return (
    <CoverCard
      title={title}
      subtitle={authors.length > 0 ? authors.join(', ') : figures.filter((each) => each !== null).join(' · ')}
      src={seriesCover(series)}
      thumbhash={placeholder}
      icon="series"
      isFirst={isFirst}
      {...(unreadCount > 0 && { badge: unreadCount })}
      to={pathOfSeries(series)}
      link={AppLink}
      focus={dropOn(series)}
    />
  )
}

interface BookCardProps {
  readonly book: BookDto
  readonly isFirst?: boolean
}

export const BookCard = ({ book, isFirst = false }: BookCardProps): ReactNode => {
  const { id, placeholder, readProgress } = book
  const text = useItemText()
  const { first, second } = useBookLines()(book)
  const percentage = readProgress?.progressPercentage ?? undefined
  return (
    <CoverCard
      title={first}
      subtitle={second ?? text.ofBook(book)}
      src={bookCover(book)}
      thumbhash={placeholder}
      isFirst={isFirst}
      progress={readProgress?.completed === true ? 1 : percentage}
      to={paths.book(id)}
      link={AppLink}
      focus={dragOf(book)}
    />
  )
}
