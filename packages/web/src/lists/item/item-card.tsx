import type { BookDto, SeriesDto } from '@carrel/api'
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCardLines, useNumberInWords } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { CoverCard } from '../../ui/cover/cover-card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import type { ItemFocus } from '../../ui/virtual/virtual-list.tsx'
import { dragOf, dropOn } from '../dragging/books-in-hand.ts'
import { useMenuOf } from '../menu/use-menu-of.ts'
import { QuickActions } from '../menu/quick-actions.tsx'
import { bookCover, pathOfSeries, seriesCover } from './addresses.ts'
import styles from './item-card.module.css'
import { isUnreadable, progressOf, readShareOf, useItemText } from './item-text.ts'

interface CardProps {
  readonly width?: number
  readonly focus?: ItemFocus
  readonly actions?: ReactNode
  /** Clicks choose: then nothing else is offered. */
  readonly isChoosing?: boolean
  readonly isFirst?: boolean
  readonly isPatient?: boolean
}

/** A series by its cover, with how many of its books are unread. */
export const SeriesCard = ({
  series,
  width,
  focus,
  isChoosing = false,
  ...card
}: CardProps & { readonly series: SeriesDto }): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const menuOf = useMenuOf()
  const { unreadCount, bookCount, oneShot } = series
  const isDone = unreadCount === 0
  return (
    <CoverCard
      {...card}
      title={series.title}
      subtitle={
        <>
          <SeriesLine series={series} />
          <Spoken words={isDone ? t('read') : text.count('unread', unreadCount)} />
        </>
      }
      src={seriesCover(series, width)}
      thumbhash={series.placeholder}
      icon="series"
      progress={readShareOf(series)}
      isDone={isDone}
      badge={
        // That one of one is unread tells nobody anything.
        bookCount === 0 || (oneShot && !isDone) ? undefined : (
          <span aria-hidden="true">{isDone ? <Icon name="check" size="small" /> : text.number(unreadCount)}</span>
        )
      }
      to={pathOfSeries(series)}
      link={AppLink}
      focus={{ ...focus, ...dropOn(series) }}
      menu={menuOf(series)}
      quick={isChoosing ? undefined : <QuickActions item={series} />}
    />
  )
}

/** Who has written it, and where there is room for both, how many there are. */
const SeriesLine = ({ series }: { readonly series: SeriesDto }): ReactNode => {
  const text = useItemText()
  const { authors, bookCount, oneShot } = series
  if (authors.length === 0) return <span dir="auto">{text.ofSeries(series)}</span>
  if (oneShot) return <span dir="auto">{authors.join(', ')}</span>
  return (
    <Row as="span" wrap className={styles.line}>
      <span className={styles.author} dir="auto">
        {authors.join(', ')}
      </span>
      <span>{`\u00A0· ${text.count('books', bookCount)}`}</span>
    </Row>
  )
}

interface BookCardProps extends CardProps {
  readonly book: BookDto
  /** Within its series a book does not repeat the title of the series. */
  readonly isInSeries?: boolean
}

/** A book by its cover, with how far it has been read. */
export const BookCard = ({
  book,
  isInSeries = false,
  width,
  focus,
  isChoosing = false,
  ...card
}: BookCardProps): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const menuOf = useMenuOf()
  const isDone = book.readProgress?.completed === true
  const progress = progressOf(book)
  const { number, second, ...lines } = useCardLines()(book, isInSeries)
  const numberInWords = useNumberInWords()
  // Neither a volume nor a chapter: a chip alone would leave the line to itself, and before `No. 7` it says the same again.
  const title = lines.title ?? numberInWords(book) ?? undefined
  const chip = lines.title === null ? null : number
  const state = isDone ? t('read') : progress === undefined ? undefined : text.begun(book, progress)
  const isBroken = isUnreadable(book)
  const below = isBroken ? t('unreadable') : isInSeries ? (second ?? state) : second
  return (
    <CoverCard
      {...card}
      number={chip === null ? undefined : { text: chip, isWorded: lines.isWorded }}
      title={title}
      subtitle={
        <>
          <span dir="auto">{below ?? text.ofBook(book)}</span>
          <Spoken words={below === state ? undefined : state} />
        </>
      }
      src={bookCover(book, width)}
      thumbhash={book.placeholder}
      progress={progress}
      isDone={isDone}
      badge={isDone ? <Icon name="check" size="small" /> : isBroken ? <Icon name="warning" size="small" /> : undefined}
      to={paths.book(book.id)}
      link={AppLink}
      focus={{ ...focus, ...dragOf(book) }}
      menu={menuOf(book)}
      quick={isChoosing ? undefined : <QuickActions item={book} />}
    />
  )
}

/** The text stands for a picture on the cover, and is read after the title. */
const Spoken = ({ words }: { readonly words: string | undefined }): ReactNode =>
  words === undefined ? null : <VisuallyHidden component="span"> {words}</VisuallyHidden>
