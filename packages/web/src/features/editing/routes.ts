import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { word, wordOf } from '../../navigation/search-params.ts'
import type { BulkEditSearch } from './bulk-edit-search.ts'
import type { EntityKind } from './entities.ts'

const ensureEntity = async (kind: EntityKind, id: string): Promise<void> => {
  // Fields and all that they are called are for these pages alone.
  const { entities } = await import('./entities.ts')
  const { read, readTitle } = entities[kind]
  await Promise.all([ensure(read, { params: { id } }), ensure(readTitle, { params: { id } })])
}

export const editSeries = createRoute({
  getParentRoute: () => framed,
  path: '/series/$seriesId/edit',
  loader: ({ params }) => ensureEntity('series', params.seriesId),
  component: page(() => import('./edit-page.tsx'), 'EditSeriesPage', ['editing', 'metadata']),
})

export const editBook = createRoute({
  getParentRoute: () => framed,
  path: '/books/$bookId/edit',
  loader: ({ params }) => ensureEntity('book', params.bookId),
  component: page(() => import('./edit-page.tsx'), 'EditBookPage', ['editing', 'metadata']),
})

export const bulkEdit = createRoute({
  getParentRoute: () => framed,
  path: '/bulk-edit',
  validateSearch: ({ of, ids, where, q }: Record<string, unknown>): BulkEditSearch => ({
    of: wordOf(['series', 'books'] as const, of) ?? 'series',
    ids: word(ids),
    where: word(where),
    q: word(q),
  }),
  component: page(() => import('./bulk-edit-page.tsx'), 'BulkEditPage', ['editing', 'metadata']),
})
