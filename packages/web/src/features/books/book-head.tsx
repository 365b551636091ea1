import { readBookRating, type BookDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useBookTitle, useHeading } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { bookCover } from '../../lists/item/addresses.ts'
import { isFlowing, isUnreadable, progressOf, useItemText } from '../../lists/item/item-text.ts'
import { leadingFacts } from '../../lists/item/leading-facts.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useLanguageName } from '../../text/language-name.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Chips } from '../../ui/detail/chips.tsx'
import { Stars } from '../../ui/detail/stars.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { WorkHead } from '../../ui/detail/work-head.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { BookActions } from './book-actions.tsx'
import { addressOfTab } from './tabs.ts'
import styles from './book-page.module.css'
import type { MainActionText } from '../../ui/detail/main-action.tsx'
import { useReadingTime } from './use-reading-time.ts'

interface BookHeadProps {
  readonly book: BookDetail
  readonly main: MainActionText | undefined
}

export const BookHead = ({ book, main }: BookHeadProps): ReactNode => {
  const { t } = useTranslation('books')
  const titleIn = useBookTitle()
  const { series, text } = useHeading()(book)
  const toSeries = book.seriesId !== null && (
    <AppLink to={paths.series(book.seriesId)} dir="auto">
      {book.seriesName}
    </AppLink>
  )
  const to = (kind: 'genre' | 'tag') => (label: string) => ({ label, to: paths[kind](label) })
  return (
    <WorkHead
      kind="book"
      cover={<Cover key={book.coverVersion} src={bookCover(book, 248)} thumbhash={book.placeholder} alt="" isFirst />}
      thumbhash={book.placeholder}
      above={
        // Where the heading begins with the series, that leads to it.
        book.oneShot || series !== null || book.seriesId === null ? (
          <AppLink to={paths.library(book.libraryId)} dir="auto">
            {book.libraryName}
          </AppLink>
        ) : (
          toSeries
        )
      }
      title={text}
      heading={
        series === null ? (
          text
        ) : (
          <>
            {toSeries}
            {text.slice(series.length)}
          </>
        )
      }
      pageTitle={titleIn('page', book).text}
      facts={useFacts(book)}
      actions={<BookActions book={book} main={main} />}
    >
      {book.deleted ? <Notice kind="warning">{t('missing')}</Notice> : null}
      {book.analysisError === null ? null : (
        <Notice kind="warning">
          {isUnreadable(book)
            ? t('unreadable', { why: book.analysisError })
            : t('damaged', { why: book.analysisError })}
        </Notice>
      )}
      <Progress book={book} />
      {book.summary === null ? null : <Synopsis text={book.summary} />}
      <Chips
        label={t('genresAndTags')}
        link={AppLink}
        chips={[...book.metadata.genres.map(to('genre')), ...book.metadata.tags.map(to('tag'))]}
      />
    </WorkHead>
  )
}

/** Who wrote it, when, how long it is, in which language, how it is liked, and how long it takes. */
const useFacts = (book: BookDetail): ReactNode[] => {
  const { t } = useTranslation('books')
  const text = useItemText()
  const languageName = useLanguageName()
  const { data: own } = useLater(readBookRating, { params: { id: book.id } }, { enabled: useMay('progress:read') })
  const { volume, number, year, languageIso, authors } = book.metadata
  const finishedAt = book.readProgress?.completed
    ? (book.readProgress.completedAt ?? book.readProgress.updatedAt)
    : null
  return [
    ...leadingFacts({ people: authors, toAll: addressOfTab(book.id, 'details') }),
    // The heading begins with the number already, so it is not repeated.
    volume === null || volume === book.number ? undefined : t('volume', { volume }),
    number === null || Number(number) === book.number ? undefined : t('number', { number }),
    year === null ? undefined : String(year),
    isFlowing(book) ? undefined : text.ofBook(book),
    languageIso === null ? undefined : languageName(languageIso),
    own?.rating === undefined ? undefined : <Stars value={own.rating / 20} label={t('yourRating')} />,
    finishedAt === null ? undefined : t('finished', { date: text.date(finishedAt) }),
    useReadingTime(book).total,
  ]
}

/** How far it is read, and how long the rest takes at the user's own pace. */
const Progress = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('books')
  const text = useItemText()
  const { left } = useReadingTime(book)
  const progress = progressOf(book)
  if (progress === undefined) return null
  const page = book.readProgress?.currentPage ?? 0
  const at =
    book.pageCount > 0 && page > 0 && !isFlowing(book)
      ? t('atPage', { page: text.number(page), pages: text.number(book.pageCount) })
      : text.percent(progress)
  return (
    <Row gap={3} rowGap={1} wrap>
      <progress data-bar className={styles.bar} value={progress} aria-label={t('progress')} />
      <Text as="span" size={13}>
        {[at, left].filter((part) => part !== undefined).join(' · ')}
      </Text>
    </Row>
  )
}
