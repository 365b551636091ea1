import { type BookDetail, type BookDto, readAdjacentBooks } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useHeading } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { bookCover } from '../../lists/item/addresses.ts'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Columns, Grid, Text } from '../../ui/layout/layout.tsx'
import styles from './book-page.module.css'

/** It shows the books before and after this one in its series. */
export const BookNeighbours = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('books')
  const { data } = useLater(readAdjacentBooks, { params: { id: book.id } })
  if (!data || (!data.prev && !data.next)) return null
  return (
    <Grid as="nav" gap={3} min={18} stretch aria-label={t('neighbours')}>
      {data.prev ? <Neighbour book={data.prev} which={t('previous')} /> : null}
      {data.next ? <Neighbour book={data.next} which={t('next')} /> : null}
    </Grid>
  )
}

const Neighbour = ({ book, which }: { readonly book: BookDto; readonly which: string }): ReactNode => (
  <Columns as={AppLink} gap={3} align="center" box pad={2} to={paths.book(book.id)} className={styles.neighbour}>
    <Cover src={bookCover(book, 56)} thumbhash={book.placeholder} alt="" />
    <span>
      <Text as="span" quiet size={13}>
        {which}
      </Text>
      <Text as="span" lines={2} className={styles.name} dir="auto">
        {useHeading()(book).text}
      </Text>
    </span>
  </Columns>
)
