import { listBookCovers, listSeriesCovers, readBook, readSeries } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'

export const seriesCover = createRoute({
  getParentRoute: () => framed,
  path: '/series/$seriesId/cover',
  loader: async ({ params: { seriesId: id } }) => {
    await Promise.all([ensure(readSeries, { params: { id } }), ensure(listSeriesCovers, { params: { id } })])
  },
  component: page(() => import('./cover-page.tsx'), 'SeriesCoverPage', ['covers']),
})

export const bookCover = createRoute({
  getParentRoute: () => framed,
  path: '/books/$bookId/cover',
  loader: async ({ params: { bookId: id } }) => {
    await Promise.all([ensure(readBook, { params: { id } }), ensure(listBookCovers, { params: { id } })])
  },
  component: page(() => import('./cover-page.tsx'), 'BookCoverPage', ['covers']),
})
