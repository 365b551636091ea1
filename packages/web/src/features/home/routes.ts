import { listLibraries } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'

export const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  loader: () => ensure(listLibraries, {}),
  component: page(() => import('./home-page.tsx'), 'HomePage', ['home']),
})
