import * as api from '@carrel/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { beginningCookie, setBeginningCookie } from '../../http/guard/cookies.ts'
import { serve } from '../../http/serve.ts'
import { randomToken } from '../../platform/secrets/tokens.ts'
import { connectByToken, disconnect, type ForgetMade } from './connections.ts'
import { signInElsewhere, signInSeconds } from './sign-in.ts'
import { listUserPlugins, readUserPlugin, saveUserConfig, switchUserPlugin } from './user-plugins.ts'

export const userPluginRoutes = (app: FastifyInstance, context: Context, forgetMade: ForgetMade): void => {
  const { db, clock, config } = context
  const { begin, finish } = signInElsewhere(context)
  serve(app, api.listUserPlugins, ({ caller }) => listUserPlugins(db.read, caller.userId))
  serve(app, api.readUserPlugin, ({ caller, params }) => readUserPlugin(db.read, caller.userId, params.id))
  serve(app, api.enableUserPlugin, ({ caller, params }) =>
    switchUserPlugin(db, { userId: caller.userId, pluginId: params.id, now: clock() }, true),
  )
  serve(app, api.disableUserPlugin, ({ caller, params }) =>
    switchUserPlugin(db, { userId: caller.userId, pluginId: params.id, now: clock() }, false),
  )
  serve(app, api.saveUserPluginConfig, ({ caller, params, body }) =>
    saveUserConfig(db, { userId: caller.userId, pluginId: params.id, now: clock() }, body.config),
  )
  serve(app, api.saveUserPluginCredentials, ({ caller, params, body }) =>
    connectByToken(context, { userId: caller.userId, pluginId: params.id }, body.accessToken),
  )
  serve(app, api.disconnectUserPlugin, ({ caller, params }) =>
    disconnect(context, { userId: caller.userId, pluginId: params.id }, forgetMade),
  )
  serve(app, api.beginUserPluginSignIn, async ({ caller, params, request, reply }) => {
    const browser = browserOf(request) ?? randomToken()
    const redirectUrl = await begin({ userId: caller.userId, pluginId: params.id }, browser)
    setBeginningCookie(reply, config, { value: browser, path: '/api/v1/user/plugins', seconds: signInSeconds })
    return { redirectUrl }
  })
  serve(app, api.finishUserPluginSignIn, async ({ query, guest, request, reply }) => {
    const location = await finish(query, { browser: browserOf(request), userId: guest?.userId })
    void reply.header('location', location).header('cache-control', 'no-store')
    return undefined
  })
}

/** The same for all sign-ins of a browser, so that two tabs do not spoil each other's. */
const browserOf = ({ cookies }: FastifyRequest): string | undefined => {
  const value = cookies[beginningCookie]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}
