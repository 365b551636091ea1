import { compatLogout, compatLogoutByLink } from '@carrel/api/doors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { doorSession, rememberedSeconds } from '../../../features/sessions/sessions.ts'
import type { Caller } from '../../../http/caller.ts'
import { BoundedMap } from '../../../platform/limits.ts'
import { shareInFlight } from '../../../platform/share.ts'
import { profileOf } from '../profiles.ts'
import { rememberCookie, sessionCookie, setCookieAtDoor } from './cookies.ts'

interface Issued {
  readonly id: string
  readonly token: string
}

type Kind = Parameters<typeof doorSession>[2]['kind']

const keptMax = 10_000
const keptMs = 60 * 60 * 1000

/**
 * Whoever signs in with a password or a key gets a session: many applications send either once, and live on what they
 * got. An application that keeps nothing gets the same one each time, at no cost.
 */
export const issueSessions = (app: FastifyInstance, context: Context): void => {
  const issue = issuing(context)

  app.addHook('preHandler', (request, reply, done) => {
    const { caller } = request
    const { endpoint } = request.routeOptions.config
    if (endpoint?.shape.door !== 'compat' || !caller || !signsIn(caller)) return done()
    if (endpoint === compatLogout || endpoint === compatLogoutByLink) return done()
    // One that gets none is answered all the same: it has said who it is.
    return giveSession(request, reply, caller).catch((err: unknown) =>
      context.log.warn({ err }, 'An application got no session'),
    )
  })

  const giveSession = async (request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<void> => {
    const session = await issue(request, caller, 'compat')
    request.caller = asOfSession(caller, session, request)
    const { headers, cookies } = request
    if (headers['x-auth-token'] !== undefined) void reply.header('x-auth-token', session.token)
    else if (cookies[sessionCookie] !== session.token)
      setCookieAtDoor(reply, context, { name: sessionCookie, value: session.token })
    if (!wantsRemembering(request)) return
    const { token } = await issue(request, caller, 'compat_remembered')
    setCookieAtDoor(reply, context, { name: rememberCookie, value: token, seconds: rememberedSeconds })
  }
}

/** A session signs nobody in anew. */
const signsIn = ({ by }: Caller): boolean => by.kind === 'password' || (by.kind === 'key' && by.sessionId === undefined)

const wantsRemembering = ({ query }: FastifyRequest): boolean => {
  const asked = (query as Record<string, unknown>)['remember-me']
  return [asked].flat().includes('true')
}

/** Who signed in with a password has from now on what a session has; a key stays a key. */
const asOfSession = (caller: Caller, { id }: Issued, request: FastifyRequest): Caller => {
  const client = profileOf(request)?.name ?? null
  const { by } = caller
  return { ...caller, by: by.kind === 'key' ? { ...by, sessionId: id, client } : { kind: 'session', id, client } }
}

const issuing = ({ db, secret, clock }: Context) => {
  const kept = new BoundedMap<Issued & { readonly until: number }>(keptMax)
  const share = shareInFlight<Issued>()
  let revision: number | undefined

  return async (request: FastifyRequest, { userId, by }: Caller, kind: Kind): Promise<Issued> => {
    const isNew = wantsRemembering(request)
    // Any of them may have been ended since.
    const { access } = await db.revisions()
    if (access !== revision) kept.clear()
    revision = access
    const now = clock()
    const visitor = {
      userId,
      kind,
      client: profileOf(request)?.name ?? null,
      apiKeyId: by.kind === 'key' ? by.id : null,
      isNew,
      ip: request.clientAddress,
      network: request.network,
      userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    }
    if (isNew) return doorSession(db, secret, visitor, now)
    const key = JSON.stringify([userId, kind, visitor.apiKeyId, visitor.network, visitor.userAgent])
    const known = kept.get(key)
    if (known && known.until > now.getTime()) return known
    const session = await share(key, () => doorSession(db, secret, visitor, now))
    if (revision === access) kept.set(key, { ...session, until: now.getTime() + keptMs })
    return session
  }
}
