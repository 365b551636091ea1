import type { ApiKeyDto } from '@carrel/api'
import * as door from '@carrel/api/doors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { createKey, listKeys, removeKey } from '../../../features/api-keys/api-keys.ts'
import { endDoorSessions } from '../../../features/sessions/sessions.ts'
import { changeOwnPassword, setOwnPassword } from '../../../features/sign-in/sign-in.ts'
import type { SignInRecorder } from '../../../features/sign-in-activity/sign-in-activity.ts'
import { serve } from '../../../http/serve.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { readPageQuery } from '../page.ts'
import { requireId, type Spelling, spellingOf, timestamp } from '../spelling.ts'
import type { CompatDependencies } from '../dependencies.ts'
import { latestActivity, listActivity } from './activity.ts'
import { clearCookiesAtDoor, sessionCookie, setCookieAtDoor } from './cookies.ts'
import { allSessionTokens } from './credentials.ts'
import { issueSessions } from './issue-sessions.ts'
import { readMe } from '../users/user-record.ts'

export const compatSignInRoutes = (app: FastifyInstance, context: Context, { activity }: CompatDependencies): void => {
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
  activityRoutes(app, context, activity)
  keyRoutes(app, context)
  serve(app, door.changeCompatPassword, ({ caller, body, request, visitor }) => {
    const currentPassword = typedPart(request, 'password')
    if (currentPassword !== undefined)
      return changeOwnPassword(context, caller, { currentPassword, newPassword: body.password }, visitor.network)
    // They ask for no old password: whoever has signed in with it for this session has shown that they know it.
    if (request.scheme !== 'cookie' || caller.by.kind !== 'session' || caller.by.isRemembered)
      throw new AppError('not_allowed', 'Sign in with your password first, or change it in the web app.')
    return setOwnPassword(context, caller, body.password)
  })
}

const activityRoutes = (app: FastifyInstance, { db, settings }: Context, activity: SignInRecorder): void => {
  const dependencies = { db, activity }
  const readerOf = (request: FastifyRequest, showsTyped: boolean) => ({
    showsTyped,
    outId: spellingOf(request, settings).outId,
  })
  serve(app, door.listCompatActivity, ({ caller: { userId }, query, request }) =>
    listActivity(dependencies, { userId }, readPageQuery(query), readerOf(request, false)),
  )
  serve(app, door.listCompatActivityOfAll, ({ query, request }) =>
    listActivity(dependencies, {}, readPageQuery(query), readerOf(request, true)),
  )
  serve(app, door.readCompatLatestActivity, async ({ caller, params, query, request }) => {
    const userId = requireId(params.id, 'user')
    const [requestedKey] = [query.apikey_id].flat()
    const apiKeyId = requestedKey === undefined ? undefined : requireId(requestedKey, 'API key')
    const maySee = userId === caller.userId || caller.permissions.has('system:admin')
    const latest = maySee && (await latestActivity(dependencies, { userId, apiKeyId }, readerOf(request, false)))
    if (!latest) throw notFound('activity')
    return latest
  })
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

/** A user may have no more keys than this. */
const keysMax = 50

const toCompatKey = ({ id, userId, name, createdAt, updatedAt }: ApiKeyDto, outId: Spelling['outId']) => ({
  id: outId(id),
  userId: outId(userId),
  key: '******',
  comment: name,
  createdDate: timestamp(createdAt),
  lastModifiedDate: timestamp(updatedAt),
})

/** It returns what a user who signs in with a password has typed. */
const typedPart = ({ headers }: FastifyRequest, part: 'name' | 'password'): string | undefined => {
  const [, encoded = ''] = /^basic +(\S+)/i.exec(headers.authorization ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return part === 'name' ? text.slice(0, colon) : text.slice(colon + 1)
}
