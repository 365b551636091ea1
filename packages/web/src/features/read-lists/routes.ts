import { readReadList } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'

export const readLists = createRoute({
  getParentRoute: () => framed,
  path: '/read-lists',
  component: page(() => import('./read-lists-page.tsx'), 'ReadListsPage', ['read-lists', 'lists']),
})

export const readList = createRoute({
  getParentRoute: () => framed,
  path: '/read-lists/$readListId',
  loader: ({ params }) => ensure(readReadList, { params: { id: params.readListId } }),
  component: page(() => import('./read-list-page.tsx'), 'ReadListPage', ['read-lists', 'lists']),
})
