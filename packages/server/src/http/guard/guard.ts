import { type Endpoint, isProtected } from '@carrel/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Config, rangesOf } from '../../config.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { authenticate, type Finding, isByCookie } from './authenticate.ts'
import type { Identify } from '../caller.ts'
import { permissionMissing, tooManyRequests } from '../reply/error-reply.ts'
import { isForeign, isSameOrigin, ownOrigin } from '../origin/own-origin.ts'
import { bucketHeaders, type BucketState, type Limiter, type Taken, type Who } from '../rate-limit/rate-limit.ts'

export interface GuardContext {
  readonly config: Config
  readonly identify: Identify
  readonly limiter: Limiter
  readonly log: Log
  /** Lets settings that changed elsewhere take effect. */
  readonly freshen: () => void | Promise<void>
}

/**
 * What every request passes before it is answered, in this order: who it is, whether they may ask so often (429),
 * whether they must sign in first (401), whether they may ask this (403). Addresses that do not exist never get here.
 */
export const guardRoutes = (app: FastifyInstance, { config, identify, limiter, log, freshen }: GuardContext): void => {
  const trusted = rangesOf(config.trustedProxies)
  const anonymous = (request: FastifyRequest): Who => ({ kind: 'anonymous', network: request.network })
  const whoIs = (request: FastifyRequest): Who =>
    request.caller ? { kind: 'user', id: request.caller.userId } : anonymous(request)

  const draw = (request: FastifyRequest, finding: Finding, unlimited: boolean) => {
    if (!unlimited) return limiter.take(whoIs(request))
    return finding === 'bad' ? limiter.take(anonymous(request)) : limiter.peek(whoIs(request))
  }
  const limit = (request: FastifyRequest, bucket: BucketState | Taken, unlimited: boolean): void => {
    request.drewAnonymously = !request.caller
    request.bucket = bucket
    if (!unlimited && 'allowed' in bucket && !bucket.allowed) throw tooManyRequests(bucket.resetSeconds)
  }

  const freshenSettings = (): void => {
    const freshening = freshen()
    freshening?.catch((err: unknown) => log.warn({ err }, 'Settings could not be read again'))
  }
  /** At the compatibility door applications ask with cookies too that are no browsers, and say nothing of where they are. */
  const isOurPage = (request: FastifyRequest): boolean => {
    const own = ownOrigin(request.raw, config.publicUrl, trusted)
    const endpoint = request.route?.endpoint
    return endpoint?.shape.door === 'compat' ? !isForeign(request.raw, own) : isSameOrigin(request.raw, own)
  }

  // Nearly always nothing has to be waited for, and then nothing is.
  const admit = (endpoint: Endpoint, request: FastifyRequest, finding: Finding): void | Promise<void> => {
    if (!config.rateLimitEnabled) return permit(endpoint, request, finding, isOurPage)
    const unlimited = endpoint.shape.unlimited === true
    const enter = (drawn: BucketState | Taken): void => {
      limit(request, drawn, unlimited)
      permit(endpoint, request, finding, isOurPage)
    }
    const drawn = draw(request, finding, unlimited)
    return drawn instanceof Promise ? drawn.then(enter) : enter(drawn)
  }

  app.addHook('onRequest', (request, _, done) => {
    const endpoint = request.route?.endpoint
    // A door may have been opened elsewhere.
    if (endpoint || !request.address) freshenSettings()
    if (!endpoint) return done()
    const finding = authenticate(request, identify)
    const admitted =
      finding instanceof Promise
        ? finding.then((finding) => admit(endpoint, request, finding))
        : admit(endpoint, request, finding)
    if (admitted instanceof Promise) return admitted
    done()
  })

  app.addHook('onSend', (request: FastifyRequest, reply: FastifyReply, payload, done) => {
    if (!config.rateLimitEnabled) return done(null, payload)
    const show = () => {
      reply.headers(bucketHeaders(request.bucket ?? limiter.peek(anonymous(request))))
      return payload
    }
    // A sign-in that failed behind a good session still counts against the place it came from.
    const drawn = reply.statusCode === 401 && !request.drewAnonymously ? limiter.take(anonymous(request)) : undefined
    if (drawn instanceof Promise) return drawn.then(show)
    done(null, show())
  })
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

const permit = (
  { method, shape }: Endpoint,
  request: FastifyRequest,
  finding: Finding,
  isOurPage: (request: FastifyRequest) => boolean,
): void => {
  const { access, needs = [] } = shape
  const isOpenToo = finding === 'nobody' && shape.openPaths?.test(pathOf(request)) === true
  if (isProtected(shape) && finding !== 'known' && !isOpenToo) {
    throw new AppError(
      'not_authenticated',
      finding === 'bad'
        ? 'These credentials are not valid, or not any more. Sign in again.'
        : 'Sign in first: send a token, an API key or the session cookie.',
    )
  }
  const { caller } = request
  if (!caller || access === 'open') return
  if (method !== 'GET' && isByCookie(request) && !isOurPage(request)) {
    throw new AppError('not_allowed', 'With a session cookie, changes are accepted only from pages of this server.')
  }
  if (shape.keys === 'refused' && caller.by.kind === 'key') {
    throw new AppError('not_allowed', 'An API key cannot do this: sign in with user name and password.', {
      reason: 'key_refused',
    })
  }
  const required = access === 'optional' || access === 'signed-in' ? needs : [access, ...needs]
  const missing = required.find((permission) => !caller.permissions.has(permission))
  if (missing !== undefined) throw permissionMissing(missing, caller)
}
