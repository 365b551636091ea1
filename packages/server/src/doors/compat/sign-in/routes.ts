import type { ApiKeyDto } from '@carrel/api'
import * as door from '@carrel/api/doors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { createKey, listKeys, removeKey } from '../../../features/api-keys/api-keys.ts'
import { forgetRatings } from '../../../features/ratings/ratings.ts'
import { endDoorSessions } from '../../../features/sessions/sessions.ts'
import { changeOwnPassword } from '../../../features/sign-in/sign-in.ts'
import { changeUser, createUser, listUsers, readUser, removeUser } from '../../../features/users/users.ts'
import type { Caller } from '../../../http/caller.ts'
import { serve } from '../../../http/serve.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { pageAsked } from '../page.ts'
import { requireId, type Spelling, spellingOf, timestamp } from '../spelling.ts'
import { latestActivity, listActivity } from './activity.ts'
import { clearCookiesAtDoor, sessionCookie, setCookieAtDoor } from './cookies.ts'
import { allSessionTokens } from './credentials.ts'
import { issueSessions } from './issue-sessions.ts'
import { patchFrom, readMe, toCompatUser } from './users.ts'

export const compatSignInRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, settings } = context
  issueSessions(app, context)
  serve(app, door.readCompatMe, ({ caller, request }) =>
    readMe(db.read, caller, {
      typed: typedPart(request, 'name') || undefined,
      outId: spellingOf(request, settings).outId,
    }),
  )
  for (const logout of [door.compatLogout, door.compatLogoutByLink])
    serve(app, logout, async ({ request, reply }) => {
      await endDoorSessions(db, allSessionTokens(request), clock())
      clearCookiesAtDoor(reply, context)
      return undefined
    })
  serve(app, door.compatSetCookie, async ({ request, reply }) => {
    const value = request.headers['x-auth-token']?.toString()
    if (value) setCookieAtDoor(reply, context, { name: sessionCookie, value })
    return undefined
  })
  serve(app, door.readCompatProviders, async () => [])
  serve(app, door.listCompatActivity, ({ caller, query, request }) =>
    listActivity(context, caller, pageAsked(query), spellingOf(request, settings)),
  )
  serve(app, door.listCompatActivityOfAll, ({ caller, query, request }) =>
    listActivity(context, caller, pageAsked(query), spellingOf(request, settings)),
  )
  serve(app, door.readCompatLatestActivity, async ({ caller, params, request }) => {
    const isOwn = requireId(params.id, 'user') === caller.userId
    const latest = isOwn ? await latestActivity(context, caller, spellingOf(request, settings)) : undefined
    if (!latest) throw notFound('activity')
    return latest
  })
  keyRoutes(app, context)
  userRoutes(app, context)
}

const keyRoutes = (app: FastifyInstance, { db, clock, settings }: Context): void => {
  serve(app, door.listCompatApiKeys, async ({ caller, request }) => {
    const { data } = await listKeys(db.read, caller, {}, pagingOf(1, keysMax))
    const { outId } = spellingOf(request, settings)
    return data.map((key) => toCompatKey(key, outId))
  })
  serve(app, door.createCompatApiKey, async ({ caller, body, request }) => {
    const created = await createKey(db, caller, { name: body.comment }, clock())
    return { ...toCompatKey(created, spellingOf(request, settings).outId), key: created.key }
  })
  serve(app, door.deleteCompatApiKey, ({ caller, params }) =>
    removeKey(db, caller, requireId(params.id, 'API key'), () => undefined),
  )
}

/** As many as somebody may have. */
const keysMax = 50

const toCompatKey = ({ id, userId, name, createdAt, updatedAt }: ApiKeyDto, outId: Spelling['outId']) => ({
  id: outId(id),
  userId: outId(userId),
  key: '******',
  comment: name,
  createdDate: timestamp(createdAt),
  lastModifiedDate: timestamp(updatedAt),
})

const usersMax = 500

const userRoutes = (app: FastifyInstance, { db, clock, passwords, settings }: Context): void => {
  const toolsOf = (actor: Caller) => ({ db, passwords, clock, actor })
  const noMatch = (): void => undefined
  serve(app, door.listCompatUsers, async ({ request }) => {
    const { data } = await listUsers(db.read, {}, pagingOf(1, usersMax))
    const { outId } = spellingOf(request, settings)
    return data.map((user) => toCompatUser(user, outId))
  })
  serve(app, door.createCompatUser, async ({ caller, body, request }) => {
    const { email, password, roles = [] } = body
    const role = roles.includes('ADMIN') ? 'admin' : 'reader'
    const names = email.includes('@') ? { username: email.slice(0, email.indexOf('@')), email } : { username: email }
    const user = await createUser(toolsOf(caller), { ...names, password, role })
    return toCompatUser(user, spellingOf(request, settings).outId)
  })
  serve(app, door.changeCompatUser, async ({ caller, params, body }) => {
    const id = requireId(params.id, 'user')
    await changeUser(toolsOf(caller), id, patchFrom(body, await readUser(db.read, id)), noMatch)
    return undefined
  })
  serve(app, door.deleteCompatUser, ({ caller, params }) =>
    removeUser(toolsOf(caller), requireId(params.id, 'user'), { expectMatch: noMatch, forget: forgetRatings }),
  )
  serve(app, door.setCompatPassword, async ({ caller, params, body }) => {
    await changeUser(toolsOf(caller), requireId(params.id, 'user'), { password: body.password }, noMatch)
    return undefined
  })
  serve(app, door.changeCompatPassword, ({ caller, body, request, visitor }) => {
    const currentPassword = typedPart(request, 'password')
    if (currentPassword === undefined)
      throw new AppError('not_allowed', 'Change the password in the web app, which asks for the old one.')
    const words = { currentPassword, newPassword: body.password }
    return changeOwnPassword({ db, passwords, clock }, caller, words, visitor.network)
  })
}

/** What whoever signs in with a password has typed. */
const typedPart = ({ headers }: FastifyRequest, part: 'name' | 'password'): string | undefined => {
  const [, encoded = ''] = /^basic +(\S+)/i.exec(headers.authorization ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return part === 'name' ? text.slice(0, colon) : text.slice(colon + 1)
}
