import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveCached } from '../../http/serve.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { cachedAnswers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { type CountedPeople, search, suggest } from './search.ts'

/** This many answers of each kind are cached (decision 023): people type, look, go back, and type the same again. */
const keptMax = 64
/** Counts are cached for this many users, and for this many people named as authors. */
const countedMax = { viewers: 64, people: 500 }

export const searchRoutes = (app: FastifyInstance, { db, settings, viewerOf }: Context): void => {
  const people = cachedAnswers<CountedPeople>(db, countedMax.viewers)
  const countedFor = (viewer: Viewer) => people(viewer, '', async () => new BoundedMap(countedMax.people))
  const requestOf = (text: string) => ({ text, isForgiving: settings.get('search.fuzzy.enabled') })
  const results = cachedAnswers<api.SearchResults>(db, keptMax)
  const suggestions = cachedAnswers<api.Suggestions>(db, keptMax)

  serveCached(app, api.search, async ({ caller, query: { q = '', limit = api.resultsUsual } }) => {
    const viewer = await viewerOf(caller)
    const { text, isForgiving } = requestOf(q)
    return results(viewer, `${limit} ${isForgiving} ${text}`, async () =>
      search(db, viewer, { text, isForgiving, counted: await countedFor(viewer) }, limit),
    )
  })
  serveCached(app, api.suggest, async ({ caller, query: { q = '' } }) => {
    const viewer = await viewerOf(caller)
    const { text, isForgiving } = requestOf(q)
    return suggestions(viewer, `${isForgiving} ${text}`, async () =>
      suggest(db, viewer, { text, isForgiving, counted: await countedFor(viewer) }),
    )
  })
}
