import { Readable } from 'node:stream'
import { type Endpoint, type Envelope, type ListAnswer, nameOf, statusOf } from '@carrel/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { type Paging, pagingOf } from '../platform/paging.ts'
import type { Caller } from './caller.ts'
import { decodeBody } from './input/decode-body.ts'
import { decodeParameters } from './input/decode-parameters.ts'
import { type Body, type Compressed, compressFor, compressStream } from './reply/compress.ts'
import { envelope, linkHeader } from './reply/links.ts'
import { etagOf, expectsRecord, joinEtags, namesEtag, requireContract, serialise } from './reply/reply-schema.ts'
import { requireValid } from './input/validate.ts'
import { withoutNulls } from './input/without-nulls.ts'
import './edge/request.ts'
import type { RouteTable } from './edge/routes.ts'
import { routePattern } from './route-pattern.ts'

/** What a function that answers gets besides the checked input. */
export interface HandlerContext {
  /** Who asks. On an open endpoint there may be nobody, and asking for the caller is a fault: use `guest`. */
  readonly caller: Caller
  readonly guest: Caller | undefined
  readonly visitor: { readonly ip: string; readonly network: string; readonly userAgent: string | null }
  /** Compares the record with `If-Match` and refuses when it has changed since. Call it inside the transaction. */
  readonly expectMatch: (current: unknown) => void
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface ServeOptions {
  readonly checkReplies: boolean
  readonly basePath: string
}

declare module 'fastify' {
  interface FastifyInstance {
    serveOptions: ServeOptions
    served: Endpoint[]
    routes: RouteTable
  }
}

/** Binds one endpoint of the contract to the function that answers it. */
export const serve = <Input, Reply, Answer>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Reply, Answer>,
  answer: (request: WithQuery<Input> & HandlerContext) => Promise<NoInfer<Answer>>,
): void =>
  // The contract's schemas, from which Input was derived, have just been checked.
  bind(app, endpoint, async (checked) => ({
    content: await answer(checked as unknown as WithQuery<Input> & HandlerContext),
  }))

/** The same for what may be answered again: the very same answer is put into words once. */
export const serveCached = <Input, Reply, Answer extends object>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Reply, Answer>,
  answer: (request: WithQuery<Input> & HandlerContext) => Promise<NoInfer<Answer>>,
): void =>
  bind(app, endpoint, async (checked) => {
    const content = await answer(checked as unknown as WithQuery<Input> & HandlerContext)
    return { content, written: writtenOf(content) }
  })

/** The same for a text. */
export const serveCachedText = <Input, Answer>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, string, Answer>,
  answer: (request: WithQuery<Input> & HandlerContext) => Promise<{ readonly text: string }>,
): void =>
  bind(app, endpoint, async (checked) => {
    const answered = await answer(checked as unknown as WithQuery<Input> & HandlerContext)
    return { content: answered.text, written: writtenOf(answered) }
  })

/** The same for what may be too much to hold: then the answer is a stream of its JSON, written while it is read. */
export const serveParts = <Input, Reply, Answer extends object>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Reply, Answer>,
  answer: (request: WithQuery<Input> & HandlerContext) => Promise<NoInfer<Answer> | Readable>,
): void =>
  bind(app, endpoint, async (checked) => {
    const content = await answer(checked as unknown as WithQuery<Input> & HandlerContext)
    return content instanceof Readable ? { content } : { content, written: writtenOf(content) }
  })

/** The same for a list: the function answers one page and the total, the envelope is put around it. */
export const serveList = <Input, Item>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Envelope<Item>, ListAnswer<Item>>,
  answer: (
    request: WithQuery<Input> & HandlerContext & { readonly paging: Paging },
  ) => Promise<NoInfer<ListAnswer<Item>>>,
): void =>
  bind(app, endpoint, async (checked) => {
    const { page, pageSize } = checked.query as { page: number; pageSize: number }
    const paging = pagingOf(page, pageSize)
    const listed = await answer(
      Object.assign(checked, { paging }) as unknown as WithQuery<Input> & HandlerContext & { paging: Paging },
    )
    const { content, link, written } = sheetOf(listed, checked.request.url, () =>
      envelope(checked.request.url, app.serveOptions.basePath, paging, listed),
    )
    checked.reply.header('link', link)
    return { content, written }
  })

const writtenAnswers = new WeakMap<object, Written>()

const writtenOf = (answer: object): Written => {
  const written = writtenAnswers.get(answer) ?? {}
  writtenAnswers.set(answer, written)
  return written
}

interface Sheet {
  readonly url: string
  readonly content: Envelope<unknown>
  readonly link: string
  readonly written: Written
}

const sheets = new WeakMap<ListAnswer<unknown>, Sheet>()

/** The very same answer to the same address again is put into words once. */
const sheetOf = (listed: ListAnswer<unknown>, url: string, make: () => Envelope<unknown>): Sheet => {
  const cached = sheets.get(listed)
  if (cached?.url === url) return cached
  const content = make()
  const sheet = { url, content, link: linkHeader(content.links), written: {} }
  sheets.set(listed, sheet)
  return sheet
}

/** A client may leave the query out; once checked it is there. */
export type WithQuery<Input> = Input extends { readonly query?: infer Query }
  ? Omit<Input, 'query'> & { readonly query: NonNullable<Query> }
  : Input

export interface CheckedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

interface Produced {
  readonly content: unknown
  /** Kept with content that may be sent again. */
  readonly written?: Written
}

/** What goes over the wire, as soon as it has been written once. */
interface Written {
  body?: { readonly bytes: Buffer; readonly etag: string; readonly compressed: Compressed }
}

const bind = (
  app: FastifyInstance,
  endpoint: Endpoint,
  produce: (checked: CheckedInput & HandlerContext) => Promise<Produced>,
): void => {
  const { shape, method, path } = endpoint
  app.served.push(endpoint)
  app.routes.add({
    method,
    pattern: routePattern(path),
    endpoint,
    bodyBytesMax: shape.bodyBytesMax,
    handle: async (request, reply) => {
      const input = checkedInput(endpoint, request)
      const produced = await produce(Object.assign(resourcesOf(endpoint, request, reply), input))
      return send({ endpoint, request, reply }, produced, app.serveOptions)
    },
  })
}

export const checkedInput = ({ shape }: Endpoint, request: FastifyRequest): CheckedInput => {
  const named = request.params as Record<string, unknown>
  const params = shape.params && decodeParameters(shape.params, '*' in named ? { ...named, path: named['*'] } : named)
  if (shape.params) requireValid(shape.params, params, 'params')
  const query = shape.query && decodeParameters(shape.query, request.query as Record<string, unknown>)
  if (shape.query) requireValid(shape.query, query, 'query')
  const sent = request.body === undefined ? withoutBody(shape) : request.body
  const body = shape.body ? decodeSent(shape, shape.body, sent) : sent
  if (shape.body) requireValid(shape.body, body, 'body')
  return { params, query, body }
}

/** Applications at a door write numbers as text where their forms hold text; our own API wants them as they are (W2). */
const decodeSent = (
  { door, nullIsAbsent }: Endpoint['shape'],
  schema: NonNullable<Endpoint['shape']['body']>,
  sent: unknown,
): unknown => {
  const decoded = door ? decodeBody(schema, sent) : sent
  return nullIsAbsent ? withoutNulls(schema, decoded) : decoded
}

const withoutBody = ({ upload, bodyOptional }: Endpoint['shape']): unknown =>
  upload ? Buffer.alloc(0) : bodyOptional ? {} : undefined

export const resourcesOf = (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): HandlerContext => ({
  get caller() {
    if (!request.caller) throw new Error(`${nameOf(endpoint)} answers anybody: there may be no caller`)
    return request.caller
  },
  guest: request.caller,
  visitor: {
    ip: request.clientAddress,
    network: request.network,
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  },
  expectMatch: (current) => {
    const expected = request.headers['if-match']
    const { guards } = endpoint.shape
    if (expected === undefined || !guards) return
    if (!expectsRecord(expected, etagOf(serialise(guards, current)))) {
      throw new AppError(
        'precondition_failed',
        'This has changed since you read it. Read it again and repeat the change.',
      )
    }
  },
  request,
  reply,
})

interface Exchange {
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const send = ({ endpoint, request, reply }: Exchange, { content, written }: Produced, options: ServeOptions) => {
  const { shape } = endpoint
  // A stream goes on by itself.
  if (reply.sent) return reply
  // A function that has set another status had its reason.
  if (reply.statusCode === 200) reply.code(statusOf(endpoint))
  if (shape.deprecated) announceEnd(shape.deprecated, reply)
  if (shape.mediaType !== undefined && !shape.reply && !shape.isTagged)
    return reply.type(shape.mediaType).header('cache-control', 'no-store').send(content)
  if (!shape.reply && !shape.isTagged) return reply.send()
  if (shape.mayBeEmpty && content === undefined) return reply.code(204).send()
  if (content instanceof Readable) return sendParts(content, request, reply)
  if (written?.body) return sendTagged({ endpoint, request, reply }, written.body)
  const text = shape.reply ? serialise(shape.reply, content) : String(content)
  if (shape.reply && options.checkReplies) requireContract(shape.reply, content, text, nameOf(endpoint))
  if (shape.secret) return reply.type(json).header('cache-control', 'no-store').send(text)
  const bytes = Buffer.from(text)
  const etag = shape.editable ? joinEtags(etagOf(bytes), etagOf(serialise(shape.editable, content))) : etagOf(bytes)
  if (!written) return sendTagged({ endpoint, request, reply }, { bytes, etag })
  written.body = { bytes, etag, compressed: new Map() }
  return sendTagged({ endpoint, request, reply }, written.body)
}

const json = 'application/json; charset=utf-8'

/** What fails on the way ends the connection: a client must not take half of it for all. */
const sendParts = (content: Readable, request: FastifyRequest, reply: FastifyReply) => {
  reply.type(json).header('cache-control', 'private, no-cache')
  const sent = compressStream(content, request, reply)
  if (request.method !== 'HEAD') return reply.send(sent)
  content.destroy()
  return reply.send(Readable.from([]))
}

const sendTagged = ({ endpoint, request, reply }: Exchange, body: Body) => {
  const { bytes, etag, coding } = compressFor(body, request, reply)
  // One that has set another type has its reason.
  if (!reply.hasHeader('content-type')) reply.type(endpoint.shape.mediaType ?? json)
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  const ifNoneMatch =
    endpoint.method === 'GET' && reply.statusCode === 200 ? request.headers['if-none-match'] : undefined
  if (ifNoneMatch !== undefined && namesEtag(ifNoneMatch, etag)) return reply.code(304).send()
  if (coding !== undefined) reply.header('content-encoding', coding)
  return reply.send(bytes)
}

const announceEnd = ({ since, sunset }: { since: string; sunset: string }, reply: FastifyReply): void => {
  reply.header('deprecation', `@${Math.floor(Date.parse(since) / 1000)}`)
  reply.header('sunset', new Date(sunset).toUTCString())
}
