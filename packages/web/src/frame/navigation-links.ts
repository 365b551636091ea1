import type { Permission } from '@carrel/api'
import { adminPermissions } from '../features/admin/admin-menu.ts'
import { paths } from '../navigation/paths.ts'
import type { IconName } from '../ui/icon.tsx'

interface NavigationLink {
  /** Its name is the string `places.<key>` of `common`. */
  readonly key:
    | 'home'
    | 'account'
    | 'collections'
    | 'readLists'
    | 'wantToRead'
    | 'admin'
    | 'people'
    | 'mySeries'
    | 'statistics'
    | 'recommendations'
  readonly to: string
  readonly icon: IconName
  /** A user who may do none of these does not see the link. */
  readonly needs?: readonly Permission[]
  /** The link is shown only to those for whom something recommends. */
  readonly isRecommended?: true
}

/** The navigation shows these in this order, and the libraries after them. A link is added together with its page: there are no dead links. */
export const navigationLinks: readonly (NavigationLink & {
  readonly key: Exclude<NavigationLink['key'], 'account' | 'admin'>
})[] = [
  { key: 'home', to: paths.home(), icon: 'home' },
  { key: 'wantToRead', to: paths.wantToRead(), icon: 'heart' },
  { key: 'mySeries', to: paths.mySeries(), icon: 'star' },
  { key: 'recommendations', to: paths.recommendations(), icon: 'spark', isRecommended: true },
  { key: 'collections', to: paths.collections(), icon: 'collection', needs: ['collections:read'] },
  { key: 'readLists', to: paths.readLists(), icon: 'list', needs: ['readlists:read'] },
  { key: 'people', to: paths.people(), icon: 'people' },
  { key: 'statistics', to: paths.statistics(), icon: 'chart', needs: ['progress:read'] },
]

export const accountLink = { key: 'account', to: paths.account(), icon: 'person' } as const satisfies NavigationLink

export const adminLink = {
  key: 'admin',
  to: paths.admin(),
  icon: 'settings',
  needs: adminPermissions,
} as const satisfies NavigationLink

/** Phones have room for these, for the last library and for what opens all others. */
export const phoneLinks = { home: paths.home(), search: paths.search(), wantToRead: paths.wantToRead() } as const
