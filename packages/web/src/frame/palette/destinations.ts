import type { Permission } from '@carrel/api'
import { paths } from '../../navigation/paths.ts'
import type { IconName } from '../../ui/icon.tsx'
import { navigationLinks } from '../navigation-links.ts'
import type strings from './strings/en.json'

interface Destination {
  /** Its name is the string `name.<key>` of `palette`, and `words.<key>` are others for it. */
  readonly key: keyof (typeof strings)['name']
  readonly icon: IconName
  readonly to: string
  readonly where: 'go' | 'account' | 'admin'
  /** A user who may do none of these is not led there. */
  readonly needs?: readonly Permission[]
  readonly shortcut?: string
  readonly isRecommended?: true
}

/** The frame listens to these keys. */
const shortcuts: { readonly [Key in Destination['key']]?: { readonly shortcut: string } } = {
  home: { shortcut: 'g h' },
  statistics: { shortcut: 'g t' },
}

/** Every page that is no page of a book, a series or a list, and parts of pages that have a name of their own. */
export const destinations: readonly Destination[] = [
  ...navigationLinks.map((link): Destination => ({ ...link, where: 'go', ...shortcuts[link.key] })),
  { key: 'libraries', icon: 'library', to: paths.libraries(), where: 'go', shortcut: 'g l' },
  { key: 'series', icon: 'series', to: paths.seriesList(), where: 'go', shortcut: 'g s' },
  { key: 'books', icon: 'book', to: paths.bookList(), where: 'go', shortcut: 'g b' },
  { key: 'genres', icon: 'list', to: paths.genres(), where: 'go' },
  { key: 'tags', icon: 'list', to: paths.tags(), where: 'go' },
  {
    key: 'yearInReview',
    icon: 'chart',
    to: paths.yearInReview(new Date().getFullYear()),
    where: 'go',
    needs: ['progress:read'],
  },
  { key: 'notifications', icon: 'bell', to: paths.notifications(), where: 'go' },
  { key: 'advancedSearch', icon: 'filter', to: paths.advancedSearch(), where: 'go' },
  { key: 'theme', icon: 'eye', to: paths.account(), where: 'account' },
  { key: 'language', icon: 'person', to: paths.account(), where: 'account' },
  { key: 'timeZone', icon: 'clock', to: paths.account(), where: 'account' },
  { key: 'email', icon: 'person', to: paths.account(), where: 'account' },
  { key: 'password', icon: 'lock', to: paths.accountSecurity(), where: 'account' },
  { key: 'sessions', icon: 'device', to: paths.accountSecurity(), where: 'account' },
  { key: 'devices', icon: 'device', to: paths.accountDevices(), where: 'account' },
  { key: 'readingHistory', icon: 'clock', to: paths.accountHistory(), where: 'account' },
  { key: 'feed', icon: 'bell', to: paths.accountNotifications(), where: 'account' },
  { key: 'apps', icon: 'plug', to: paths.accountApps(), where: 'account' },
  { key: 'ownPlugins', icon: 'plug', to: paths.accountPlugins(), where: 'account' },
  { key: 'apiKeys', icon: 'key', to: paths.accountKeys(), where: 'account' },
  { key: 'newLibrary', icon: 'plus', to: paths.newLibrary(), where: 'admin', needs: ['libraries:write'] },
  { key: 'newUser', icon: 'plus', to: paths.newUser(), where: 'admin', needs: ['users:write'] },
  { key: 'signIns', icon: 'key', to: paths.signIns(), where: 'admin', needs: ['users:read'] },
  { key: 'taskFigures', icon: 'chart', to: paths.adminTaskFigures(), where: 'admin', needs: ['tasks:read'] },
  { key: 'newPlugin', icon: 'plus', to: paths.newPlugin(), where: 'admin', needs: ['plugins:write'] },
]
