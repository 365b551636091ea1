import {
  type BookDetail,
  type BookDto,
  deleteBookRating,
  readAdjacentBooks,
  readBookRating,
  readNeighboursInReadList,
  saveBookRating,
} from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../../api/queries.ts'
import { useItemName } from '../../../text/book-name.tsx'
import { useSayFailure } from '../../../text/say-failure.ts'
import { useMay } from '../../../session/me.ts'
import { paths } from '../../../navigation/paths.ts'
import { Cover } from '../../../ui/cover/cover.tsx'
import { RatingStars } from '../../../ui/form/rating-stars.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Stack } from '../../../ui/layout/layout.tsx'
import { announce } from '../../../ui/state/live-region.tsx'
import { leaveReader } from '../controls/leave.ts'
import { coverOf } from '../pages/pictures.ts'
import { Numbered } from './numbered.tsx'
import styles from './end-of-book.module.css'

/** What comes after this book, and the way there: undefined until it is known, null where there is nothing. */
export const useNext = (bookId: string, readList: string | undefined, isWanted: boolean) => {
  const router = useRouter()
  const ofSeries = useLater(readAdjacentBooks, { params: { id: bookId } }, { enabled: isWanted && !readList })
  const ofList = useLater(
    readNeighboursInReadList,
    { params: { id: readList ?? '', bookId } },
    { enabled: isWanted && readList !== undefined },
  )
  const { data, isPending, isError } = readList === undefined ? ofSeries : ofList
  const next = data?.next
  return {
    next: data === undefined ? undefined : (next ?? null),
    isPending,
    isError,
    isOfList: readList !== undefined,
    goOn: (): void => {
      if (next) void router.navigate({ href: paths.read(next.id, { ...(readList && { readList }) }), replace: true })
    },
  }
}

export type NextBook = ReturnType<typeof useNext>

interface EndOfBookProps {
  readonly book: BookDetail
  readonly following: NextBook
  /** Where half of the window is ours, the other half still shows the last page. */
  readonly side: 'left' | 'right' | 'bottom'
}

/** One has come to the end. What comes next is shown; one more turn leads there, and nothing goes there by itself. */
export const EndOfBook = ({ book, following, side }: EndOfBookProps): ReactNode => {
  const { t } = useTranslation('reader')
  const router = useRouter()
  const nameOf = useItemName()
  const { next, isPending, isError, isOfList, goOn } = following
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    announce(t('end.title'))
  }, [t])
  return (
    <section ref={box} className={styles.end} data-side={side} aria-label={t('end.title')} tabIndex={-1}>
      <Stack gap={5} className={styles.inner} aria-busy={isPending}>
        <p className={styles.finished} dir="auto">
          {t('end.youHaveRead', { title: nameOf(book) })}
        </p>
        {next ? <Next book={next} onGo={goOn} /> : null}
        {next === null && isOfList ? <p className={styles.quiet}>{t('end.lastOfList')}</p> : null}
        {next === null && !isOfList && !book.oneShot ? <p className={styles.quiet}>{t('end.lastOfSeries')}</p> : null}
        {isError ? <p className={styles.quiet}>{t('end.failed')}</p> : null}
        <Row gap={4} justify="between" wrap className={styles.foot}>
          <Rating bookId={book.id} onRated={() => box.current?.focus({ preventScroll: true })} />
          <button type="button" className={styles.leave} onClick={() => leaveReader(router)}>
            {t('leave')}
          </button>
        </Row>
      </Stack>
    </section>
  )
}

interface NextProps {
  readonly book: BookDto
  readonly onGo: () => void
}

const Next = ({ book, onGo }: NextProps): ReactNode => {
  const { t } = useTranslation('reader')
  return (
    <Row gap={4} align="start">
      <div className={styles.cover}>
        <Cover src={coverOf(book)} thumbhash={book.placeholder} alt="" isFirst />
      </div>
      <Stack gap={2} align="start" className={styles.about}>
        <p className={styles.quiet}>{t('end.next')}</p>
        <p className={styles.title} dir="auto">
          <Row as="span" gap={2} wrap>
            <Numbered book={book} />
          </Row>
        </p>
        <p className={styles.quiet} dir="auto">
          {[book.oneShot ? book.authors.join(', ') : book.seriesName, pagesOf(book, t)]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
        <button type="button" className={styles.go} onClick={onGo}>
          <Row as="span" gap={2}>
            <Icon name="play" size="small" />
            {t('end.readNext')}
          </Row>
        </button>
      </Stack>
    </Row>
  )
}

const pagesOf = ({ pageCount }: BookDto, t: (key: 'end.pages', gaps: { count: number }) => string): string =>
  pageCount > 0 ? t('end.pages', { count: pageCount }) : ''

interface RatingProps {
  readonly bookId: string
  /** The arrow keys turn pages again. */
  readonly onRated: () => void
}

/** What one thought of the book is known best now. */
const Rating = ({ bookId, onRated }: RatingProps): ReactNode => {
  const { t } = useTranslation('reader')
  const params = { id: bookId }
  const { data } = useLater(readBookRating, { params }, { enabled: useMay('progress:read') })
  const options = { invalidates: [readBookRating], onError: useSayFailure() }
  const save = useChange(saveBookRating, options)
  const drop = useChange(deleteBookRating, options)
  if (!useMay('progress:write')) return null
  return (
    <RatingStars
      label={t('end.rate')}
      rating={data?.rating}
      onRate={(rating) => {
        onRated()
        if (rating === undefined) drop.mutate({ params })
        else save.mutate({ params, body: { rating, notes: data?.notes ?? null } })
      }}
    />
  )
}
