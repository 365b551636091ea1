import * as api from '@carrel/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { beginningCookie, setBeginningCookie, setSessionCookie } from '../../http/guard/cookies.ts'
import { serve } from '../../http/serve.ts'
import { randomToken } from '../../platform/secrets/tokens.ts'
import type { SignInContext } from '../sign-in/sign-in.ts'
import { listProviders, signInSeconds, signInThrough } from './oidc.ts'

export const oidcRoutes = (app: FastifyInstance, { config, log }: Context, context: SignInContext): void => {
  const { begin, finish } = signInThrough({ ...context, config, log })
  const markBrowser = (reply: FastifyReply, value: string): void =>
    setBeginningCookie(reply, config, { value, path: '/api/v1/auth/oidc', seconds: signInSeconds })

  serve(app, api.listOidcProviders, async () => listProviders(config))
  serve(app, api.beginOidcLogin, async ({ params, body, request, reply }) => {
    const browser = browserOf(request) ?? randomToken()
    // An app begins with a call of its own and opens a browser then, which does not have this cookie.
    const redirectUrl = await begin(params.provider, body ?? {}, {
      browser: body?.redirectUri === undefined ? browser : undefined,
      optionsIn: 'body',
    })
    markBrowser(reply, browser)
    return { redirectUrl }
  })
  serve(app, api.followOidcLogin, async ({ params, query, request, reply }) => {
    const browser = browserOf(request) ?? randomToken()
    const location = await begin(params.provider, query, { browser, optionsIn: 'query' })
    markBrowser(reply, browser)
    return leadTo(reply, location)
  })
  serve(app, api.finishOidcLogin, async ({ params, query, visitor, request, reply }) => {
    const { location, cookie } = await finish(params.provider, query, {
      browser: browserOf(request),
      visitor: { ...visitor, deviceName: null },
    })
    if (cookie !== undefined) setSessionCookie(reply, config, cookie)
    return leadTo(reply, location)
  })
}

/** The same for all sign-ins of a browser, so that two tabs do not spoil each other's. */
const browserOf = ({ cookies }: FastifyRequest): string | undefined => {
  const value = cookies[beginningCookie]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

const leadTo = (reply: FastifyReply, location: string): undefined => {
  void reply.header('location', location).header('cache-control', 'no-store')
  return undefined
}
