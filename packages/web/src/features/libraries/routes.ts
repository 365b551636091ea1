import { createRoute } from '@tanstack/react-router'
import { framed, page } from '../../layouts.tsx'

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
