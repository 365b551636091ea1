const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const search = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** Every address of the app, said once; paths.unit.test.ts holds them against the routes. */
export const paths = {
  home: () => '/',
  read: (bookId: string, { page, readList }: { readonly page?: number; readonly readList?: string } = {}) =>
    withQuery(`/read/${bookId}`, { page: page === undefined ? undefined : String(page), readList }),
  signIn: (query: { readonly from?: string } = {}) => withQuery('/sign-in', query),
  setup: () => '/setup',
  newLibrary: (query: { readonly welcome?: '1' } = {}) => withQuery('/libraries/new', query),
  account: () => '/account',
  accountSecurity: () => '/account/security',
  accountKeys: () => '/account/keys',
}
