import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { listDevices, mergeDevices, nameDevice } from '../reading/reading.ts'
import { forgetDevice } from './devices.ts'

export const deviceRoutes = (app: FastifyInstance, { db }: Context): void => {
  serveList(app, api.listDevices, ({ caller, paging }) => listDevices(db.readSlowly, caller.userId, paging))
  serve(app, api.renameDevice, ({ caller, params, body }) => nameDevice(db, caller.userId, params.id, body.name))
  serve(app, api.mergeDevice, ({ caller, params, body }) => mergeDevices(db, caller.userId, params.id, body.into))
  serve(app, api.forgetDevice, ({ caller, params }) => forgetDevice(db, caller.userId, params.id))
}
