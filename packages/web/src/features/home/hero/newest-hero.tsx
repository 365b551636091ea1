import type { BookDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemText } from '../../../lists/item/item-text.ts'
import { paths } from '../../../navigation/paths.ts'
import { useBookTitle } from '../../../text/book-name.tsx'
import { Hero } from './hero.tsx'
import { Columns, Row } from '../../../ui/layout/layout.tsx'
import styles from './hero.module.css'
import { ReadButton, ToSeries } from './open-hero.tsx'
import { Spread } from './spread.tsx'

/** Nothing is open: what came last is there to begin with. */
export const NewestHero = ({ book }: { readonly book: BookDto }): ReactNode => {
  const { t } = useTranslation('home')
  const text = useItemText()
  const titleIn = useBookTitle()
  return (
    <Hero tone={book.tone} thumbhash={book.placeholder} aria-labelledby="newest">
      <Columns gap={6} align="center" className={styles.columns}>
        <Spread key={book.id} book={book} pages={[]} />
        <div>
          <p className={styles.eyebrow}>{t('newest')}</p>
          <h2 id="newest" className={styles.title} dir="auto">
            {book.oneShot ? book.title : book.seriesName}
          </h2>
          <p className={styles.where}>
            <b dir="auto">{book.oneShot ? book.authors.join(', ') : titleIn('series', book).text}</b>
            <span>{text.ofBook(book)}</span>
          </p>
          <Row gap={2} className={styles.actions}>
            <ReadButton to={paths.read(book.id)}>{t('startReading')}</ReadButton>
            <ToSeries book={book} />
          </Row>
        </div>
      </Columns>
    </Hero>
  )
}
