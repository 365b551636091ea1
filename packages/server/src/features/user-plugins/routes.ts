import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { listUserPlugins, readUserPlugin, saveUserConfig, switchUserPlugin } from './user-plugins.ts'

export const userPluginRoutes = (app: FastifyInstance, { db, clock }: Context): void => {
  serve(app, api.listUserPlugins, ({ caller }) => listUserPlugins(db.read, caller.userId))
  serve(app, api.readUserPlugin, ({ caller, params }) => readUserPlugin(db.read, caller.userId, params.id))
  serve(app, api.enableUserPlugin, ({ caller, params }) =>
    switchUserPlugin(db, { userId: caller.userId, pluginId: params.id, now: clock() }, true),
  )
  serve(app, api.disableUserPlugin, ({ caller, params }) =>
    switchUserPlugin(db, { userId: caller.userId, pluginId: params.id, now: clock() }, false),
  )
  serve(app, api.saveUserPluginConfig, ({ caller, params, body }) =>
    saveUserConfig(db, { userId: caller.userId, pluginId: params.id, now: clock() }, body.config),
  )
}
