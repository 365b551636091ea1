import { bookNumberOf, type BookTitle, type BookTitleContext, bookTitleIn, type NamedBook } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../ui/layout/layout.tsx'
import styles from './book-name.module.css'

/** It names books (pins C24) in the language of the user. */
export const useBookTitle = (): ((context: BookTitleContext, book: NamedBook) => BookTitle) => {
  const { t } = useTranslation()
  const words = {
    volume: (number: string) => t('volumeNumber', { number }),
    chapter: (number: string) => t('chapterNumber', { number }),
  }
  return (context, book) => bookTitleIn(context, book, words)
}

/** The name of a book that stands by itself: a number alone is none, be the series named around it or not. */
export const useHeading = (): ((book: NamedBook) => BookTitle) => {
  const titleIn = useBookTitle()
  return (book) => {
    const inSeries = titleIn('series', book)
    return inSeries.title === null ? titleIn('page', book) : inSeries
  }
}

/** The number of a book where nothing around it says what is counted: `Volume 3`, `Chapter 12`, `No. 7`. */
export const useNumberInWords = (): ((book: NamedBook) => string | null) => {
  const { t } = useTranslation()
  const titleIn = useBookTitle()
  return (book) => {
    // Without a title of its own its number stands in words.
    const { number } = titleIn('series', { ...book, title: book.seriesName })
    return number !== null && /^\d/.test(number) ? t('plainNumber', { number }) : number
  }
}

/** The name of a book below or beside that of its series: `7 · Title`, or its number in words. */
export const useNameInSeries = (): ((book: NamedBook) => string) => {
  const titleIn = useBookTitle()
  const inWords = useNumberInWords()
  return (book) => {
    const { title, text } = titleIn('series', book)
    return title === null ? (inWords(book) ?? text) : text
  }
}

/** The name of a series or of a book, where it is spoken of and not shown: in a notice, on a button. */
export const useItemName = (): ((item: Named) => string) => {
  const titleIn = useBookTitle()
  return ({ seriesName, ...item }) => (seriesName == null ? item.title : titleIn('mixed', { ...item, seriesName }).text)
}

/** A book has a series, whatever else that has a title has none. */
type Named = Omit<NamedBook, 'seriesName'> & { readonly seriesName?: string | null }

interface BookNameProps {
  readonly book: NamedBook
  readonly context: 'series' | 'mixed'
}

/** The name stands on one line: the series and the title are shortened first, the number never is. */
export const BookName = ({ book, context }: BookNameProps): ReactNode => {
  const { series, number, title, text } = useBookTitle()(context, book)
  const isOneText = [series, number, title].filter((part) => part !== null).length === 1
  if (isOneText) return <span className={styles.one}>{text}</span>
  return (
    <Row as="span" align="stretch" className={styles.name} title={text}>
      {series === null ? null : <span className={styles.series}>{series}</span>}
      {number === null ? null : (
        <span className={styles.number}>
          {series === null ? '' : ' '}
          {number}
        </span>
      )}
      {title === null ? null : <span className={styles.title}>{` · ${title}`}</span>}
    </Row>
  )
}

interface CardLines {
  /** It stands in a chip before the title, and is never what is cut off. */
  readonly number: string | null
  /** The title says the number as well, in words. */
  readonly isWorded: boolean
  readonly title: string | null
  /** Null: neither a series nor an author has anything to add. */
  readonly second: string | null
}

/** What stands below the cover of a book. */
export const useCardLines = (): ((book: NamedBook, isInSeries: boolean) => CardLines) => {
  const titleIn = useBookTitle()
  return (book, isInSeries) => {
    const parts = titleIn(isInSeries ? 'series' : 'card', book)
    const number = bookNumberOf(book)
    const authors = book.authors && book.authors.length > 0 ? book.authors.join(', ') : null
    const ofOneShot = book.oneShot === true ? authors : null
    if (parts.title !== null) return { number, isWorded: false, title: parts.title, second: parts.series ?? ofOneShot }
    const worded = parts.number === number ? null : parts.number
    const more = [worded, authors].filter((part) => part !== null).join(' · ')
    if (parts.series !== null) return { number, isWorded: false, title: parts.series, second: more || null }
    return { number, isWorded: worded !== null, title: worded, second: ofOneShot }
  }
}
