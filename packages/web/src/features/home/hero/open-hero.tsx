import type { OpenBook, OpenBooks } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isFlowing, progressOf, useItemText } from '../../../lists/item/item-text.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useNameInSeries } from '../../../text/book-name.tsx'
import { ActionMenu } from '../../../ui/action-menu.tsx'
import { Hero } from './hero.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Center, Columns, Row, Text } from '../../../ui/layout/layout.tsx'
import { AlsoOpen } from './also-open.tsx'
import styles from './hero.module.css'
import { useDayAndTime, useSpanText } from './left-text.ts'
import { Spread } from './spread.tsx'
import { useHeroActions } from './use-hero-actions.ts'

interface OpenHeroProps {
  readonly first: OpenBook
  readonly open: OpenBooks
}

/** The book somebody is in the middle of, as it lies open, and the others that are open too. */
export const OpenHero = ({ first, open }: OpenHeroProps): ReactNode => {
  const { book, pages } = first
  const others = open.books.slice(1)
  return (
    <Hero tone={book.tone} thumbhash={book.placeholder} aria-labelledby="continue">
      <Columns gap={6} align="center" className={styles.columns} data-has-others={others.length > 0}>
        <Spread key={`${book.id} ${pages[0]?.pageNumber ?? 0}`} book={book} pages={pages} />
        <OpenWords open={first} />
        {others.length > 0 ? <AlsoOpen books={others} total={open.total} /> : null}
      </Columns>
    </Hero>
  )
}

const OpenWords = ({ open }: { readonly open: OpenBook }): ReactNode => {
  const { t } = useTranslation('home')
  const { book } = open
  return (
    <div>
      <p className={styles.eyebrow}>{t('continueReading')}</p>
      <h2 id="continue" className={styles.title} dir="auto">
        {book.oneShot ? book.title : book.seriesName}
      </h2>
      <Where open={open} />
      <progress data-bar className={styles.bar} value={progressOf(book) ?? 0} aria-hidden="true" />
      <Row gap={2} className={styles.actions}>
        <ReadButton to={paths.read(book.id)}>{t('continue')}</ReadButton>
        <ToSeries book={book} />
        <ActionMenu
          label={t('more')}
          className={`${styles.soft ?? ''} ${styles.more ?? ''}`}
          actions={useHeroActions(book)}
          link={AppLink}
        />
      </Row>
      <LastTime open={open} />
    </div>
  )
}

/** The volume, the page, and how long it still takes. */
const Where = ({ open: { book, timeLeftMs } }: { readonly open: OpenBook }): ReactNode => {
  const { t } = useTranslation('home')
  const text = useItemText()
  const nameOf = useNameInSeries()
  const span = useSpanText()
  const { currentPage = 0 } = book.readProgress ?? {}
  const parts = [
    book.pageCount > 0 && !isFlowing(book)
      ? t('pageOf', { page: text.number(Math.max(1, currentPage)), count: book.pageCount })
      : text.percent(progressOf(book) ?? 0),
    timeLeftMs === null || timeLeftMs === 0 ? undefined : t('timeLeft', { time: span(timeLeftMs) }),
  ]
  return (
    <p className={styles.where}>
      <b dir="auto">{book.oneShot ? book.authors.join(', ') : nameOf(book)}</b>
      {parts.flatMap((part) => (part === undefined ? [] : [<span key={part}>{part}</span>]))}
    </p>
  )
}

const LastTime = ({ open: { book, deviceName } }: { readonly open: OpenBook }): ReactNode => {
  const { t } = useTranslation('home')
  const dayAndTime = useDayAndTime()
  if (!book.readProgress) return null
  const when = dayAndTime(book.readProgress.updatedAt)
  return (
    <Text quiet size={12} className={styles.last}>
      {deviceName === null ? t('last', { when }) : t('lastOn', { device: deviceName, when })}
    </Text>
  )
}

export const ReadButton = ({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode => (
  <Row as={AppLink} inline gap={2} justify="center" to={to} className={styles.main}>
    <Icon name="play" size="small" />
    {children}
  </Row>
)

export const ToSeries = ({ book }: Pick<OpenBook, 'book'>): ReactNode => {
  const { t } = useTranslation('home')
  const label = book.oneShot ? t('toBook') : t('toSeries')
  return (
    <Center
      as={AppLink}
      to={book.oneShot || book.seriesId === null ? paths.book(book.id) : paths.series(book.seriesId)}
      className={styles.soft}
      aria-label={label}
      title={label}
    >
      <Icon name={book.oneShot ? 'book' : 'series'} />
    </Center>
  )
}
