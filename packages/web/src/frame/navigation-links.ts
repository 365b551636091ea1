import type { Permission } from '@carrel/api'
import { adminPermissions } from '../features/admin/admin-menu.ts'
import { paths } from '../navigation/paths.ts'
import type { IconName } from '../ui/icon.tsx'

interface NavigationLink {
  /** Its name is the string `places.<key>` of `common`. */
  readonly key:
    | 'home'
    | 'search'
    | 'duplicates'
    | 'account'
    | 'series'
    | 'books'
    | 'libraries'
    | 'collections'
    | 'readLists'
    | 'wantToRead'
    | 'admin'
    | 'mySeries'
    | 'statistics'
    | 'recommendations'
  readonly to: string
  readonly icon: IconName
  /** A user who may do none of these does not see the link. */
  readonly needs?: readonly Permission[]
  /** The link is shown only to those for whom something recommends. */
  readonly isRecommended?: true
  /** Phones have room for five: the others are behind "More". */
  readonly onPhone?: true
}

/** The navigation shows these in this order. A link is added together with its page: there are no dead links. */
export const navigationLinks: readonly NavigationLink[] = [
  { key: 'home', to: paths.home(), icon: 'home', onPhone: true },
  { key: 'search', to: paths.search(), icon: 'search' },
  { key: 'libraries', to: paths.libraries(), icon: 'library', onPhone: true },
  { key: 'series', to: paths.seriesList(), icon: 'series', onPhone: true },
  { key: 'books', to: paths.bookList(), icon: 'book' },
  { key: 'collections', to: paths.collections(), icon: 'collection', needs: ['collections:read'] },
  { key: 'readLists', to: paths.readLists(), icon: 'list', needs: ['readlists:read'] },
  { key: 'wantToRead', to: paths.wantToRead(), icon: 'heart', onPhone: true },
  { key: 'mySeries', to: paths.mySeries(), icon: 'star' },
  { key: 'recommendations', to: paths.recommendations(), icon: 'spark', isRecommended: true },
  { key: 'statistics', to: paths.statistics(), icon: 'chart', needs: ['progress:read'] },
  { key: 'duplicates', to: paths.duplicates(), icon: 'merge', needs: ['series:write'] },
  { key: 'admin', to: paths.admin(), icon: 'settings', needs: adminPermissions },
  { key: 'account', to: paths.account(), icon: 'person', onPhone: true },
]
