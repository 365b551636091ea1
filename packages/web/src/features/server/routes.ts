import { listOidcProviders, listSettings, readMe, readServerStatus } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { limitsInput } from './limits-input.ts'

export const server = createRoute({
  getParentRoute: () => administered,
  path: '/admin/server',
  loader: async () => {
    const { permissions } = await ensure(readMe, {})
    const ofLimits = permissions.includes('settings:read') ? [ensure(listSettings, limitsInput)] : []
    await Promise.all([ensure(readServerStatus, {}), ensure(listOidcProviders, {}), ...ofLimits])
  },
  component: page(() => import('./server-page.tsx'), 'ServerPage', ['server']),
})
