import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveDownload } from '../../http/files/download.ts'
import { serve, serveList } from '../../http/serve.ts'
import { downloadBackup, listBackups, removeBackup, startBackup } from './stored.ts'

export const backupRoutes = (app: FastifyInstance, { db, clock, config: { dataDir } }: Context): void => {
  serveList(app, api.listBackups, ({ paging }) => listBackups(dataDir, paging))
  serve(app, api.startBackup, () => startBackup(db, clock()))
  serveDownload(app, api.downloadBackup, ({ params }) => downloadBackup(dataDir, params.name))
  serve(app, api.removeBackup, ({ params }) => removeBackup(dataDir, params.name))
}
