import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { mergeSeries } from './merging.ts'

export const mergingRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.mergeSeries, async ({ caller, params, body }) =>
    mergeSeries(db, await viewerOf(caller), { ...body, groupId: params.id, now: clock() }),
  )
}
