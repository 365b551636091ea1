import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { readAsOfNow } from '../../catalogue/visibility/visibility.ts'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { orderWantToRead, showWantToRead, want, wantMany, wantNoMore } from './want-to-read.ts'

export const wantToReadRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serveList(app, api.listWantToRead, async ({ caller, query: { sort = 'custom' }, paging }) => {
    const viewer = await viewerOf(caller)
    return readAsOfNow(db, viewer, () => showWantToRead(db.readSlowly, viewer, sort, paging))
  })
  serve(app, api.addWantToRead, async ({ caller, body }) => want(db, await viewerOf(caller), body, clock()))
  serve(app, api.addManyWantToRead, async ({ caller, body }) => wantMany(db, await viewerOf(caller), body, clock()))
  serve(app, api.orderWantToRead, ({ caller, body }) => orderWantToRead(db, caller.userId, body.ids))
  serve(app, api.dropSeriesToRead, ({ caller, params }) => wantNoMore(db, caller.userId, 'series', params.id))
  serve(app, api.dropBookToRead, ({ caller, params }) => wantNoMore(db, caller.userId, 'book', params.id))
}
