import { listLibraries, listSeries } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'
import { CoverGridSkeleton } from '../../ui/skeleton.tsx'
import { newestSeries } from './newest-series.ts'

export const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  loader: () => Promise.all([ensure(listLibraries, {}), ensure(listSeries, newestSeries)]),
  pendingComponent: CoverGridSkeleton,
  component: page(() => import('./home-page.tsx'), 'HomePage', ['home']),
})
