import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { clearSessionCookie, setSessionCookie } from '../../http/guard/cookies.ts'
import { serve } from '../../http/serve.ts'
import { AppError } from '../../platform/errors.ts'
import { endOwnSession, listSessions } from '../sessions/sessions.ts'
import { readProfile } from '../users/users.ts'
import { changeOwnPassword, refreshTokens, signIn, type SignInContext, signOut } from './sign-in.ts'

export const signInRoutes = (app: FastifyInstance, { db, clock, config }: Context, context: SignInContext): void => {
  serve(app, api.login, async ({ body, visitor, reply }) => {
    const welcome = await signIn(context, body, { ...visitor, deviceName: body.deviceName ?? null })
    if (!welcome) throw new AppError('not_authenticated', 'User name or password is wrong.')
    setSessionCookie(reply, config, welcome.cookie)
    return welcome.signedIn
  })
  serve(app, api.refresh, ({ body }) => refreshTokens(context, body.refreshToken))
  serve(app, api.logout, async ({ body, guest, reply }) => {
    // The cookie goes first: while nothing can be written, this device is signed out all the same.
    clearSessionCookie(reply, config)
    await signOut(db, guest, body?.refreshToken, clock())
    return undefined
  })
  serve(app, api.readSession, async ({ guest }) => ({
    user: guest ? await readProfile(db.read, guest.userId, guest.permissions) : null,
  }))
  serve(app, api.readMe, ({ caller }) => readProfile(db.read, caller.userId, caller.permissions))
  serve(app, api.listSessions, async ({ caller }) => {
    const currentId = caller.by.kind === 'session' ? caller.by.id : undefined
    return { sessions: await listSessions(db.read, caller.userId, currentId, clock()) }
  })
  serve(app, api.endSession, ({ caller, params }) => endOwnSession(db, caller.userId, params.id, clock()))
  serve(app, api.changePassword, ({ caller, body, visitor }) =>
    changeOwnPassword(context, caller, body, visitor.network),
  )
}
