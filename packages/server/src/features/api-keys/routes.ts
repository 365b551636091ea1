import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { changeKey, createKey, listKeys, readKey, removeKey } from './api-keys.ts'

export const apiKeyRoutes = (app: FastifyInstance, { db, clock }: Context): void => {
  serveList(app, api.listApiKeys, ({ caller, query, paging }) => listKeys(db.read, caller, query, paging))
  serve(app, api.createApiKey, ({ caller, body }) => createKey(db, caller, body, clock()))
  serve(app, api.readApiKey, ({ caller, params }) => readKey(db.read, caller, params.id))
  serve(app, api.updateApiKey, ({ caller, params, body, expectMatch }) =>
    changeKey(db, caller, params.id, { patch: body, now: clock(), expectMatch }),
  )
  serve(app, api.deleteApiKey, ({ caller, params, expectMatch }) => removeKey(db, caller, params.id, expectMatch))
}
