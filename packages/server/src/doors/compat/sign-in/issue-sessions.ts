import { compatLogout, compatLogoutByLink } from '@carrel/api/doors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import {
  type DoorSession,
  doorSession,
  updateSessionClient,
  rememberedSeconds,
} from '../../../features/sessions/sessions.ts'
import type { Caller } from '../../../http/caller.ts'
import { BoundedMap } from '../../../platform/memory/bounded-map.ts'
import { shareInFlight } from '../../../platform/share.ts'
import { profileOf } from '../profiles.ts'
import { rememberCookie, sessionCookie, setCookieAtDoor } from './cookies.ts'

type Issued = DoorSession

type Kind = Parameters<typeof doorSession>[2]['kind']

const keptMax = 10_000
const keptMs = 60 * 60 * 1000

/**
 * A caller who signs in with a password or a key gets a session: many applications send either once, and then rely on
 * the session. An application that keeps nothing gets the same one each time, at no cost.
 */
export const issueSessions = (app: FastifyInstance, context: Context): void => {
  /** It remembers which client uses a session or a key that was taken into use before that client said its name. */
  const clients = new BoundedMap<string>(keptMax)
  const issue = issuing(context, clients)
  const named = naming(context, clients)

  app.addHook('preHandler', (request, reply, done) => {
    const { caller } = request
    const endpoint = request.route?.endpoint
    if (endpoint?.shape.door !== 'compat' || !caller) return done()
    if (endpoint === compatLogout || endpoint === compatLogoutByLink) return done()
    if (!signsIn(caller)) {
      request.caller = named(request, caller)
      return done()
    }
    const give = (session: Issued): void => handOver(request, reply, { caller, session })
    // A request without a session is answered all the same: it is authenticated.
    const goOn = (err: unknown): void => context.log.warn({ err }, 'An application got no session')
    if (wantsRemembering(request)) return giveBoth(request, reply, give).catch(goOn)
    // Nearly always the application has a session already, and nothing has to be awaited.
    const session = issue.usual(request, caller)
    if (session instanceof Promise) return session.then(give).catch(goOn)
    give(session)
    done()
  })

  const handOver = (
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, session }: { readonly caller: Caller; readonly session: Issued },
  ): void => {
    request.caller = asOfSession(caller, session)
    const { headers, cookies } = request
    if (headers['x-auth-token'] !== undefined) void reply.header('x-auth-token', session.token)
    else if (cookies[sessionCookie] !== session.token)
      setCookieAtDoor(reply, context, { name: sessionCookie, value: session.token })
  }

  const giveBoth = async (
    request: FastifyRequest,
    reply: FastifyReply,
    give: (session: Issued) => void,
  ): Promise<void> => {
    const { caller } = request
    if (!caller) return
    const remembered = await issue.anew(request, caller, 'compat_remembered')
    give(await issue.anew(request, caller, 'compat'))
    setCookieAtDoor(reply, context, { name: rememberCookie, value: remembered.token, seconds: rememberedSeconds })
  }
}

/** A session does not open another session. */
const signsIn = ({ by }: Caller): boolean => by.kind === 'password' || (by.kind === 'key' && by.sessionId === undefined)

const wantsRemembering = ({ query }: FastifyRequest): boolean => {
  const value = (query as Record<string, unknown>)['remember-me']
  return [value].flat().includes('true')
}

/** A caller who signed in with a password now has the rights of a session; a key stays a key. */
const asOfSession = (caller: Caller, { id, client }: Issued): Caller => {
  const { by } = caller
  return { ...caller, by: by.kind === 'key' ? { ...by, sessionId: id, client } : { kind: 'session', id, client } }
}

const userAgentOf = ({ headers }: FastifyRequest): string | null => headers['user-agent']?.slice(0, 500) ?? null

/** Some open a session without a name, and say it later. */
const naming =
  ({ db, log }: Context, clients: BoundedMap<string>) =>
  (request: FastifyRequest, caller: Caller): Caller => {
    const { by } = caller
    const id = by.kind === 'session' ? by.id : by.kind === 'key' ? by.sessionId : undefined
    if (id === undefined || by.kind === 'password' || by.client) return caller
    const known = clients.get(id)
    const client = known ?? profileOf(request)?.name
    if (client === undefined) return caller
    if (known === undefined) {
      clients.set(id, client)
      db.write((db) => updateSessionClient(db, id, { client, userAgent: userAgentOf(request) })).catch(
        (err: unknown) => {
          log.warn({ err }, 'A session was not told its application')
        },
      )
    }
    return { ...caller, by: { ...by, client } }
  }

const issuing = ({ db, secret, clock }: Context, clients: BoundedMap<string>) => {
  const issued = new BoundedMap<Issued & { readonly until: number }>(keptMax)
  const share = shareInFlight<Issued>()
  let revision: number | undefined

  /** Any of them may have been ended since. */
  const forgetIfChanged = (access: number): void => {
    if (access !== revision) issued.clear()
    revision = access
  }
  const keyOf = (request: FastifyRequest, { userId, by }: Caller): string =>
    `${userId} ${by.kind === 'key' ? by.id : ''} ${request.network} ${userAgentOf(request) ?? ''}`

  const clientOf = ({ by }: Caller): string | null => (by.kind === 'key' ? (clients.get(by.id) ?? null) : null)

  const start = ({ request, caller, kind, isNew }: SessionRequest): Promise<Issued> => {
    const client = profileOf(request)?.name ?? null
    if (client !== null && caller.by.kind === 'key') clients.set(caller.by.id, client)
    const visitor = {
      userId: caller.userId,
      kind,
      isNew,
      client,
      apiKeyId: caller.by.kind === 'key' ? caller.by.id : null,
      ip: request.clientAddress,
      network: request.network,
      userAgent: userAgentOf(request),
    }
    return doorSession(db, secret, visitor, clock())
  }
  const keptOrStarted = (access: number, request: FastifyRequest, caller: Caller): Issued | Promise<Issued> => {
    forgetIfChanged(access)
    const key = keyOf(request, caller)
    const cached = issued.get(key)
    const now = clock().getTime()
    if (cached && cached.until > now) return { ...cached, client: cached.client ?? clientOf(caller) }
    return share(key, async () => {
      const session = await start({ request, caller, kind: 'compat', isNew: false })
      if (revision === access) issued.set(key, { ...session, until: now + keptMs })
      return session
    })
  }

  return {
    /** The one it has, or its first. */
    usual: (request: FastifyRequest, caller: Caller): Issued | Promise<Issued> => {
      const revisions = db.revisions()
      if (!(revisions instanceof Promise)) return keptOrStarted(revisions.access, request, caller)
      return revisions.then(({ access }) => keptOrStarted(access, request, caller))
    },
    anew: (request: FastifyRequest, caller: Caller, kind: Kind): Promise<Issued> =>
      start({ request, caller, kind, isNew: true }),
  }
}

interface SessionRequest {
  readonly request: FastifyRequest
  readonly caller: Caller
  readonly kind: Kind
  readonly isNew: boolean
}
