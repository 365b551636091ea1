import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { mergeBooks } from './merge-books.ts'
import { mergeSeries } from './merge-series.ts'
import { listMerges } from './merges.ts'
import { undoMergeOfBooks } from './undo-books.ts'
import { undoMergeOfSeries } from './undo-series.ts'

export const mergingRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.mergeSeries, async ({ caller, params, body }) =>
    mergeSeries(db, await viewerOf(caller), { ...body, groupId: params.id, now: clock() }),
  )
  serve(app, api.mergeBooks, async ({ caller, params, body }) =>
    mergeBooks(db, await viewerOf(caller), { ...body, groupId: params.id, now: clock() }),
  )
  serveList(app, api.listSeriesMerges, async ({ caller, paging }) =>
    listMerges(db.read, await viewerOf(caller), 'series', paging),
  )
  serveList(app, api.listBookMerges, async ({ caller, paging }) =>
    listMerges(db.read, await viewerOf(caller), 'book', paging),
  )
  serve(app, api.undoSeriesMerge, async ({ caller, params }) =>
    undoMergeOfSeries(db, await viewerOf(caller), params.id, clock()),
  )
  serve(app, api.undoBookMerge, async ({ caller, params }) =>
    undoMergeOfBooks(db, await viewerOf(caller), params.id, clock()),
  )
}
