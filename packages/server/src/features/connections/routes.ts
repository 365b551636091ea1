import * as api from '@carrel/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rangesOf } from '../../config.ts'
import type { Context } from '../../context.ts'
import { credentialOf } from '../../http/guard/authenticate.ts'
import { type DoorFrame, doorOf } from '../../http/doors.ts'
import { ownOrigin } from '../../http/origin/own-origin.ts'
import { serve, serveList } from '../../http/serve.ts'
import { applicationOf } from '../reading/reading.ts'
import { doorAddresses, listConnections, listConnectionsOf } from './connections.ts'
import { trackConnections, type Visit } from './track.ts'

export const connectionRoutes = (app: FastifyInstance, { db, log, clock, config, settings }: Context): void => {
  const tracking = trackConnections(db, log)
  const trusted = rangesOf(config.trustedProxies)
  app.addHook('onClose', () => tracking.flush())
  app.addHook('onResponse', (request, reply, done) => {
    const door = doorOf(request)
    const visit = door && visitFrom(door, request, { status: reply.statusCode, at: clock().toISOString() })
    if (visit) tracking.note(visit)
    done()
  })

  serveList(app, api.listConnections, async ({ caller, paging }) => {
    await tracking.flush()
    return listConnections(db.readSlowly, caller.userId, paging)
  })
  serveList(app, api.listConnectionsOfUser, async ({ params, paging }) => {
    await tracking.flush()
    return listConnectionsOf(db.readSlowly, params.id, paging)
  })
  serve(app, api.readDoorAddresses, async ({ request }) => ({
    addresses: doorAddresses(settings, ownOrigin(request.raw, config.publicUrl, trusted) + config.basePath),
  }))
}

type Answered = Pick<api.ConnectionRequest, 'status' | 'at'>

const pathLengthMax = 200
const messageLengthMax = 300
const secrets = /carrel_[a-z0-9]{8}_[\w-]{43}/g

const visitFrom = (door: DoorFrame, request: FastifyRequest, { status, at }: Answered): Visit | undefined => {
  const tried = triedIn(door, request)
  const { caller } = request
  const who = caller ? { userId: caller.userId } : tried?.name
  if (who === undefined) return undefined
  const [path = ''] = request.originalUrl.split('?')
  return {
    who,
    door: door.name,
    app: appOf(request, door),
    by: caller
      ? { kind: caller.by.kind, id: caller.by.kind === 'password' ? null : caller.by.id }
      : { kind: 'nobody', id: null },
    request: { at, status, method: request.method, path: path.replaceAll(secrets, '…').slice(0, pathLengthMax) },
    trouble: troubleOf(request, status, tried?.trouble),
  }
}

interface Tried {
  /** Undefined: of somebody who did not say who they are. */
  readonly name: { readonly nameTried: string } | undefined
  readonly trouble: string
}

const triedIn = (door: DoorFrame, request: FastifyRequest): Tried | undefined => {
  const credential = door.credentialOf ? door.credentialOf(request) : credentialOf(request)
  if (credential === undefined || credential === 'unreadable') return undefined
  if (credential.scheme === 'basic' || credential.scheme === 'digest') {
    const name = { nameTried: credential.username.trim().slice(0, 254) }
    return { name, trouble: credential.scheme === 'basic' ? 'wrong_password' : 'password_not_key' }
  }
  return { name: undefined, trouble: 'wrong_key' }
}

/**
 * Requests for something missing, or for a change that is not possible, do not mean that the app was set up wrongly.
 */
const everyday: ReadonlySet<number> = new Set([404, 405, 409, 412, 416])

const troubleOf = (
  { refused }: FastifyRequest,
  status: number,
  triedInVain: string | undefined,
): Visit['trouble'] | undefined => {
  if (status < 400 || everyday.has(status) || !refused) return undefined
  const code = status === 401 ? (triedInVain ?? refused.code) : refused.code
  return { code, message: refused.message.slice(0, messageLengthMax) }
}

const appLengthMax = 40

const appOf = ({ headers }: FastifyRequest, door: DoorFrame): string | null => {
  const userAgent = headers['user-agent'] ?? ''
  const application = applicationOf(userAgent)
  if (application !== null) return application
  if (door.name === 'koreader') return 'KOReader'
  const [first = ''] = userAgent.split(/[/(;]/)
  const name = first.trim().slice(0, appLengthMax)
  return name === '' || name === 'Mozilla' ? null : name
}
