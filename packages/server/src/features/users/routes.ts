import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { readEffectiveAccess } from '../access/access.ts'
import {
  changeProfile,
  changeUser,
  createUser,
  listUsers,
  readProfile,
  readUser,
  removeUser,
  requireUser,
} from './users.ts'

export const userRoutes = (app: FastifyInstance, { db, passwords, clock }: Context): void => {
  const tools = { db, passwords, clock }

  serveList(app, api.listUsers, ({ query, paging }) => listUsers(db.read, query, paging))
  serve(app, api.createUser, ({ body }) => createUser(tools, body))
  serve(app, api.readUser, ({ params }) => readUser(db.read, params.id))
  serve(app, api.updateUser, ({ params, body, expectMatch }) => changeUser(tools, params.id, body, expectMatch))
  serve(app, api.deleteUser, ({ params, expectMatch }) => removeUser(db, params.id, expectMatch))
  serve(app, api.readEffectiveAccess, async ({ params }) =>
    readEffectiveAccess(db.read, await requireUser(db.read, params.id)),
  )

  serve(app, api.readProfile, ({ caller }) => readProfile(db.read, caller.userId, caller.permissions))
  serve(app, api.updateProfile, ({ caller, body, expectMatch }) =>
    changeProfile(db, caller.userId, body, { permissions: caller.permissions, now: clock(), expectMatch }),
  )
}
