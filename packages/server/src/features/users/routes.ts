import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Caller } from '../../http/caller.ts'
import { serve, serveList } from '../../http/serve.ts'
import { readEffectiveAccess } from '../access/access.ts'
import {
  changeProfile,
  changeUser,
  createUser,
  endAllSessionsOf,
  listSessionsOf,
  listUsers,
  readProfile,
  readUser,
  removeUser,
  requireUser,
} from './users.ts'
import { makeOneTimeLink, redeemOneTimeLink } from './one-time-links.ts'

export const userRoutes = (app: FastifyInstance, { db, passwords, clock, secret }: Context): void => {
  const contextOf = (actor: Caller) => ({ db, passwords, clock, actor })

  // A part of a name is found by looking at every name.
  const readerFor = ({ q }: { q?: string | undefined }) => (q === undefined ? db.read : db.readSlowly)
  serveList(app, api.listUsers, ({ query, paging }) => listUsers(readerFor(query), query, paging))
  serve(app, api.createUser, ({ caller, body }) => createUser(contextOf(caller), body))
  serve(app, api.readUser, ({ params }) => readUser(db.read, params.id))
  serve(app, api.updateUser, ({ caller, params, body, expectMatch }) =>
    changeUser(contextOf(caller), params.id, body, expectMatch),
  )
  serve(app, api.deleteUser, ({ caller, params, expectMatch }) => removeUser(contextOf(caller), params.id, expectMatch))
  serve(app, api.createOneTimeLink, ({ caller, params }) =>
    makeOneTimeLink({ db, clock, secret, actor: caller }, params.id),
  )
  serve(app, api.redeemOneTimeLink, ({ body }) => redeemOneTimeLink({ db, clock, secret, passwords }, body))
  serve(app, api.readEffectiveAccess, async ({ params }) =>
    readEffectiveAccess(db.read, await requireUser(db.read, params.id)),
  )

  const sessionOf = ({ by }: Caller) => (by.kind === 'session' ? by.id : undefined)
  serve(app, api.listSessionsOfUser, async ({ caller, params }) => ({
    sessions: await listSessionsOf(db.read, params.id, sessionOf(caller), clock()),
  }))
  serve(app, api.endSessionsOfUser, ({ caller, params }) =>
    endAllSessionsOf(contextOf(caller), params.id, sessionOf(caller)),
  )

  serve(app, api.readProfile, ({ caller }) => readProfile(db.read, caller.userId, caller.permissions))
  serve(app, api.updateProfile, ({ caller, body, expectMatch }) =>
    changeProfile(db, caller.userId, body, { caller, now: clock(), expectMatch }),
  )
}
