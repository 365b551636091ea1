import { listOidcProviders, readServerStatus } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../layouts.tsx'

export const server = createRoute({
  getParentRoute: () => administered,
  path: '/admin/server',
  loader: async () => {
    await Promise.all([ensure(readServerStatus, {}), ensure(listOidcProviders, {})])
  },
  component: page(() => import('./server-page.tsx'), 'ServerPage', ['server']),
})
