import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { readAsOfNow } from '../../catalogue/visibility/visibility.ts'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { homesOf, saveLayout } from './home.ts'
import { putBookAside, takeBookUp } from './not-now.ts'
import { readOpenBooks } from './open-books.ts'

export const homeRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  const readHome = homesOf(db)
  serve(app, api.readHome, async ({ caller, query: { limit = 20, ...query } }) => {
    const viewer = await viewerOf(caller)
    return readAsOfNow(db, viewer, () => readHome(viewer, { limit, ...query }, clock()))
  })
  serve(app, api.readOpenBooks, async ({ caller, query: { limit = 5 } }) => {
    const viewer = await viewerOf(caller)
    return readAsOfNow(db, viewer, () => readOpenBooks(db, viewer, limit, clock()))
  })
  serve(app, api.putBookAside, async ({ caller, params }) =>
    putBookAside(db, await viewerOf(caller), params.id, clock()),
  )
  serve(app, api.takeBookUp, async ({ caller, params }) => takeBookUp(db, await viewerOf(caller), params.id, clock()))
  serve(app, api.saveHomeLayout, ({ caller, body }) => saveLayout(db, caller.userId, body, clock()))
}
