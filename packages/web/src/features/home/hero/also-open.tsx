import type { OpenBook } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bookCover } from '../../../lists/item/addresses.ts'
import { progressOf, useItemText } from '../../../lists/item/item-text.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useCardLines } from '../../../text/book-name.tsx'
import { Cover } from '../../../ui/cover/cover.tsx'
import { toned } from '../../../ui/cover/toned.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Columns, Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { allOfShelf } from '../shelves.ts'
import styles from './also-open.module.css'
import { useSpanText } from './left-text.ts'

interface AlsoOpenProps {
  readonly books: readonly OpenBook[]
  readonly total: number
}

const shownMax = 4

/** The next few, each one click away from its page. */
export const AlsoOpen = ({ books, total }: AlsoOpenProps): ReactNode => {
  const { t } = useTranslation('home')
  return (
    <section className={styles.also} aria-labelledby="also">
      <Row justify="between" className={styles.head}>
        <h3 id="also" className={styles.heading}>
          {t('alsoOpen')}
        </h3>
        {total > shownMax + 1 && allOfShelf.continueReading !== undefined ? (
          <AppLink to={allOfShelf.continueReading} className={styles.all}>
            {t('inAll', { count: total })}
          </AppLink>
        ) : null}
      </Row>
      <Stack as="ul" className={styles.list}>
        {books.slice(0, shownMax).map((each) => (
          <li key={each.book.id} {...toned(each.book.tone)}>
            <OpenLine open={each} />
          </li>
        ))}
      </Stack>
    </section>
  )
}

const OpenLine = ({ open: { book, timeLeftMs } }: { readonly open: OpenBook }): ReactNode => {
  const { t } = useTranslation('home')
  const text = useItemText()
  const span = useSpanText()
  const progress = progressOf(book) ?? 0
  const { number, title, second } = useCardLines()(book, false)
  // The number stands in the chip: nobody needs it in words as well.
  const below = title === book.seriesName ? text.begun(book, progress) : second
  const left = timeLeftMs === null || timeLeftMs === 0 ? text.percent(progress) : t('left', { time: span(timeLeftMs) })
  return (
    <Columns as={AppLink} gap={3} align="center" to={paths.read(book.id)} className={styles.line}>
      <Cover src={bookCover(book, 40)} thumbhash={book.placeholder} alt="" isPatient />
      <span>
        <Text as="span" lines={1} className={styles.title} dir="auto">
          {number === null ? null : <span className={styles.number}>{number}</span>}
          {title ?? book.seriesName}
        </Text>
        <Text as="span" lines={1} quiet size={12} dir="auto">
          {below}
        </Text>
        <Row as="span" gap={2} className={styles.meter}>
          <progress data-bar className={styles.bar} value={progress} aria-hidden="true" />
          <span>{left}</span>
        </Row>
      </span>
      <span className={styles.go}>
        <Icon name="play" size="small" />
      </span>
    </Columns>
  )
}
