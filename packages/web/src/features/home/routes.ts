import { listLibraries, readHome } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { ShelvesSkeleton } from '../../ui/state/skeleton.tsx'
import { homeInput, isEmpty } from './shelves.ts'

export const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  loader: async () => {
    // The libraries explain why the page is empty.
    if (isEmpty(await ensure(readHome, homeInput))) await ensure(listLibraries, {})
  },
  pendingComponent: ShelvesSkeleton,
  component: page(() => import('./home-page.tsx'), 'HomePage', ['home', 'lists']),
})
