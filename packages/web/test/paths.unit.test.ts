import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { paths } from '../src/navigation/paths.ts'

interface AnyRoute {
  readonly options: { readonly path?: string }
  readonly children?: readonly AnyRoute[]
}

// The routes ask for little of a browser when they are loaded: where the app lives, and to be told of the network.
beforeAll(() => {
  const nothing = () => undefined
  vi.stubGlobal('document', { querySelector: nothing, addEventListener: nothing })
  vi.stubGlobal('window', { addEventListener: nothing })
})

afterAll(() => {
  vi.unstubAllGlobals()
})

const addressesOf = ({ options, children = [] }: AnyRoute, above = ''): string[] => {
  const own = options.path === undefined ? above : `${above}/${options.path}`.replaceAll(/\/+/g, '/')
  const below = Object.values(children).flatMap((child) => addressesOf(child, own))
  return options.path === undefined || options.path === '' ? below : [own, ...below]
}

/** `/series/1` for `/series/$seriesId`. */
const isAt = (path: string, address: string): boolean =>
  new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+').replaceAll('/', '\\/')}$`).test(path)

test('every address that is linked to has a page, and every page an address', async () => {
  const [{ routeTree }, { readerTree }] = [await import('../src/routes.tsx'), await import('../src/reader-routes.tsx')]
  const addresses = [routeTree, readerTree].flatMap((tree) => addressesOf(tree as unknown as AnyRoute))
  const linked = Object.entries(paths).map(([name, path]) => {
    const address = (path as (...ids: string[]) => string)('1', '2')
    return [name, address.split('?')[0] ?? ''] as const
  })
  const plain = linked.map(([, path]) => path)

  expect(plain.filter((path) => !addresses.some((address) => isAt(path, address)))).toEqual([])
  expect(addresses.filter((address) => !plain.some((path) => isAt(path, address)))).toEqual([])
  expect(Object.fromEntries(linked)).toMatchInlineSnapshot(`
    {
      "account": "/account",
      "accountApps": "/account/apps",
      "accountDevices": "/account/devices",
      "accountHistory": "/account/history",
      "accountKeys": "/account/keys",
      "accountNotifications": "/account/notifications",
      "accountPlugins": "/account/plugins",
      "accountSecurity": "/account/security",
      "admin": "/admin",
      "adminBookErrors": "/admin/book-errors",
      "adminHeldChanges": "/admin/libraries/1/held-changes",
      "adminLibraries": "/admin/libraries",
      "adminLibrary": "/admin/libraries/1",
      "adminLibraryMatching": "/admin/libraries/1/matching",
      "adminLibrarySettings": "/admin/libraries/1/settings",
      "adminTaskFigures": "/admin/tasks/figures",
      "adminTasks": "/admin/tasks",
      "advancedSearch": "/search/advanced",
      "backups": "/admin/backups",
      "book": "/books/1",
      "bookCover": "/books/1/cover",
      "bookHistory": "/books/1/history",
      "bookList": "/books",
      "bulkEdit": "/bulk-edit",
      "byHand": "/libraries/1/by-hand",
      "collection": "/collections/1",
      "collections": "/collections",
      "continueReading": "/continue",
      "duplicates": "/duplicates",
      "editBook": "/books/1/edit",
      "editSeries": "/series/1/edit",
      "genre": "/genres/1",
      "genres": "/genres",
      "group": "/admin/groups/1",
      "groups": "/admin/groups",
      "home": "/",
      "imports": "/admin/imports",
      "libraries": "/libraries",
      "library": "/libraries/1",
      "libraryBooks": "/libraries/1/books",
      "matchBook": "/books/1/match",
      "matchSeries": "/series/1/match",
      "matches": "/admin/matches",
      "mySeries": "/my-series",
      "newLibrary": "/libraries/new",
      "newPlugin": "/admin/plugins/new",
      "newUser": "/admin/users/new",
      "notifications": "/notifications",
      "oneImport": "/admin/imports/1",
      "people": "/people",
      "person": "/people/1",
      "plugin": "/admin/plugins/1",
      "pluginSettings": "/admin/plugins/1/settings",
      "plugins": "/admin/plugins",
      "read": "/read/1",
      "readList": "/read-lists/1",
      "readLists": "/read-lists",
      "recommendations": "/recommendations",
      "search": "/search",
      "series": "/series/1",
      "seriesCover": "/series/1/cover",
      "seriesList": "/series",
      "server": "/admin/server",
      "serverSettings": "/admin/settings",
      "setup": "/setup",
      "sharingTags": "/admin/sharing-tags",
      "signIn": "/sign-in",
      "signIns": "/admin/users/sign-ins",
      "statistics": "/statistics",
      "tag": "/tags/1",
      "tags": "/tags",
      "user": "/admin/users/1",
      "userAccess": "/admin/users/1/access",
      "userApps": "/admin/users/1/apps",
      "userSignIn": "/admin/users/1/sign-in",
      "users": "/admin/users",
      "wantToRead": "/want-to-read",
      "yearInReview": "/statistics/1",
    }
  `)
})
