import {
  listAccessGroups,
  listApiKeys,
  listConnectionsOfUser,
  listLibraries,
  listSessionsOfUser,
  listSharingTags,
  readAccessGroup,
  readEffectiveAccess,
  readMe,
  readUser,
  roles,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { connectionsOf } from '../../lists/pages/rows-on-page.ts'
import { wholeNumber, word, wordOf } from '../../navigation/search-params.ts'
import { every, keysInput } from './every.ts'
import { userOrders, type UsersSearch } from './users-search.ts'

const strings = ['users']

export const users = createRoute({
  getParentRoute: () => administered,
  path: '/admin/users',
  validateSearch: ({ q, role, sort, page: number }: Record<string, unknown>): UsersSearch => ({
    q: word(q)?.slice(0, 100),
    role: wordOf(roles, role),
    sort: wordOf(userOrders, sort),
    page: wholeNumber(number, 1, 1_000_000),
  }),
  component: page(() => import('./users-page.tsx'), 'UsersPage', strings),
})

export const newUser = createRoute({
  getParentRoute: () => administered,
  path: '/admin/users/new',
  component: page(() => import('./new-user-page.tsx'), 'NewUserPage', strings),
})

interface SignInsSearch {
  readonly outcome?: 'good' | 'failed' | undefined
  readonly page?: number | undefined
}

export const signIns = createRoute({
  getParentRoute: () => administered,
  path: '/admin/users/sign-ins',
  validateSearch: ({ outcome, page: number }: Record<string, unknown>): SignInsSearch => ({
    outcome: wordOf(['good', 'failed'] as const, outcome),
    page: wholeNumber(number, 1, 1_000_000),
  }),
  // A row of it speaks as it does to whom it belongs.
  component: page(() => import('./sign-ins-page.tsx'), 'SignInsPage', [...strings, 'account']),
})

export const user = createRoute({
  getParentRoute: () => administered,
  path: '/admin/users/$userId',
  loader: async ({ params }) => {
    const input = { params: { id: params.userId } }
    const { permissions } = await ensure(readMe, {})
    const ofAccess = permissions.includes('system:admin')
      ? [ensure(readEffectiveAccess, input), ensure(listLibraries, every), ensure(listAccessGroups, every)]
      : []
    await Promise.all([ensure(readUser, input), ...ofAccess])
  },
  component: page(() => import('./account-tab.tsx'), 'AccountTab', strings),
})

export const userAccess = createRoute({
  getParentRoute: () => administered,
  path: '/admin/users/$userId/access',
  loader: async ({ params }) => {
    const input = { params: { id: params.userId } }
    await Promise.all([
      ensure(readUser, input),
      ensure(readEffectiveAccess, input),
      ensure(listLibraries, every),
      ensure(listAccessGroups, every),
      ensure(listSharingTags, every),
    ])
  },
  component: page(() => import('./access-tab.tsx'), 'AccessTab', strings),
})

export const userSignIn = createRoute({
  getParentRoute: () => administered,
  path: '/admin/users/$userId/sign-in',
  loader: async ({ params }) => {
    const input = { params: { id: params.userId } }
    const { permissions } = await ensure(readMe, {})
    const ofAccess = permissions.includes('system:admin')
      ? [ensure(listSessionsOfUser, input), ensure(listApiKeys, keysInput(params.userId))]
      : []
    await Promise.all([ensure(readUser, input), ...ofAccess])
  },
  component: page(() => import('./sign-in-tab.tsx'), 'SignInTab', strings),
})

export const userApps = createRoute({
  getParentRoute: () => administered,
  path: '/admin/users/$userId/apps',
  loader: async ({ params }) => {
    const input = { params: { id: params.userId } }
    await Promise.all([ensure(readUser, input), ensure(listConnectionsOfUser, connectionsOf(params.userId))])
  },
  // A row of it speaks as it does to whom it belongs.
  component: page(() => import('./apps-tab.tsx'), 'AppsTab', [...strings, 'account']),
})

interface PagedSearch {
  readonly page?: number | undefined
}

const paged = ({ page: number }: Record<string, unknown>): PagedSearch => ({ page: wholeNumber(number, 1, 1_000_000) })

export const groups = createRoute({
  getParentRoute: () => administered,
  path: '/admin/groups',
  validateSearch: paged,
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: ({ deps: { number } }) => ensure(listAccessGroups, { query: { page: number } }),
  component: page(() => import('./groups/groups-page.tsx'), 'GroupsPage', strings),
})

export const group = createRoute({
  getParentRoute: () => administered,
  path: '/admin/groups/$groupId',
  loader: async ({ params }) => {
    await Promise.all([
      ensure(readAccessGroup, { params: { id: params.groupId } }),
      ensure(listLibraries, every),
      ensure(listSharingTags, every),
    ])
  },
  component: page(() => import('./groups/group-page.tsx'), 'GroupPage', strings),
})

export const sharingTags = createRoute({
  getParentRoute: () => administered,
  path: '/admin/sharing-tags',
  validateSearch: paged,
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: ({ deps: { number } }) => ensure(listSharingTags, { query: { page: number } }),
  component: page(() => import('./groups/sharing-tags-page.tsx'), 'SharingTagsPage', strings),
})
