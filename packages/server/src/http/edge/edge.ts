import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { davMethods } from '@carrel/api'
import cookie from '@fastify/cookie'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onSendHookHandler,
} from 'fastify'
import { type Config, rangesOf } from '../../config.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { type Log, safeHeaders } from '../../platform/log.ts'
import { bodyBytesMax, readBodies } from '../input/body.ts'
import { clientAddress, networkOf, peerIsTrusted } from '../origin/client-address.ts'
import { closeWithoutIdlers } from './closing.ts'
import { allowOrigins } from './cors.ts'
import { doorOf, type DoorFrame, throughDoors } from '../doors.ts'
import { couldNotBeRead, fromFramework, internalError, sendError, shortageOf } from '../reply/error-reply.ts'
import { bucketHeaders, type Limiter } from '../rate-limit/rate-limit.ts'
import { rawRefusal, type Refuse } from './raw-refusal.ts'
import { ContractError } from '../reply/reply-schema.ts'
import { limitEachNetwork } from './network-connections.ts'
import { cutQuietConnections } from './quiet-connections.ts'
import { type Address, allowOf, lacksMethod, openRoutes, parametersOf } from './routes.ts'
import { securityHeaders } from '../reply/security-headers.ts'
import { outlastUnreadBodies } from './unread-body.ts'
import { sendPage, wantsPage, type WebApp } from '../web-app/web-app.ts'

/** Every wait has an end and every input a limit. */
const limits = {
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 120_000,
  keepAliveMs: 65_000,
  headerBytesMax: 16 * 1024,
  headersMax: 100,
  addressLengthMax: 8 * 1024,
  parameterLengthMax: 4 * 1024,
  /** Ten thousand of them may be streams of events. */
  connectionsMax: 12_000,
  /** Many people may share an address, and one of them must not keep out all others. */
  connectionsOfNetworkMax: 6000,
  checkEveryMs: 2000,
}

export interface EdgeContext {
  readonly config: Config
  readonly log: Log
  readonly limiter: Limiter
  readonly doors: readonly DoorFrame[]
  /** Tells faults of the database that a caller can act on from those that are bugs. */
  readonly explain: (error: unknown) => unknown
  /** Answers what no route takes, where a browser asks for a page. */
  readonly webApp?: WebApp | undefined
}

/** The server as it is before any route: connections, limits, ids, headers, errors. */
export const openEdge = async ({
  config,
  log,
  limiter,
  doors,
  explain,
  webApp,
}: EdgeContext): Promise<FastifyInstance> => {
  const trusted = rangesOf(config.trustedProxies)
  const app = Fastify({
    // We log ourselves, what we choose to.
    logger: false,
    bodyLimit: bodyBytesMax,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // One route takes every address; what leads where is in our own table.
    routerOptions: { maxParamLength: limits.headerBytesMax },
    genReqId: (request) => requestId(request, peerIsTrusted(request.socket, trusted)),
    rewriteUrl: (request) => throughDoors(doors, withoutBasePath(request.url ?? '/', config.basePath)),
    serverFactory: (handle) => {
      const server = createHttpServer(handle, rawRefusal(config, limiter))
      const isProxy = (socket: Socket): boolean => peerIsTrusted(socket, trusted)
      limitEachNetwork(server, { connectionsMax: limits.connectionsOfNetworkMax, isProxy })
      return server
    },
    frameworkErrors: (error, request, reply) => {
      void reply.headers(securityHeaders('json')).header('x-request-id', request.id)
      if (config.rateLimitEnabled) {
        const network = networkOf(clientAddress(request.raw, trusted))
        void reply.headers(bucketHeaders(limiter.peek({ kind: 'anonymous', network })))
      }
      void sendError(fromFramework(error) ?? internalError(error), request, reply)
    },
  })
  for (const method of davMethods) app.addHttpMethod(method, { hasBody: true })
  app.decorate('serveOptions', { checkReplies: config.checkReplies, basePath: config.basePath })
  app.decorate('served', [])
  app.decorate('routes', openRoutes(limits.parameterLengthMax))
  app.decorate('doors', doors)
  app.decorateRequest('address')
  app.decorateRequest('route')
  app.decorateRequest('caller')
  app.decorateRequest('scheme')
  app.decorateRequest('clientAddress', '')
  app.decorateRequest('network', '')
  app.decorateRequest('bucket')
  app.decorateRequest('drewAnonymously', false)
  app.decorateRequest('refused')
  await app.register(cookie)
  readBodies(app)

  receiveRequests(app, config, webApp)
  outlastUnreadBodies(app)
  closeWithoutIdlers(app)
  answerErrors(app, log, explain)
  answerAll(app, webApp)
  logRequests(app, log)
  return app
}

/** Says of each request where it leads and where it comes from, and lets through what may be answered. */
const receiveRequests = (app: FastifyInstance, config: Config, webApp: WebApp | undefined): void => {
  const trusted = rangesOf(config.trustedProxies)
  const cors = allowOrigins(config.corsOrigins)
  const varies = config.corsOrigins.length > 0 ? `${vary}, Origin` : vary
  app.addHook('onRequest', (request, reply, done) => {
    const address = app.routes.find(request.url)
    if (address !== undefined && address !== 'too long') leadTo(address, request)
    request.clientAddress = clientAddress(request.raw, trusted)
    request.network = networkOf(request.clientAddress)
    reply.headers(securityHeaders(request.route?.surface ?? 'json')).header('x-request-id', request.id)
    if (address === 'too long') return done(couldNotBeRead())
    reply.header('vary', varies)
    cors(request, reply)
    done(problemWith(request, reply, webApp !== undefined && wantsPage(request)))
  })
}

const leadTo = (address: Address, request: FastifyRequest): void => {
  const route = address.routes.get(request.method)
  request.address = address
  request.route = route
  request.params = route ? parametersOf(route, address) : {}
}

const answerErrors = (app: FastifyInstance, log: Log, explain: EdgeContext['explain']): void => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const explained = explain(error)
    const appError = explained instanceof AppError ? explained : (fromFramework(error) ?? shortageOf(error))
    if (appError) {
      if (appError.status >= 500)
        log.warn({ code: appError.code, cause: causeOf(appError), requestId: request.id }, appError.message)
      return sendError(appError, request, reply)
    }
    log.error(
      { err: error, requestId: request.id },
      error instanceof ContractError ? 'Contract broken' : 'Unexpected fault',
    )
    return sendError(internalError(error), request, reply)
  })
}

/** What the driver said, without the way it came: that is the same each time. */
const causeOf = ({ cause }: Error): string | undefined => (cause instanceof Error ? cause.message : undefined)

/** What no route takes is a question for the methods of an address, or a page of the web app. */
const answerAll = (app: FastifyInstance, webApp: WebApp | undefined): void => {
  app.route({
    method: [...app.supportedMethods],
    url: '*',
    exposeHeadRoute: false,
    onSend: sendHeadAlone,
    handler: (request, reply) => {
      const { address, route } = request
      if (route) return route.handle(request, reply)
      if (address) return tellMethods(address, reply)
      return webApp ? sendPage(webApp, request, reply) : sendError(nothingHere(), request, reply)
    },
  })
}

const sendHeadAlone: onSendHookHandler = (request, reply, payload, done) => {
  if (request.method !== 'HEAD') return done(null, payload)
  if (payload instanceof Readable) payload.destroy()
  else if (typeof payload === 'string' || Buffer.isBuffer(payload))
    reply.header('content-length', Buffer.byteLength(payload))
  done(null, null)
}

const tellMethods = (address: Address, reply: FastifyReply) => {
  // A folder of WebDAV says that it is one before its clients look into it.
  if (address.routes.has('PROPFIND')) reply.header('dav', '1')
  return reply.code(204).header('allow', allowOf(address)).send()
}

const servedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const knownMethods: readonly string[] = [...servedMethods, ...davMethods, 'TRACE']
const originalMethod = 'x-carrel-original-method'

const createHttpServer = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  refuse: Refuse,
): Server => {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headerBytesMax,
      // We answer for it ourselves, in JSON.
      requireHostHeader: false,
    },
    (request, response) => {
      delete request.headers[originalMethod]
      // The router knows only the usual methods. TRACE, which we never serve, stands for all the others.
      if (!knownMethods.includes(request.method ?? '') && request.method !== 'OPTIONS') {
        request.headers[originalMethod] = request.method
        request.method = 'TRACE'
      }
      handle(request, response)
    },
  )
  // Node would leave out what is beyond its limit, `X-Forwarded-For` perhaps; we refuse such a request as a whole.
  server.maxHeadersCount = 0
  server.maxConnections = limits.connectionsMax
  cutQuietConnections(server, limits.idleMs)
  server.on('clientError', (error, socket: Socket) => refuseUnparsed(error, socket, refuse))
  server.on('connect', (_, socket: Socket) => {
    const error = new AppError('method_not_allowed', 'CONNECT is not possible here: this server is no proxy.')
    refuse(socket, error, { allow: [...servedMethods, 'OPTIONS'].join(', ') })
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    request.headers.expect = 'unknown'
    handle(request, response)
  })
  return server
}

const vary = 'Authorization, Cookie, X-API-Key'

const nothingHere = () => new AppError('not_found', 'There is nothing at this address.')

/** Asked before the body is looked at. */
const problemWith = (request: FastifyRequest, reply: FastifyReply, isPage: boolean): AppError | undefined => {
  const { address, route } = request
  const problem = unreadable(request.raw)
  if (problem) return problem
  // The router takes `/users/` for a user with an empty id.
  if (address ? address.values.includes('') : !isPage) return nothingHere()
  if (lacksMethod(request)) return methodNotAllowed(request, reply)
  // The router reads an address with its percent signs resolved: such a one did not come through the door.
  const isClosed = route?.endpoint?.shape.door !== undefined && !doorOf(request)
  return isClosed ? nothingHere() : undefined
}

const methodNotAllowed = ({ address, headers, method }: FastifyRequest, reply: FastifyReply): AppError => {
  const allow = address ? allowOf(address) : ''
  reply.header('allow', allow)
  const requestedMethod = headers[originalMethod]?.toString() ?? method
  return new AppError('method_not_allowed', `${requestedMethod} is not possible here, only ${allow}.`)
}

const unreadable = ({ headers, rawHeaders, url = '', httpVersion, method }: IncomingMessage): AppError | undefined => {
  if (httpVersion !== '1.0' && httpVersion !== '1.1') {
    return new AppError('malformed_request', 'This server speaks HTTP/1.1.')
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    return new AppError('malformed_request', 'The request has no Host header.')
  }
  if (rawHeaders.length > 2 * limits.headersMax) {
    return new AppError('malformed_request', `The request has more than ${limits.headersMax} headers.`)
  }
  if (hosts(rawHeaders) > 1) return new AppError('malformed_request', 'The request has more than one Host header.')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return new AppError('malformed_request', 'The Expect header asks for something this server does not do.')
  }
  if (url.length > limits.addressLengthMax) return new AppError('malformed_request', 'The address is too long.')
  // The router takes it for the front page.
  if (url === '*' && method !== 'OPTIONS') return new AppError('malformed_request', 'The address is not valid.')
  return undefined
}

const hosts = (rawHeaders: readonly string[]): number => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/** What is not even HTTP is answered all the same. */
const refuseUnparsed = (error: Error & { code?: string }, socket: Socket, refuse: Refuse): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? `The headers are larger than ${limits.headerBytesMax / 1024} KiB.`
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request took too long to arrive.'
        : 'This is not a valid HTTP request.'
  refuse(socket, new AppError('malformed_request', message))
}

const idPattern = /^[\w-]{8,64}$/

/** A proxy of ours may have given the request its id already. */
const requestId = ({ headers }: IncomingMessage, fromOwnProxy: boolean): string => {
  const given = headers['x-request-id']
  return fromOwnProxy && typeof given === 'string' && idPattern.test(given) ? given : newId()
}

/** Under a sub-path, with a proxy that takes it away and with one that does not. */
const withoutBasePath = (url: string, basePath: string): string => {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest === '' ? '/' : rest.startsWith('/') ? rest : rest.startsWith('?') ? `/${rest}` : url
}

const logRequests = (app: FastifyInstance, log: Log): void => {
  app.addHook('onResponse', (request, reply, done) => {
    if (log.isLevelEnabled('debug')) logRequest(log, request, reply)
    done()
  })
}

const logRequest = (log: Log, request: FastifyRequest, reply: FastifyReply): void => {
  const fields = {
    requestId: request.id,
    method: request.method,
    path: request.url.split('?')[0],
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(request.caller && { userId: request.caller.userId }),
  }
  if (log.isLevelEnabled('trace')) log.trace({ ...fields, headers: safeHeaders(request.headers) }, 'Answered')
  else log.debug(fields, 'Answered')
}
