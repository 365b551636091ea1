import { listUserPlugins, readRecommendations } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { readAnew } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { word, wordOf } from '../../navigation/search-params.ts'

interface RecommendationsSearch {
  readonly source?: string | undefined
  readonly sort?: 'source' | undefined
}

export const recommendations = createRoute({
  getParentRoute: () => framed,
  path: '/recommendations',
  validateSearch: ({ source, sort }: Record<string, unknown>): RecommendationsSearch => ({
    source: word(source)?.slice(0, 200),
    sort: wordOf(['source'] as const, sort),
  }),
  // The user may have switched something on or off meanwhile, and what is too old is made again when it is requested.
  loader: () => Promise.all([readAnew(readRecommendations, {}), readAnew(listUserPlugins, {})]),
  component: page(() => import('./recommendations-page.tsx'), 'RecommendationsPage', ['recommendations', 'lists']),
})
