import { listLibraries, listImports, readImport } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { readAnew } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { wholeNumber } from '../../navigation/search-params.ts'
import { everyLibrary } from './inputs.ts'

interface ImportsSearch {
  readonly page?: number | undefined
}

export const imports = createRoute({
  getParentRoute: () => administered,
  path: '/admin/imports',
  validateSearch: ({ page: number }: Record<string, unknown>): ImportsSearch => ({
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: ({ deps: { number } }) => readAnew(listImports, { query: { page: number } }),
  component: page(() => import('./imports-page.tsx'), 'ImportsPage', ['imports']),
})

export const oneImport = createRoute({
  getParentRoute: () => administered,
  path: '/admin/imports/$importId',
  loader: ({ params: { importId: id } }) =>
    Promise.all([readAnew(readImport, { params: { id } }), readAnew(listLibraries, everyLibrary)]),
  component: page(() => import('./import-page.tsx'), 'ImportPage', ['imports']),
})
