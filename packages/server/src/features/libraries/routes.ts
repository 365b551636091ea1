import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { glanceAtLibraries } from './at-a-glance.ts'
import { browse, listDrives } from './browse.ts'
import {
  changeLibrary,
  createLibrary,
  listLibraries,
  readLibrary,
  removeLibrary,
  type ScanOfLibraries,
} from './libraries.ts'

export const libraryRoutes = (app: FastifyInstance, context: Context, scan: ScanOfLibraries): void => {
  const { db, clock, viewerOf } = context
  const use = { db, storage: context, scan }

  serveList(app, api.listLibraries, async ({ caller, query, paging }) =>
    listLibraries(db, await viewerOf(caller), query.sort, paging),
  )
  serve(app, api.glanceAtLibraries, async ({ caller }) => glanceAtLibraries(db.readSlowly, await viewerOf(caller)))
  serve(app, api.createLibrary, async ({ caller, body }) => createLibrary(use, await viewerOf(caller), body, clock()))
  serve(app, api.readLibrary, async ({ caller, params }) =>
    readLibrary(db.readSlowly, await viewerOf(caller), params.id),
  )
  serve(app, api.updateLibrary, async ({ caller, params, body, expectMatch }) =>
    changeLibrary(use, await viewerOf(caller), params.id, { patch: body, now: clock(), expectMatch }),
  )
  serve(app, api.deleteLibrary, async ({ caller, params, query: { purge = false }, expectMatch }) =>
    removeLibrary(db, { caller, viewer: await viewerOf(caller) }, params.id, { purge, now: clock(), expectMatch }),
  )
  serve(app, api.browseFileSystem, ({ query }) => browse(context, query.path))
  serve(app, api.listDrives, () => listDrives(context))
}
