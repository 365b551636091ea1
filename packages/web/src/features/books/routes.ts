import { listReadListsOfBook, readBook, readBookPlacement, readMe, readTimeLeft } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/search/list-search.ts'
import { sourceOf } from '../../lists/search/sources.ts'

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
    const of = { params: { id: bookId } }
    const { permissions } = await ensure(readMe, {})
    // Data that stands between other details is loaded with them, so that nothing moves.
    const details = [
      ...(permissions.includes('progress:read') ? [queryClient.prefetchQuery(query(readTimeLeft, of))] : []),
      ...(permissions.includes('series:write') ? [queryClient.prefetchQuery(query(readBookPlacement, of))] : []),
      ...(permissions.includes('readlists:read')
        ? [queryClient.prefetchQuery(query(listReadListsOfBook, { ...of, query: { pageSize: 20 } }))]
        : []),
    ]
    await Promise.all([ensure(readBook, of), ...details])
  },
  component: page(() => import('./book-page.tsx'), 'BookPage', ['books', 'lists']),
})
