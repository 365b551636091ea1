import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { readReaderSettings, saveReaderSettings } from './reader-settings.ts'

export const readerSettingRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.readReaderSettings, async ({ caller, query }) =>
    readReaderSettings(db.read, await viewerOf(caller), query),
  )
  serve(app, api.saveReaderSettings, async ({ caller, params, body }) =>
    saveReaderSettings(db, await viewerOf(caller), params, { change: body.values, now: clock() }),
  )
}
