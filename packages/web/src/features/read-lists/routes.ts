import { listBooksOfReadList, readReadList, readReadListAhead } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { pageSize } from '../../lists/pages/use-pages.ts'

export const readLists = createRoute({
  getParentRoute: () => framed,
  path: '/read-lists',
  component: page(() => import('./read-lists-page.tsx'), 'ReadListsPage', ['read-lists', 'lists']),
})

export const readList = createRoute({
  getParentRoute: () => framed,
  path: '/read-lists/$readListId',
  // The page knows where to read on when it is shown: nothing moves for it.
  loader: async ({ params: { readListId: id } }) => {
    const books = ensure(listBooksOfReadList, { params: { id }, query: { page: 1, pageSize } })
    const ahead = queryClient.prefetchQuery(query(readReadListAhead, { params: { id } }))
    await Promise.all([ensure(readReadList, { params: { id } }), books, ahead])
  },
  component: page(() => import('./read-list-page.tsx'), 'ReadListPage', ['read-lists', 'lists']),
})
