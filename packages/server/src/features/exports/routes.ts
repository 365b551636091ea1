import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveDownload } from '../../http/files/download.ts'
import { serve } from '../../http/serve.ts'
import { downloadExport, exportCatalogueOf, listExports, readExport, removeExport, startExport } from './exports.ts'

export const exportRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, viewerOf } = context
  serve(app, api.listSeriesExports, async ({ caller }) => listExports(db.read, await viewerOf(caller)))
  serve(app, api.createSeriesExport, async ({ caller, body }) =>
    startExport(context, { caller, viewer: await viewerOf(caller) }, body),
  )
  serve(app, api.readExportFields, async () => exportCatalogueOf())
  serve(app, api.readSeriesExport, async ({ caller, params: { id } }) =>
    readExport(db.read, await viewerOf(caller), id),
  )
  serve(app, api.removeSeriesExport, async ({ caller, params: { id } }) =>
    removeExport(context, await viewerOf(caller), id),
  )
  serveDownload(app, api.downloadSeriesExport, async ({ caller, params: { id } }) =>
    downloadExport(context, { caller, viewer: await viewerOf(caller) }, id),
  )
}
