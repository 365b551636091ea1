import { readBook } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, queryClient } from '../../api/queries.ts'
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
  loader: ({ params }) => ensure(readBook, { params: { id: params.bookId } }),
  component: page(() => import('./book-page.tsx'), 'BookPage', ['books', 'lists']),
})
