import type { BookOfYear, ReadingYear } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bookCover } from '../../../lists/item/addresses.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useItemName } from '../../../text/book-name.tsx'
import { Cover } from '../../../ui/cover/cover.tsx'
import { toned } from '../../../ui/cover/toned.ts'
import { Columns, Text } from '../../../ui/layout/layout.tsx'
import { useFigureText } from '../figure-text.ts'
import { Panel } from './panel.tsx'
import styles from './year.module.css'

/** With what the year began, and with what it ended. */
export const BooksOfYear = ({ year: { firstFinished, lastFinished } }: { readonly year: ReadingYear }): ReactNode => {
  const { t } = useTranslation('statistics')
  if (firstFinished === null || lastFinished === null) return null
  const isOne = firstFinished.book.id === lastFinished.book.id
  return (
    <Columns gap={4} align="start" className={styles.two}>
      <BookPanel title={isOne ? t('year.only') : t('year.first')} finished={firstFinished} />
      {isOne ? null : <BookPanel title={t('year.last')} finished={lastFinished} />}
    </Columns>
  )
}

interface BookPanelProps {
  readonly title: string
  readonly finished: BookOfYear
}

const BookPanel = ({ title, finished: { day, book } }: BookPanelProps): ReactNode => {
  const text = useFigureText()
  const nameOf = useItemName()
  const { className, style } = toned(book.tone)
  return (
    <Panel title={title}>
      <div className={className} style={style}>
        <Columns as={AppLink} gap={4} align="center" to={paths.book(book.id)} className={styles.book}>
          <Cover src={bookCover(book, 96)} thumbhash={book.placeholder} alt="" isPatient />
          <div>
            <Text as="span" lines={3} className={styles.work} dir="auto">
              {nameOf(book)}
            </Text>
            <Text as="span" quiet>
              {text.longDay(day)}
            </Text>
          </div>
        </Columns>
      </div>
    </Panel>
  )
}
