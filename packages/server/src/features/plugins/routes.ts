import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveMedia } from '../../http/files/media.ts'
import { mediaLane } from '../../http/rate-limit/media-lane.ts'
import { serve } from '../../http/serve.ts'
import { readCandidateCover } from './covers/found-covers.ts'
import { installPackage, removePackage } from './installing/packages.ts'
import {
  createPlugin,
  listPackages,
  listPlugins,
  readFailures,
  readHealth,
  readLog,
  readPlugin,
  readPluginMetrics,
  removePlugin,
  resetPlugin,
  switchPlugin,
  testPlugin,
  updatePlugin,
} from './plugins.ts'

export const pluginRoutes = (app: FastifyInstance, context: Context): void => {
  serveMedia(
    app,
    api.readFoundCover,
    ({ caller, query }) => readCandidateCover(context, caller.userId, query.picture),
    {
      lane: mediaLane(),
    },
  )
  serve(app, api.listPlugins, () => listPlugins(context))
  serve(app, api.createPlugin, ({ body }) => createPlugin(context, body))
  serve(app, api.listPluginPackages, () => listPackages(context.db.read))
  serve(app, api.installPluginPackage, ({ body }) => installPackage(context, body))
  serve(app, api.removePluginPackage, async ({ params }) => {
    await removePackage(context, params.name)
    return undefined
  })
  serve(app, api.readPlugin, ({ params }) => readPlugin(context, params.id))
  serve(app, api.updatePlugin, ({ params, body, expectMatch }) => updatePlugin(context, params.id, body, expectMatch))
  serve(app, api.removePlugin, async ({ params }) => {
    await removePlugin(context, params.id)
    return undefined
  })
  serve(app, api.enablePlugin, ({ params }) => switchPlugin(context, params.id, true))
  serve(app, api.disablePlugin, ({ params }) => switchPlugin(context, params.id, false))
  serve(app, api.resetPlugin, ({ params }) => resetPlugin(context, params.id))
  serve(app, api.testPlugin, ({ params }) => testPlugin(context, params.id))
  serve(app, api.readPluginFailures, ({ params, query }) =>
    readFailures(context, params.id, { limit: query.limit ?? 50, offset: query.offset ?? 0 }),
  )
  serve(app, api.readPluginLog, ({ params, query }) => readLog(context, params.id, query))
  serve(app, api.readPluginHealth, ({ params }) => readHealth(context, params.id))
  serve(app, api.readPluginMetrics, () => readPluginMetrics(context))
}
