import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { readHome, saveLayout } from './home.ts'

export const homeRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.readHome, async ({ caller, query: { limit = 20, libraryId } }) =>
    readHome(db, await viewerOf(caller), { limit, libraryId }),
  )
  serve(app, api.saveHomeLayout, ({ caller, body }) => saveLayout(db, caller.userId, body.layout, clock()))
}
