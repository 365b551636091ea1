import {
  listHeldItems,
  listLibraries,
  listRelinks,
  listScans,
  readHeldChanges,
  readLibrary,
  readScanStatus,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { wholeNumber } from '../../navigation/search-params.ts'
import { itemsOnPage, scansOnPage } from './on-page.ts'

interface PageSearch {
  readonly page?: number | undefined
}

const pageOf = ({ page: number }: Record<string, unknown>): PageSearch => ({ page: wholeNumber(number, 1, 1_000_000) })

export const adminLibraries = createRoute({
  getParentRoute: () => administered,
  path: '/admin/libraries',
  loader: () => ensure(listLibraries, { query: { pageSize: 500 } }),
  component: page(() => import('./libraries-page.tsx'), 'AdminLibrariesPage', ['scans']),
})

export const adminLibrary = createRoute({
  getParentRoute: () => administered,
  path: '/admin/libraries/$libraryId',
  validateSearch: pageOf,
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: async ({ params: { libraryId: id }, deps: { number } }) => {
    const params = { id }
    await Promise.all([
      ensure(readLibrary, { params }),
      ensure(readScanStatus, { params }),
      ensure(readHeldChanges, { params }),
      ensure(listRelinks, { params, query: { pageSize: itemsOnPage } }),
      ensure(listScans, { params, query: { page: number, pageSize: scansOnPage } }),
    ])
  },
  component: page(() => import('./library-page.tsx'), 'AdminLibraryPage', ['scans']),
})

export const adminHeldChanges = createRoute({
  getParentRoute: () => administered,
  path: '/admin/libraries/$libraryId/held-changes',
  validateSearch: pageOf,
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: async ({ params: { libraryId: id }, deps: { number } }) => {
    const [{ held }] = await Promise.all([
      ensure(readHeldChanges, { params: { id } }),
      ensure(readLibrary, { params: { id } }),
    ])
    if (held === null) return
    await ensure(listHeldItems, { params: { id, heldId: held.id }, query: { page: number, pageSize: itemsOnPage } })
  },
  component: page(() => import('./held-page.tsx'), 'HeldPage', ['scans']),
})
