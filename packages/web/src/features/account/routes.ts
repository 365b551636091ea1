import { listApiKeys, listSessions, readProfile } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'

const strings = ['account']

export const account = createRoute({
  getParentRoute: () => framed,
  path: '/account',
  loader: () => ensure(readProfile, {}),
  component: page(() => import('./profile-page.tsx'), 'ProfilePage', strings),
})

export const accountSecurity = createRoute({
  getParentRoute: () => framed,
  path: '/account/security',
  loader: () => ensure(listSessions, {}),
  component: page(() => import('./security-page.tsx'), 'SecurityPage', strings),
})

export const accountKeys = createRoute({
  getParentRoute: () => framed,
  path: '/account/keys',
  loader: () => ensure(listApiKeys, { query: { pageSize: 100 } }),
  component: page(() => import('./keys-page.tsx'), 'KeysPage', strings),
})
