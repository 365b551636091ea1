import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveDownload } from '../../http/files/download.ts'
import type { LibraryReads } from '../../platform/storage/library-reads.ts'
import type { PageReading } from '../pages/pages.ts'
import { downloadNamedBook, downloadSeries } from './files.ts'

interface FileContext {
  readonly libraryReads: LibraryReads
  readonly pages: PageReading
}

export const fileRoutes = (app: FastifyInstance, { db, viewerOf }: Context, context: FileContext): void => {
  serveDownload(app, api.downloadBook, async ({ caller, params, query }) =>
    downloadNamedBook({ db, ...context }, await viewerOf(caller), params.id, query),
  )
  serveDownload(app, api.downloadSeries, async ({ caller, params }) =>
    downloadSeries({ db, ...context }, await viewerOf(caller), params.id),
  )
}
