import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'
import { type Entity, entities } from './entities.ts'

const ensureEntity = async ({ read, readTitle }: Entity, id: string): Promise<void> => {
  await Promise.all([ensure(read, { params: { id } }), ensure(readTitle, { params: { id } })])
}

export const editSeries = createRoute({
  getParentRoute: () => framed,
  path: '/series/$seriesId/edit',
  loader: ({ params }) => ensureEntity(entities.series, params.seriesId),
  component: page(() => import('./edit-page.tsx'), 'EditSeriesPage', ['editing']),
})

export const editBook = createRoute({
  getParentRoute: () => framed,
  path: '/books/$bookId/edit',
  loader: ({ params }) => ensureEntity(entities.book, params.bookId),
  component: page(() => import('./edit-page.tsx'), 'EditBookPage', ['editing']),
})
