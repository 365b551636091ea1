import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { requireLibrary } from '../../catalogue/entries/entries.ts'
import { readGaps } from './gaps.ts'
import { readRelated } from './related/related.ts'
import { listsOfSeries, readSeries, readTags, saveTags } from './series.ts'
import { seriesFacetsOf, seriesLettersOf } from '../../catalogue/lists/lists.ts'

export const seriesRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, viewerOf } = context
  const list = listsOfSeries(context)
  serveList(app, api.listSeries, async ({ caller, query, paging }) => list(await viewerOf(caller), query, paging))
  serveList(app, api.listSeriesByCondition, async ({ caller, query, body, paging }) =>
    list(await viewerOf(caller), { ...query, ...body }, paging),
  )
  serve(app, api.readSeriesLetters, async ({ caller, query, body = {} }) =>
    seriesLettersOf(context, await viewerOf(caller), body, query.pageSize ?? 50),
  )
  serve(app, api.readSeriesFacets, async ({ caller, body }) => seriesFacetsOf(context, await viewerOf(caller), body))
  serveList(app, api.listSeriesOfLibrary, async ({ caller, params, query, paging }) => {
    const viewer = await viewerOf(caller)
    await requireLibrary(db.read, viewer, params.id)
    return list(viewer, { ...query, libraryId: params.id }, paging)
  })
  for (const endpoint of [api.readSeries, api.readFullSeries])
    // How often all of a long series was read takes long to say.
    serve(app, endpoint, async ({ caller, params }) => readSeries(db.readSlowly, await viewerOf(caller), params.id))
  serve(app, api.readSeriesGaps, async ({ caller, params }) =>
    readGaps(db.readSlowly, await viewerOf(caller), params.id),
  )
  serve(app, api.readRelatedSeries, async ({ caller, params }) =>
    readRelated(db.readSlowly, await viewerOf(caller), params.id),
  )
  serve(app, api.readSeriesSharingTags, async ({ caller, params }) =>
    readTags(db.read, await viewerOf(caller), params.id),
  )
  serve(app, api.saveSeriesSharingTags, async ({ caller, params, body: { tagIds }, expectMatch }) =>
    saveTags(db, await viewerOf(caller), params.id, { tagIds, now: clock(), expectMatch }),
  )
}
