import { readBook } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Points } from './points.tsx'
import { ReadThroughs } from './read-throughs.tsx'

const route = getRouteApi('/signed-in/framed/books/$bookId/history')

/** The page shows everything known of the user's reading of a book. */
export const BookHistoryPage = (): ReactNode => {
  const { t } = useTranslation('history')
  const { bookId } = route.useParams()
  const { page = 1 } = route.useSearch()
  const nameOf = useItemName()
  const book = useRead(readBook, { params: { id: bookId } })
  return (
    <Page
      title={t('title')}
      width="narrow"
      subtitle={
        <AppLink to={paths.book(book.id)} dir="auto">
          {nameOf(book)}
        </AppLink>
      }
    >
      <ReadThroughs bookId={bookId} />
      <Points book={book} page={page} />
    </Page>
  )
}
