const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const search = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** Every address of the app, said once; paths.unit.test.ts holds them against the routes. */
export const paths = {
  home: () => '/',
  libraries: () => '/libraries',
  library: (id: string) => `/libraries/${id}`,
  libraryBooks: (id: string) => `/libraries/${id}/books`,
  seriesList: () => '/series',
  series: (id: string) => `/series/${id}`,
  editSeries: (id: string) => `/series/${id}/edit`,
  seriesCover: (id: string) => `/series/${id}/cover`,
  bookList: () => '/books',
  book: (id: string) => `/books/${id}`,
  editBook: (id: string) => `/books/${id}/edit`,
  bookCover: (id: string) => `/books/${id}/cover`,
  read: (bookId: string, { page, readList }: { readonly page?: number; readonly readList?: string } = {}) =>
    withQuery(`/read/${bookId}`, { page: page === undefined ? undefined : String(page), readList }),
  collections: () => '/collections',
  collection: (id: string) => `/collections/${id}`,
  readLists: () => '/read-lists',
  readList: (id: string) => `/read-lists/${id}`,
  wantToRead: () => '/want-to-read',
  signIn: (query: { readonly from?: string } = {}) => withQuery('/sign-in', query),
  setup: () => '/setup',
  newLibrary: (query: { readonly welcome?: '1' } = {}) => withQuery('/libraries/new', query),
  account: () => '/account',
  accountSecurity: () => '/account/security',
  accountKeys: () => '/account/keys',
}
