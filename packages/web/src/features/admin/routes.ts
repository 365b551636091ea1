import { createRoute } from '@tanstack/react-router'
import { administered, page } from '../../frame/layouts.tsx'

export const adminOverview = createRoute({
  getParentRoute: () => administered,
  path: '/admin',
  component: page(() => import('./overview-page.tsx'), 'OverviewPage', ['admin']),
})
