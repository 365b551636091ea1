import { type BookDetail, readBook, readTimeLeft } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { useBookTitle } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { bookCover } from '../../lists/item/addresses.ts'
import { progressOf, useItemText } from '../../lists/item/item-text.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { DetailHead } from '../../ui/detail/detail-head.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { BookActions } from './book-actions.tsx'
import { BookDetails } from './book-details.tsx'
import { BookNeighbours } from './book-neighbours.tsx'

const route = getRouteApi('/signed-in/framed/books/$bookId')

export const BookPage = (): ReactNode => {
  const { t } = useTranslation('books')
  const { bookId } = route.useParams()
  const book = useRead(readBook, { params: { id: bookId } })
  const titleIn = useBookTitle()
  return (
    <Stack gap={5}>
      <DetailHead
        key={book.id}
        cover={<Cover key={book.coverVersion} src={bookCover(book, 240)} thumbhash={book.placeholder} alt="" isFirst />}
        above={
          <AppLink to={paths.series(book.seriesId)} dir="auto">
            {book.seriesName}
          </AppLink>
        }
        title={titleIn('series', book).text}
        pageTitle={titleIn('page', book).text}
        lines={useLines(book)}
        actions={<BookActions book={book} />}
      >
        {book.deleted ? <Notice kind="warning">{t('missing')}</Notice> : null}
        {book.analysisError === null ? null : (
          <Notice kind="warning">{t('damaged', { why: book.analysisError })}</Notice>
        )}
        {book.summary === null ? null : <Synopsis text={book.summary} />}
        <BookDetails book={book} />
      </DetailHead>
      <BookNeighbours book={book} />
    </Stack>
  )
}

/** The lines say which book of its series it is, how long it is, and how far it has been read. */
const useLines = (book: BookDetail): string[] => {
  const { t } = useTranslation('books')
  const text = useItemText()
  const timeLeft = useTimeLeft(book)
  const { volume, number } = book.metadata
  const progress = progressOf(book)
  const parts = [
    // The heading begins with the number already, so it is not repeated.
    volume === null || volume === book.number ? undefined : t('volume', { volume }),
    number === null || Number(number) === book.number ? undefined : t('number', { number }),
    book.metadata.year === null ? undefined : String(book.metadata.year),
    text.ofBook(book),
  ]
  const reading = book.readProgress?.completed
    ? t('finished', { date: text.date(book.readProgress.completedAt ?? book.readProgress.updatedAt) })
    : progress === undefined
      ? undefined
      : book.pageCount > 0
        ? t('atPage', { page: text.number(book.readProgress?.currentPage ?? 0), pages: text.number(book.pageCount) })
        : t('atPercent', { percent: Math.round(progress * 100) })
  return [parts.filter(Boolean).join(' · '), [reading, timeLeft].filter(Boolean).join(' · ')].filter(
    (line) => line !== '',
  )
}

/** It estimates the time left at the user's own pace, for a book that has been begun. */
const useTimeLeft = ({ id, readProgress }: BookDetail): string | undefined => {
  const { t, i18n } = useTranslation('books')
  const may = useMay('progress:read')
  const isBegun = readProgress !== null && !readProgress.completed
  const { data } = useLater(readTimeLeft, { params: { id } }, { enabled: may && isBegun })
  const ms = data?.timeLeftMs ?? null
  if (!isBegun || ms === null || ms === 0) return undefined
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [value, unit] = minutes < 90 ? [minutes, 'minute'] : [Math.round(minutes / 30) / 2, 'hour']
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const
  return t('timeLeft', { time: new Intl.NumberFormat(i18n.resolvedLanguage, options).format(value) })
}
