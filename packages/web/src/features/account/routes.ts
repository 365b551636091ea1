import {
  listApiKeys,
  listConnections,
  listDevices,
  listSessions,
  listUserPlugins,
  readDoorAddresses,
  readFeedKey,
  readProfile,
  readStatisticsIntake,
  readWebhook,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, readAnew } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { devicesOnPage, ownConnections } from '../../lists/pages/rows-on-page.ts'
import { wholeNumber, word } from '../../navigation/search-params.ts'

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

export const accountApps = createRoute({
  getParentRoute: () => framed,
  path: '/account/apps',
  loader: async () => {
    await Promise.all([
      ensure(readDoorAddresses, {}),
      ensure(readStatisticsIntake, {}),
      ensure(listConnections, ownConnections),
    ])
  },
  component: page(() => import('./apps-page.tsx'), 'AppsPage', strings),
})

interface PluginsSearch {
  /** The one that somebody has just signed in for. */
  readonly connected?: string | undefined
  /** It says why signing in elsewhere failed. */
  readonly error?: string | undefined
}

export const accountPlugins = createRoute({
  getParentRoute: () => framed,
  path: '/account/plugins',
  validateSearch: ({ connected, error }: Record<string, unknown>): PluginsSearch => ({
    connected: word(connected),
    error: word(error),
  }),
  // No event tells what becomes of a connection.
  loader: () => readAnew(listUserPlugins, {}),
  component: page(() => import('./plugins-page.tsx'), 'PluginsPage', strings),
})

export const accountDevices = createRoute({
  getParentRoute: () => framed,
  path: '/account/devices',
  validateSearch: ({ page: number }: Record<string, unknown>): { readonly page?: number | undefined } => ({
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: ({ deps: { number } }) => ensure(listDevices, { query: { page: number, pageSize: devicesOnPage } }),
  component: page(() => import('./devices-page.tsx'), 'DevicesPage', strings),
})

export const accountNotifications = createRoute({
  getParentRoute: () => framed,
  path: '/account/notifications',
  loader: async () => {
    await Promise.all([ensure(readWebhook, {}), ensure(readFeedKey, {})])
  },
  component: page(() => import('./notifications-page.tsx'), 'NotificationSettingsPage', strings),
})

export const accountHistory = createRoute({
  getParentRoute: () => framed,
  path: '/account/history',
  // The report of what was brought in can be read again.
  validateSearch: (search: Record<string, unknown>): { readonly import?: string | undefined } => ({
    import: word(search.import),
  }),
  component: page(() => import('./history-page.tsx'), 'HistoryPage', strings),
})
