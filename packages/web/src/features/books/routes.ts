import {
  listAnnotations,
  listReadListsOfBook,
  readAdjacentBooks,
  readBook,
  readBookPlacement,
  readBookRating,
  readMe,
  readRelatedSeries,
  readTimeLeft,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/search/list-search.ts'
import { sourceOf } from '../../lists/search/sources.ts'
import { marksOfBook } from './marks-of-book.ts'
import { tabIn } from './tabs.ts'

export const bookList = createRoute({
  getParentRoute: () => framed,
  path: '/books',
  validateSearch: (words: Record<string, unknown>) => wordsOfSearch('books', parseListSearch('books', words)),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(sourceOf('books', parseListSearch('books', deps)).page(1)),
  component: page(() => import('./book-list-page.tsx'), 'BookListPage', ['books', 'lists']),
})

export const book = createRoute({
  getParentRoute: () => framed,
  path: '/books/$bookId',
  validateSearch: (words: Record<string, unknown>) => {
    const tab = tabIn(words)
    return { tab: tab === 'inside' ? undefined : tab }
  },
  loader: async ({ params: { bookId } }) => {
    const of = { params: { id: bookId } }
    const { permissions } = await ensure(readMe, {})
    // Data that stands between other details is loaded with them, so that nothing moves.
    const details = [
      queryClient.prefetchQuery(query(readAdjacentBooks, of)),
      ...(permissions.includes('progress:read')
        ? [
            queryClient.prefetchQuery(query(readTimeLeft, of)),
            queryClient.prefetchQuery(query(readBookRating, of)),
            queryClient.prefetchQuery(query(listAnnotations, marksOfBook(bookId))),
          ]
        : []),
      ...(permissions.includes('series:write') ? [queryClient.prefetchQuery(query(readBookPlacement, of))] : []),
      ...(permissions.includes('readlists:read')
        ? [queryClient.prefetchQuery(query(listReadListsOfBook, { ...of, query: { pageSize: 20 } }))]
        : []),
    ]
    const [book] = await Promise.all([ensure(readBook, of), ...details])
    if (book.oneShot && book.seriesId !== null && permissions.includes('series:read'))
      await queryClient.prefetchQuery(query(readRelatedSeries, { params: { id: book.seriesId } }))
  },
  component: page(() => import('./book-page.tsx'), 'BookPage', ['books', 'lists', 'metadata']),
})
