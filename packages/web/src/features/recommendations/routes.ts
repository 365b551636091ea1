import { type Endpoint, listUserPlugins, readRecommendations } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { word, wordOf } from '../../navigation/search-params.ts'

/**
 * The user may have switched something on or off meanwhile; and recommendations that are too old are made again when
 * they are asked for.
 */
const fresh = async (endpoint: Endpoint): Promise<void> => {
  await queryClient.fetchQuery({ ...query(endpoint, {}), staleTime: 0 })
}

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
  loader: () => Promise.all([fresh(readRecommendations as Endpoint), fresh(listUserPlugins as Endpoint)]),
  component: page(() => import('./recommendations-page.tsx'), 'RecommendationsPage', ['recommendations', 'lists']),
})
