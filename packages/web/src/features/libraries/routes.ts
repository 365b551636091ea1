import { glanceAtLibraries, readLibrary } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, framed, page } from '../../frame/layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/search/list-search.ts'

export const libraries = createRoute({
  getParentRoute: () => framed,
  path: '/libraries',
  loader: () => ensure(glanceAtLibraries, {}),
  component: page(() => import('./libraries-page.tsx'), 'LibrariesPage', ['libraries', 'lists']),
})

export const library = createRoute({
  getParentRoute: () => framed,
  path: '/libraries/$libraryId',
  validateSearch: (words: Record<string, unknown>) => wordsOfSearch('series', parseListSearch('series', words)),
  loader: ({ params }) => ensure(readLibrary, { params: { id: params.libraryId } }),
  component: page(() => import('./library-page.tsx'), 'LibraryPage', ['libraries', 'lists']),
})

export const libraryBooks = createRoute({
  getParentRoute: () => framed,
  path: '/libraries/$libraryId/books',
  validateSearch: (words: Record<string, unknown>) => wordsOfSearch('books', parseListSearch('books', words)),
  loader: ({ params }) => ensure(readLibrary, { params: { id: params.libraryId } }),
  component: page(() => import('./library-page.tsx'), 'LibraryBooksPage', ['libraries', 'lists']),
})

interface NewLibrarySearch {
  /** The second step of the setup. */
  readonly welcome?: '1' | undefined
}

export const newLibrary = createRoute({
  getParentRoute: () => framed,
  path: '/libraries/new',
  validateSearch: ({ welcome }: Record<string, unknown>): NewLibrarySearch => ({
    welcome: welcome === '1' ? '1' : undefined,
  }),
  component: page(() => import('./new-library-page.tsx'), 'NewLibraryPage', ['libraries']),
})

export const adminLibrarySettings = createRoute({
  getParentRoute: () => administered,
  path: '/admin/libraries/$libraryId/settings',
  loader: ({ params }) => ensure(readLibrary, { params: { id: params.libraryId } }),
  component: page(() => import('./settings/settings-page.tsx'), 'LibrarySettingsPage', ['libraries']),
})
