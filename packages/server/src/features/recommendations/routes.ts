import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { dismiss, readRecommendations, refreshAll, restore } from './recommendations.ts'

export const recommendationRoutes = (app: FastifyInstance, context: Context): void => {
  const { viewerOf } = context
  serve(app, api.readRecommendations, async ({ caller }) => readRecommendations(context, await viewerOf(caller)))
  serve(app, api.refreshRecommendations, ({ caller }) => refreshAll(context, caller.userId))
  serve(app, api.dismissRecommendation, async ({ caller, params, body }) =>
    dismiss(context, await viewerOf(caller), { externalId: params.externalId, reason: body?.reason ?? null }),
  )
  serve(app, api.restoreRecommendation, ({ caller, params }) => restore(context, caller.userId, params.externalId))
}
