import type { Page } from 'playwright-core'
import type { ShelfIds } from './shelf.ts'

export interface Pictured {
  readonly name: string
  readonly path: (ids: ShelfIds) => string
  /** What is done before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

export const pages: readonly Pictured[] = [
  { name: 'home', path: () => '/' },
  { name: 'libraries', path: () => '/libraries' },
  { name: 'library', path: ({ library }) => `/libraries/${library}` },
  { name: 'series', path: ({ series }) => `/series/${series}` },
  { name: 'series-comic', path: ({ comicSeries }) => `/series/${comicSeries}` },
  { name: 'series-list', path: () => '/series' },
  { name: 'book', path: ({ comic }) => `/books/${comic}` },
  { name: 'novel', path: ({ novel }) => `/books/${novel}` },
  { name: 'reader-manga', path: ({ manga }) => `/read/${manga}` },
  { name: 'reader-comic', path: ({ comic }) => `/read/${comic}` },
  { name: 'reader-novel', path: ({ novel }) => `/read/${novel}` },
  { name: 'collections', path: () => '/collections' },
  { name: 'collection', path: ({ collection }) => `/collections/${collection}` },
  { name: 'read-lists', path: () => '/read-lists' },
  { name: 'read-list', path: ({ readList }) => `/read-lists/${readList}` },
  { name: 'want-to-read', path: () => '/want-to-read' },
  { name: 'people', path: () => '/people' },
  { name: 'person', path: () => '/people/Haruka%20Mizuno' },
  { name: 'genres', path: () => '/genres' },
  { name: 'statistics', path: () => '/statistics' },
  { name: 'year-in-review', path: () => `/statistics/${new Date().getUTCFullYear()}` },
  {
    name: 'year-as-a-picture',
    path: () => `/statistics/${new Date().getUTCFullYear()}`,
    prepare: (page) => page.getByRole('button', { name: 'Share as a picture' }).click(),
  },
  { name: 'search', path: () => '/search?q=captain' },
  {
    name: 'palette',
    path: () => '/',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await page.keyboard.type('la')
      // The line of the series comes from the server, when its books are found among what was seen already.
      await page.getByRole('dialog').getByRole('option').filter({ hasText: '13 books' }).waitFor()
    },
  },
  { name: 'account', path: () => '/account' },
  { name: 'admin', path: () => '/admin' },
  { name: 'admin-libraries', path: () => '/admin/libraries' },
  { name: 'admin-tasks', path: () => '/admin/tasks' },
  { name: 'admin-settings', path: () => '/admin/settings' },
  { name: 'users', path: () => '/admin/users' },
  { name: 'sign-in', path: () => '/sign-in' },
  { name: 'new-library', path: () => '/libraries/new?welcome=1' },
]
