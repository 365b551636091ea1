import { listNotifications } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { notificationsOnPage } from '../../lists/pages/rows-on-page.ts'
import { wholeNumber } from '../../navigation/search-params.ts'

export const notifications = createRoute({
  getParentRoute: () => framed,
  path: '/notifications',
  validateSearch: ({ page: number }: Record<string, unknown>): { readonly page?: number | undefined } => ({
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: ({ deps: { number } }) =>
    ensure(listNotifications, { query: { page: number, pageSize: notificationsOnPage } }),
  component: page(() => import('./notifications-page.tsx'), 'NotificationsPage', ['notifications']),
})
