import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveCached } from '../../http/serve.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { cachedAnswers, sharedAnswers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { IdsByTarget } from '../../catalogue/search-index/search-index.ts'
import { type CachedSearches, search, type SearchRequest, suggest } from './search.ts'

/** This many answers of each kind are cached (decision 023): people type, look, go back, and type the same again. */
const keptMax = 64
/** Counts are cached for this many kinds of viewers, and for this many people named as authors. */
const countedMax = { viewers: 64, people: 500 }

export const searchRoutes = (app: FastifyInstance, { db, settings, viewerOf }: Context): void => {
  const people = sharedAnswers<CachedSearches['counted']>(db, countedMax.viewers)
  const found = sharedAnswers<IdsByTarget>(db, keptMax)
  const cachedFor = async (viewer: Viewer, { text, isForgiving }: SearchRequest): Promise<CachedSearches> => ({
    counted: await people(viewer, '', async () => new BoundedMap(countedMax.people)),
    ids: (limits, find) => found(viewer, `${JSON.stringify(limits)} ${isForgiving} ${text}`, find),
  })
  const requestOf = (text: string): SearchRequest => ({ text, isForgiving: settings.get('search.fuzzy.enabled') })
  const results = cachedAnswers<api.SearchResults>(db, keptMax)
  const suggestions = cachedAnswers<api.Suggestions>(db, keptMax)

  serveCached(app, api.search, async ({ caller, query: { q = '', limit = api.resultsUsual } }) => {
    const viewer = await viewerOf(caller)
    const request = requestOf(q)
    return results(viewer, `${limit} ${request.isForgiving} ${request.text}`, async () =>
      search(db, viewer, { ...request, cached: await cachedFor(viewer, request) }, limit),
    )
  })
  serveCached(app, api.suggest, async ({ caller, query: { q = '' } }) => {
    const viewer = await viewerOf(caller)
    const request = requestOf(q)
    return suggestions(viewer, `${request.isForgiving} ${request.text}`, async () =>
      suggest(db, viewer, { ...request, cached: await cachedFor(viewer, request) }),
    )
  })
}
