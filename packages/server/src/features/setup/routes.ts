import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { setSessionCookie } from '../../http/guard/cookies.ts'
import { isLocalRequest } from '../../http/origin/local-request.ts'
import { serve } from '../../http/serve.ts'
import type { SignInContext } from '../sign-in/sign-in.ts'
import { anyUserExists } from '../users/users.ts'
import { firstRun } from './setup.ts'

export const setupRoutes = (app: FastifyInstance, { db, config, log }: Context, context: SignInContext): void => {
  const claim = firstRun(context, { dataDir: config.dataDir, log })

  serve(app, api.readSetupStatus, async () => {
    const hasUsers = await anyUserExists(db.read)
    return { setupRequired: !hasUsers, hasUsers, registrationEnabled: false }
  })
  for (const endpoint of [api.setUp, api.setUpAlias]) {
    serve(app, endpoint, async ({ body, visitor, request, reply }) => {
      const isLocal = isLocalRequest(request.raw, config)
      const { cookie, signedIn } = await claim({ input: body, visitor: { ...visitor, deviceName: null }, isLocal })
      setSessionCookie(reply, config, cookie)
      return signedIn
    })
  }
}
