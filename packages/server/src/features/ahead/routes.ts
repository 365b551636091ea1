import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { readSeriesAhead } from './ahead.ts'

/** Lists serve theirs themselves, since they know who looks at them. */
export const aheadRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.readSeriesAhead, async ({ caller, params }) =>
    readSeriesAhead(db, await viewerOf(caller), params.id, clock()),
  )
}
