import { listSeriesOfCollection, readCollection, readCollectionAhead } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { pageSize } from '../../lists/pages/use-pages.ts'

export const collections = createRoute({
  getParentRoute: () => framed,
  path: '/collections',
  component: page(() => import('./collections-page.tsx'), 'CollectionsPage', ['collections', 'lists']),
})

export const collection = createRoute({
  getParentRoute: () => framed,
  path: '/collections/$collectionId',
  // The page knows its covers and where to read on when it is shown: nothing moves for them.
  loader: async ({ params: { collectionId: id } }) => {
    const of = { params: { id } }
    await Promise.all([
      ensure(readCollection, of),
      ensure(listSeriesOfCollection, { ...of, query: { page: 1, pageSize } }),
      queryClient.prefetchQuery(query(readCollectionAhead, of)),
    ])
  },
  component: page(() => import('./collection-page.tsx'), 'CollectionPage', ['collections', 'lists']),
})
