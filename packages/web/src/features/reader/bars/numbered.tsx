import type { ReactNode } from 'react'
import { type NamedBook } from '@carrel/api'
import { useBookTitle, useNameInSeries } from '../../../text/book-name.tsx'
import styles from './numbered.module.css'

/** The name of a book in its series: its number in a chip, which is never cut off, and its title. */
export const Numbered = ({ book }: { readonly book: NamedBook }): ReactNode => {
  const { number, title } = useBookTitle()('series', book)
  const nameOf = useNameInSeries()
  if (number === null || title === null) return <span className={styles.words}>{nameOf(book)}</span>
  return (
    <>
      <span className={styles.number}>{number}</span>
      {/* The chip says it to the eye, this to the ear. */}
      <span className={styles.between}>{' · '}</span>
      <span className={styles.words}>{title}</span>
    </>
  )
}
