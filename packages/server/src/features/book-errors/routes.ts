import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { countKinds, listErrors, retryErrors, retryOne } from './book-errors.ts'

export const bookErrorRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serveList(app, api.listBookErrors, async ({ caller, query, paging }) =>
    listErrors(db, await viewerOf(caller), query, paging),
  )
  serve(app, api.countBookErrors, async ({ caller, query }) => countKinds(db, await viewerOf(caller), query))
  serve(app, api.retryBookError, async ({ caller, params }) =>
    retryOne(db, await viewerOf(caller), params.bookId, clock()),
  )
  serve(app, api.retryBookErrors, async ({ caller, body }) =>
    retryErrors(db, await viewerOf(caller), body ?? {}, clock()),
  )
}
