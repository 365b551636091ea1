import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveDownload } from '../../http/files/download.ts'
import { downloadNamedBook, downloadSeries, type FileDependencies } from './files.ts'

export const fileRoutes = (app: FastifyInstance, { db, viewerOf }: Context, context: FileDependencies): void => {
  serveDownload(app, api.downloadBook, async ({ caller, params, query }) =>
    downloadNamedBook({ db, ...context }, await viewerOf(caller), params.id, {
      ...query,
      metadata: query.metadata ?? caller.downloadMetadata,
    }),
  )
  serveDownload(app, api.downloadSeries, async ({ caller, params, query }) =>
    downloadSeries({ db, ...context }, await viewerOf(caller), params.id, query.metadata ?? caller.downloadMetadata),
  )
}
