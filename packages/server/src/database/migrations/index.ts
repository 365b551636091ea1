import { users } from './001-users.ts'
import { factsAndTasks } from './002-facts-and-tasks.ts'
import { rateBuckets } from './003-rate-buckets.ts'
import { oidc } from './004-oidc.ts'
import { books } from './005-books.ts'
import { reading } from './006-reading.ts'
import { catalogue } from './007-catalogue.ts'
import { covers } from './008-covers.ts'
import { metadata } from './009-metadata.ts'
import { ownLists } from './010-own-lists.ts'
import { listOrders } from './011-list-orders.ts'
import { search } from './012-search.ts'
import { bulkEdits } from './013-bulk-edits.ts'
import { duplicates } from './014-duplicates.ts'
import { merges } from './015-merges.ts'
import { exports } from './016-exports.ts'
import { readerSettings } from './017-reader-settings.ts'
import { readingFigures } from './018-reading-figures.ts'
import { following } from './019-following.ts'
import { readersThings } from './020-readers-things.ts'
import { bookLetters } from './021-book-letters.ts'
import { filters } from './022-filters.ts'
import { koreader } from './023-koreader.ts'
import { doorSessions } from './024-door-sessions.ts'
import { roles } from './025-roles.ts'
import { figuresOfLong } from './026-figures-of-long.ts'
import { booksInShort } from './027-books-in-short.ts'
import { plugins } from './028-plugins.ts'
import { recommendations } from './029-recommendations.ts'
import { matching } from './030-matching.ts'
import { pluginConnections } from './032-plugin-connections.ts'
import { matchingOfBooks } from './033-matching-of-books.ts'
import { pluginLog } from './034-plugin-log.ts'
import type { Migration } from './migration.ts'

/** In order, for ever: the place in this list is the version. A migration that has left the house is never edited. */
export const migrations: readonly Migration[] = [
  users,
  factsAndTasks,
  rateBuckets,
  oidc,
  books,
  reading,
  catalogue,
  covers,
  metadata,
  ownLists,
  listOrders,
  search,
  bulkEdits,
  duplicates,
  merges,
  exports,
  readerSettings,
  readingFigures,
  following,
  readersThings,
  bookLetters,
  filters,
  koreader,
  doorSessions,
  roles,
  figuresOfLong,
  booksInShort,
  plugins,
  recommendations,
  matching,
  pluginConnections,
  matchingOfBooks,
  pluginLog,
]
