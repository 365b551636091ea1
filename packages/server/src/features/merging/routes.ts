import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { mergeBooks } from './merge-books.ts'
import { mergeSeries } from './merge-series.ts'
import { listMerges } from './merges.ts'
import { mergeSeriesByHand } from './merge-by-hand.ts'
import { moveBooksByHand, splitSeries } from './moves/move-books.ts'
import { listOverrides, readPlacement, removeOverride } from './moves/overrides.ts'
import { undoMergeOfBooks } from './undo-books.ts'
import { undoMergeOfSeries } from './undo-series.ts'

export const mergingRoutes = (app: FastifyInstance, context: Context): void => {
  duplicateRoutes(app, context)
  handRoutes(app, context)
}

const handRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.splitSeries, async ({ caller, params: { id }, body }) =>
    splitSeries(db, await viewerOf(caller), { ...body, id }, clock()),
  )
  serve(app, api.moveBooks, async ({ caller, body }) => moveBooksByHand(db, await viewerOf(caller), body, clock()))
  serve(app, api.mergeAnySeries, async ({ caller, body }) =>
    mergeSeriesByHand(db, await viewerOf(caller), body, clock()),
  )
  serveList(app, api.listGroupingOverrides, async ({ caller, params: { id }, paging }) =>
    listOverrides(db.readSlowly, await viewerOf(caller), id, paging),
  )
  serve(app, api.removeGroupingOverride, async ({ caller, params: { id: libraryId, overrideId } }) =>
    removeOverride(db, await viewerOf(caller), { libraryId, overrideId }, clock()),
  )
  serve(app, api.readBookPlacement, async ({ caller, params: { id } }) =>
    readPlacement(db.read, await viewerOf(caller), id),
  )
}

const duplicateRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
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
