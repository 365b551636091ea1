import { readSetupStatus } from '@carrel/api'
import { createRoute, redirect } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { page, root } from '../../frame/layouts.tsx'
import { paths } from '../../navigation/paths.ts'

export const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  loader: async () => {
    const { setupRequired } = await ensure(readSetupStatus, {})
    if (!setupRequired) throw redirect({ href: paths.home(), replace: true })
  },
  component: page(() => import('./setup-page.tsx'), 'SetupPage', ['setup']),
})
