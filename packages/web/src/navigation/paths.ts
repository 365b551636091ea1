import { readable } from './search-params.ts'

type Query = Readonly<Record<string, string | undefined>>

const withQuery = (path: string, query: Query): string => {
  const search = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return search.size === 0 ? path : `${path}?${readable(search)}`
}

export type SearchKind = 'series' | 'books' | 'people' | 'collections' | 'readlists'

interface AdvancedQuery {
  readonly of?: 'series' | 'books'
  /** A condition, as the address writes it. */
  readonly where?: string
  readonly q?: string
  readonly preset?: string
}

interface StatisticsQuery {
  /** `30d`, `2025`, `all` … */
  readonly window?: string
}

interface RecommendationsQuery {
  /** The list shows only recommendations of this source. */
  readonly source?: string
  /** Each source by itself; absent: the best first. */
  readonly sort?: 'source'
}

interface WantToReadQuery {
  readonly sort?: 'newest' | 'oldest' | undefined
  readonly view?: 'rows' | undefined
}

interface ReadingPosition {
  readonly page?: number
  /** How far into a book of text, from 0 to 1. */
  readonly at?: string
  readonly readList?: string
}

export type MySeriesKind = 'reading' | 'paused' | 'dropped' | 'planned' | 'finished' | 'followed'

interface MatchQuery {
  /** This plugin is asked … */
  readonly plugin?: string
  /** … for what … */
  readonly q?: string
  /** … and which of its answers is shown. */
  readonly candidate?: string
  /** It is the entry of the queue that is shown here. */
  readonly match?: string
}

interface BulkQuery {
  readonly of: 'series' | 'books'
  readonly ids?: readonly string[]
  readonly where?: string
  readonly q?: string
}

/** Every address of the app, said once; paths.unit.test.ts holds them against the routes. */
export const paths = {
  home: () => '/',
  continueReading: () => '/continue',
  libraries: () => '/libraries',
  library: (id: string) => `/libraries/${id}`,
  libraryBooks: (id: string) => `/libraries/${id}/books`,
  byHand: (libraryId: string) => `/libraries/${libraryId}/by-hand`,
  seriesList: () => '/series',
  series: (id: string) => `/series/${id}`,
  editSeries: (id: string) => `/series/${id}/edit`,
  matchSeries: (id: string, query: MatchQuery = {}) => withQuery(`/series/${id}/match`, { ...query }),
  seriesCover: (id: string) => `/series/${id}/cover`,
  bookList: () => '/books',
  book: (id: string) => `/books/${id}`,
  editBook: (id: string) => `/books/${id}/edit`,
  matchBook: (id: string, query: MatchQuery = {}) => withQuery(`/books/${id}/match`, { ...query }),
  bookHistory: (id: string) => `/books/${id}/history`,
  bookCover: (id: string) => `/books/${id}/cover`,
  read: (bookId: string, { page, at, readList }: ReadingPosition = {}) =>
    withQuery(`/read/${bookId}`, { page: page === undefined ? undefined : String(page), at, readList }),
  people: () => '/people',
  person: (name: string) => `/people/${encodeURIComponent(name)}`,
  genres: () => '/genres',
  genre: (name: string) => `/genres/${encodeURIComponent(name)}`,
  tags: () => '/tags',
  tag: (name: string) => `/tags/${encodeURIComponent(name)}`,
  collections: () => '/collections',
  collection: (id: string) => `/collections/${id}`,
  readLists: () => '/read-lists',
  readList: (id: string) => `/read-lists/${id}`,
  wantToRead: (query: WantToReadQuery = {}) => withQuery('/want-to-read', { ...query }),
  mySeries: (query: { readonly of?: MySeriesKind } = {}) => withQuery('/my-series', { ...query }),
  recommendations: (query: RecommendationsQuery = {}) => withQuery('/recommendations', { ...query }),
  statistics: (query: StatisticsQuery = {}) => withQuery('/statistics', { ...query }),
  yearInReview: (year: number) => `/statistics/${year}`,
  notifications: () => '/notifications',
  signIn: (query: { readonly from?: string } = {}) => withQuery('/sign-in', query),
  search: (query: { readonly q?: string; readonly kind?: SearchKind } = {}) => withQuery('/search', { ...query }),
  advancedSearch: (query: AdvancedQuery = {}) => withQuery('/search/advanced', { ...query }),
  bulkEdit: (query: BulkQuery) => withQuery('/bulk-edit', { ...query, ids: query.ids?.join() }),
  duplicates: (query: { readonly of?: 'books' } = {}) => withQuery('/duplicates', { ...query }),
  setup: () => '/setup',
  newLibrary: (query: { readonly welcome?: '1' } = {}) => withQuery('/libraries/new', query),
  account: () => '/account',
  accountSecurity: () => '/account/security',
  accountKeys: () => '/account/keys',
  accountApps: () => '/account/apps',
  accountPlugins: () => '/account/plugins',
  accountDevices: () => '/account/devices',
  accountHistory: (query: { readonly import?: string } = {}) => withQuery('/account/history', { ...query }),
  accountNotifications: () => '/account/notifications',
  admin: () => '/admin',
  adminLibraries: () => '/admin/libraries',
  adminLibrary: (id: string) => `/admin/libraries/${id}`,
  adminLibrarySettings: (id: string) => `/admin/libraries/${id}/settings`,
  adminLibraryMatching: (id: string) => `/admin/libraries/${id}/matching`,
  adminHeldChanges: (id: string) => `/admin/libraries/${id}/held-changes`,
  matches: (query: { readonly library?: string; readonly of?: 'book' } = {}) => withQuery('/admin/matches', query),
  adminBookErrors: (query: { readonly code?: string } = {}) => withQuery('/admin/book-errors', query),
  adminTasks: (query: { readonly status?: string } = {}) => withQuery('/admin/tasks', query),
  adminTaskFigures: () => '/admin/tasks/figures',
  users: () => '/admin/users',
  newUser: () => '/admin/users/new',
  signIns: () => '/admin/users/sign-ins',
  user: (id: string) => `/admin/users/${id}`,
  userAccess: (id: string) => `/admin/users/${id}/access`,
  userSignIn: (id: string) => `/admin/users/${id}/sign-in`,
  userApps: (id: string) => `/admin/users/${id}/apps`,
  groups: () => '/admin/groups',
  group: (id: string) => `/admin/groups/${id}`,
  sharingTags: () => '/admin/sharing-tags',
  serverSettings: (query: { readonly q?: string } = {}) => withQuery('/admin/settings', query),
  plugins: () => '/admin/plugins',
  newPlugin: (query: { readonly package?: string } = {}) => withQuery('/admin/plugins/new', query),
  plugin: (id: string) => `/admin/plugins/${id}`,
  pluginSettings: (id: string) => `/admin/plugins/${id}/settings`,
  backups: () => '/admin/backups',
  imports: () => '/admin/imports',
  oneImport: (id: string) => `/admin/imports/${id}`,
  server: () => '/admin/server',
}
