import { readBook, readTimeLeft } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/list-search.ts'
import { sourceOf } from '../../lists/sources.ts'

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
  loader: async ({ params: { bookId } }) => {
    const input = { params: { id: bookId } }
    // Without it the page is the same, but for a line.
    await Promise.all([
      ensure(readBook, input),
      queryClient.prefetchQuery({ ...query(readTimeLeft, input), retry: false }),
    ])
  },
  component: page(() => import('./book-page.tsx'), 'BookPage', ['books', 'lists']),
})
