import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveParts } from '../../http/serve.ts'
import { readPreferences } from './all-preferences.ts'
import { readPreference, removePreference, savePreferences } from './preferences.ts'

export const preferenceRoutes = (app: FastifyInstance, { db, clock }: Context): void => {
  serveParts(app, api.readPreferences, ({ caller }) => readPreferences(db.readSlowly, caller.userId))
  serveParts(app, api.savePreferences, async ({ caller, body }) => {
    const preferences = Object.entries(body.preferences).map(([key, value]) => ({ key, value, path: pathOf(key) }))
    await savePreferences(db, caller.userId, preferences, clock())
    return readPreferences(db.readSlowly, caller.userId)
  })
  serve(app, api.readPreference, ({ caller, params }) => readPreference(db.read, caller.userId, params.key))
  serve(app, api.savePreference, async ({ caller, params, body }) => {
    await savePreferences(db, caller.userId, [{ ...params, ...body, path: '/value' }], clock())
    return readPreference(db.read, caller.userId, params.key)
  })
  serve(app, api.deletePreference, ({ caller, params }) => removePreference(db, caller.userId, params.key))
}

const pathOf = (key: string): string => `/preferences/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
