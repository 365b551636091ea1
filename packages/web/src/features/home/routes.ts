import { listLibraries, readHome, readOpenBooks } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { ShelvesSkeleton } from '../../ui/state/skeleton.tsx'
import { homeInput, isEmpty } from './shelves.ts'

export const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  loader: async () => {
    const [read] = await Promise.all([ensure(readHome, homeInput()), ensure(readOpenBooks, {})])
    // The libraries explain why the page is empty.
    if (isEmpty(read)) await ensure(listLibraries, {})
  },
  pendingComponent: ShelvesSkeleton,
  component: page(() => import('./home-page.tsx'), 'HomePage', ['home', 'lists']),
})
