import { createRouter } from '@tanstack/react-router'
import { basePath } from './api/base.ts'
import {
  account,
  accountApps,
  accountDevices,
  accountHistory,
  accountKeys,
  accountNotifications,
  accountPlugins,
  accountSecurity,
} from './features/account/routes.ts'
import { adminOverview } from './features/admin/routes.ts'
import { adminBookErrors } from './features/book-errors/routes.ts'
import { backups } from './features/backups/routes.ts'
import { imports, oneImport } from './features/imports/routes.ts'
import { book, bookList } from './features/books/routes.ts'
import { collection, collections } from './features/collections/routes.ts'
import { bookCover, seriesCover } from './features/covers/routes.ts'
import { duplicates } from './features/duplicates/routes.ts'
import { bulkEdit, editBook, editSeries } from './features/editing/routes.ts'
import { bookHistory } from './features/history/routes.ts'
import { continueReading } from './features/continue-reading/routes.ts'
import { home } from './features/home/routes.ts'
import { byHand } from './features/moves/routes.ts'
import { adminLibrarySettings, libraries, library, libraryBooks, newLibrary } from './features/libraries/routes.ts'
import { adminLibraryMatching, matchBook, matches, matchSeries } from './features/matching/routes.ts'
import { mySeries } from './features/my-series/routes.ts'
import { notifications } from './features/notifications/routes.ts'
import { newPlugin, plugin, plugins, pluginSettings } from './features/plugins/routes.ts'
import { readList, readLists } from './features/read-lists/routes.ts'
import { recommendations } from './features/recommendations/routes.ts'
import { adminHeldChanges, adminLibraries, adminLibrary } from './features/scans/routes.ts'
import { advancedSearch } from './features/search/advanced/routes.ts'
import { search } from './features/search/routes.ts'
import { serverSettings } from './features/server-settings/routes.ts'
import { server } from './features/server/routes.ts'
import { series, seriesList } from './features/series/routes.ts'
import { setup } from './features/setup/routes.ts'
import { signIn } from './features/sign-in/routes.ts'
import { adminTaskFigures, adminTasks } from './features/tasks/routes.ts'
import {
  group,
  groups,
  newUser,
  sharingTags,
  user,
  userAccess,
  userApps,
  signIns,
  users,
  userSignIn,
} from './features/users/routes.ts'
import { statistics, yearInReview } from './features/statistics/routes.ts'
import { genre, genres, people, person, tag, tags } from './features/terms/routes.ts'
import { wantToRead } from './features/want-to-read/routes.ts'
import { administered, framed, root, signedIn } from './frame/layouts.tsx'
import { NoPage, PageFailed } from './frame/page-states.tsx'
import { scrollKey } from './navigation/scroll-keys.ts'
import { parseSearch, stringifySearch } from './navigation/search-params.ts'
import { PageSkeleton } from './ui/state/skeleton.tsx'

/** The table of contents of the app: every page, by the layout it stands in. The reader is in `reader-routes.tsx`. */
export const routeTree = root.addChildren([
  signIn,
  setup,
  signedIn.addChildren([
    continueReading,
    framed.addChildren([
      home,
      libraries,
      newLibrary,
      library,
      libraryBooks,
      byHand,
      seriesList,
      series,
      bookList,
      book,
      people,
      person,
      genres,
      genre,
      tags,
      tag,
      collections,
      collection,
      readLists,
      readList,
      wantToRead,
      mySeries,
      recommendations,
      statistics,
      yearInReview,
      notifications,
      search,
      advancedSearch,
      editSeries,
      editBook,
      matchSeries,
      matchBook,
      seriesCover,
      bookCover,
      bookHistory,
      bulkEdit,
      account,
      accountSecurity,
      accountKeys,
      accountApps,
      accountPlugins,
      accountDevices,
      accountHistory,
      accountNotifications,
      administered.addChildren([
        adminOverview,
        adminLibraries,
        adminLibrary,
        adminLibrarySettings,
        adminLibraryMatching,
        adminHeldChanges,
        matches,
        duplicates,
        adminBookErrors,
        adminTasks,
        adminTaskFigures,
        users,
        signIns,
        newUser,
        user,
        userAccess,
        userSignIn,
        userApps,
        groups,
        group,
        sharingTags,
        serverSettings,
        plugins,
        newPlugin,
        plugin,
        pluginSettings,
        backups,
        imports,
        oneImport,
        server,
      ]),
    ]),
  ]),
])

export const createAppRouter = () =>
  createRouter({
    routeTree,
    basepath: basePath === '' ? '/' : basePath,
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    getScrollRestorationKey: scrollKey,
    defaultPreload: false,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: NoPage,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
