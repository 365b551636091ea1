import { readCollection } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'

export const collections = createRoute({
  getParentRoute: () => framed,
  path: '/collections',
  component: page(() => import('./collections-page.tsx'), 'CollectionsPage', ['collections', 'lists']),
})

export const collection = createRoute({
  getParentRoute: () => framed,
  path: '/collections/$collectionId',
  loader: ({ params }) => ensure(readCollection, { params: { id: params.collectionId } }),
  component: page(() => import('./collection-page.tsx'), 'CollectionPage', ['collections', 'lists']),
})
