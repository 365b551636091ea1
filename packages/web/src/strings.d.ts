import type account from './features/account/strings/en.json'
import type admin from './features/admin/strings/en.json'
import type backups from './features/backups/strings/en.json'
import type bookErrors from './features/book-errors/strings/en.json'
import type books from './features/books/strings/en.json'
import type collections from './features/collections/strings/en.json'
import type covers from './features/covers/strings/en.json'
import type duplicates from './features/duplicates/strings/en.json'
import type editing from './features/editing/strings/en.json'
import type home from './features/home/strings/en.json'
import type imports from './features/imports/strings/en.json'
import type history from './features/history/strings/en.json'
import type libraries from './features/libraries/strings/en.json'
import type matching from './features/matching/strings/en.json'
import type moves from './features/moves/strings/en.json'
import type mySeries from './features/my-series/strings/en.json'
import type notifications from './features/notifications/strings/en.json'
import type plugins from './features/plugins/strings/en.json'
import type readLists from './features/read-lists/strings/en.json'
import type recommendations from './features/recommendations/strings/en.json'
import type reader from './features/reader/strings/en.json'
import type scans from './features/scans/strings/en.json'
import type ebook from './features/reader/ebook/strings/en.json'
import type search from './features/search/strings/en.json'
import type serverSettings from './features/server-settings/strings/en.json'
import type server from './features/server/strings/en.json'
import type series from './features/series/strings/en.json'
import type setup from './features/setup/strings/en.json'
import type signIn from './features/sign-in/strings/en.json'
import type users from './features/users/strings/en.json'
import type tasks from './features/tasks/strings/en.json'
import type terms from './features/terms/strings/en.json'
import type statistics from './features/statistics/strings/en.json'
import type wantToRead from './features/want-to-read/strings/en.json'
import type palette from './frame/palette/strings/en.json'
import type lists from './lists/strings/en.json'
import type metadata from './metadata/strings/en.json'
import type common from './ui/strings/en.json'
import 'i18next'

/** A string that does not exist does not compile. Each feature with strings of its own has a line here. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: {
      account: typeof account
      admin: typeof admin
      backups: typeof backups
      'book-errors': typeof bookErrors
      books: typeof books
      collections: typeof collections
      common: typeof common
      covers: typeof covers
      duplicates: typeof duplicates
      ebook: typeof ebook
      editing: typeof editing
      history: typeof history
      home: typeof home
      imports: typeof imports
      libraries: typeof libraries
      lists: typeof lists
      matching: typeof matching
      metadata: typeof metadata
      moves: typeof moves
      'my-series': typeof mySeries
      notifications: typeof notifications
      palette: typeof palette
      plugins: typeof plugins
      'read-lists': typeof readLists
      reader: typeof reader
      recommendations: typeof recommendations
      scans: typeof scans
      search: typeof search
      series: typeof series
      server: typeof server
      'server-settings': typeof serverSettings
      setup: typeof setup
      'sign-in': typeof signIn
      users: typeof users
      tasks: typeof tasks
      statistics: typeof statistics
      terms: typeof terms
      'want-to-read': typeof wantToRead
    }
  }
}
