import { listLibraries } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'
import { shelves } from './shelves.ts'

export const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  // All at once, so that nothing moves when the last of them is here.
  loader: () =>
    Promise.all([ensure(listLibraries, {}), ...shelves.map(({ query }) => queryClient.ensureQueryData(query))]),
  component: page(() => import('./home-page.tsx'), 'HomePage', ['home', 'lists']),
})
