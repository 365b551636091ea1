import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { createPreset, readPreset, removePreset, replacePreset } from './filter-presets.ts'
import { selectPresets } from './queries.ts'

export const filterPresetRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.listFilterPresets, async ({ caller, query }) => ({
    presets: await selectPresets(db.read, await viewerOf(caller), query),
  }))
  serve(app, api.createFilterPreset, async ({ caller, body }) =>
    createPreset(db, await viewerOf(caller), body, clock()),
  )
  serve(app, api.readFilterPreset, async ({ caller, params }) => readPreset(db.read, await viewerOf(caller), params.id))
  serve(app, api.replaceFilterPreset, async ({ caller, params, body, expectMatch }) =>
    replacePreset(db, await viewerOf(caller), params.id, { input: body, now: clock(), expectMatch }),
  )
  serve(app, api.deleteFilterPreset, async ({ caller, params, expectMatch }) =>
    removePreset(db, await viewerOf(caller), params.id, { now: clock(), expectMatch }),
  )
}
