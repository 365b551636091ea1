import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import {
  applyImport,
  continueUpload,
  listImports,
  readImport,
  readUpload,
  removeImport,
  removeUpload,
  startImport,
  startUpload,
  undoImport,
} from './imports.ts'

export const importRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  serve(app, api.startUpload, ({ body }) => startUpload(context, body))
  serve(app, api.readUpload, ({ params: { id } }) => readUpload(context, id))
  serve(app, api.continueUpload, ({ params: { id }, query: { offset }, body }) =>
    continueUpload(context, id, { offset, bytes: body }),
  )
  serve(app, api.removeUpload, ({ params: { id } }) => removeUpload(context, id))
  serve(app, api.startImport, ({ caller, body }) => startImport(context, caller.userId, body))
  serveList(app, api.listImports, ({ paging }) => listImports(db.readSlowly, paging))
  serve(app, api.readImport, ({ params: { id } }) => readImport(db.readSlowly, id))
  serve(app, api.applyImport, ({ params: { id }, body }) => applyImport(context, id, body?.choose))
  serve(app, api.undoImport, ({ params: { id } }) => undoImport(context, id))
  serve(app, api.removeImport, ({ params: { id } }) => removeImport(context, id))
}
