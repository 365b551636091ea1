import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { readHome, saveLayout } from './home.ts'
import { putBookAside, takeBookUp } from './not-now.ts'
import { readOpenBooks } from './open-books.ts'

export const homeRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.readHome, async ({ caller, query: { limit = 20, ...query } }) =>
    readHome(db, await viewerOf(caller), { limit, ...query }, clock()),
  )
  serve(app, api.readOpenBooks, async ({ caller, query: { limit = 5 } }) =>
    readOpenBooks(db, await viewerOf(caller), limit, clock()),
  )
  serve(app, api.putBookAside, async ({ caller, params }) =>
    putBookAside(db, await viewerOf(caller), params.id, clock()),
  )
  serve(app, api.takeBookUp, async ({ caller, params }) => takeBookUp(db, await viewerOf(caller), params.id, clock()))
  serve(app, api.saveHomeLayout, ({ caller, body }) => saveLayout(db, caller.userId, body, clock()))
}
