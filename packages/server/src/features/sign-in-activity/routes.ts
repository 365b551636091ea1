import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveList } from '../../http/serve.ts'
import { listActivity, type SignInRecorder } from './sign-in-activity.ts'

export const signInActivityRoutes = (app: FastifyInstance, { db }: Context, { flush }: SignInRecorder): void => {
  serveList(app, api.listSignInActivity, async ({ query: { userId, success }, paging }) => {
    // A user who has just signed in, or failed to, looks for that entry first.
    await flush()
    return listActivity(db.readSlowly, { userId, success }, { ...paging, showsTyped: true })
  })
  serveList(app, api.listOwnSignInActivity, async ({ caller, paging }) => {
    await flush()
    return listActivity(db.readSlowly, { userId: caller.userId }, { ...paging, showsTyped: false })
  })
}
