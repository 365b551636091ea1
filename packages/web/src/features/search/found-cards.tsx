import type { BookDto, SeriesDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bookCover, seriesCover } from '../../lists/addresses.ts'
import { AppLink } from '../../link.tsx'
import { paths } from '../../paths.ts'
import { CoverCard } from '../../ui/cover-card.tsx'

interface SeriesCardProps {
  readonly series: SeriesDto
  readonly isFirst?: boolean
}

export const SeriesCard = ({ series, isFirst = false }: SeriesCardProps): ReactNode => {
  const { t } = useTranslation('search')
  const { id, title, year, bookCount, unreadCount, placeholder } = series
  return (
    <CoverCard
      title={title}
      subtitle={[year, t('books', { count: bookCount })].filter((each) => each !== null).join(' · ')}
      src={seriesCover(series)}
      thumbhash={placeholder}
      icon="series"
      isFirst={isFirst}
      {...(unreadCount > 0 && { badge: unreadCount })}
      to={paths.series(id)}
      link={AppLink}
    />
  )
}

interface BookCardProps {
  readonly book: BookDto
  readonly isFirst?: boolean
}

export const BookCard = ({ book, isFirst = false }: BookCardProps): ReactNode => {
  const { id, title, seriesName, placeholder, readProgress } = book
  const percentage = readProgress?.progressPercentage ?? undefined
  return (
    <CoverCard
      title={title}
      subtitle={seriesName}
      src={bookCover(book)}
      thumbhash={placeholder}
      isFirst={isFirst}
      progress={readProgress?.completed === true ? 1 : percentage}
      to={paths.book(id)}
      link={AppLink}
    />
  )
}
