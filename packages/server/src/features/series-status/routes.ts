import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { clearStatus, listMarked, saveStatus } from './series-status.ts'

export const seriesStatusRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.saveReadingStatus, async ({ caller, params, body }) =>
    saveStatus(db, await viewerOf(caller), params.id, { status: body.status, now: clock() }),
  )
  serve(app, api.clearReadingStatus, ({ caller, params }) => clearStatus(db, caller.userId, params.id))
  serveList(app, api.listSeriesByReadingStatus, async ({ caller, query, paging }) =>
    listMarked(db.readSlowly, await viewerOf(caller), query.status, paging),
  )
}
