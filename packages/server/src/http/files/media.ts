import type { Endpoint } from '@carrel/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Media, MediaBytes, MediaFile } from '../../platform/media.ts'
import { contentDisposition } from './content-disposition.ts'
import { sendInParts } from './in-parts.ts'
import type { MediaLane } from '../rate-limit/media-lane.ts'
import { giveBackAfter } from '../reply/left.ts'
import { isNotModified } from '../reply/not-modified.ts'
import '../edge/request.ts'
import { routePattern } from '../route-pattern.ts'
import type { Surface } from '../reply/security-headers.ts'
import { checkedInput, type HandlerContext, resourcesOf, type WithQuery } from '../serve.ts'

/** Documents of a book, which keep their type although they are there to be saved. */
const savedTypes = new Set(['application/pdf'])

/** What a browser shows as a picture and nothing else; all others are there to be saved. */
const shownTypes = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/bmp',
  'image/jxl',
  'image/tiff',
  'image/heic',
])
/** Parts of a book, which its reader asks for one by one; its sandbox is in the headers of the surface. */
const partTypes =
  /^(?:application\/xhtml\+xml|text\/(?:css|plain)|image\/svg\+xml|font\/[\w-]+|audio\/[\w-]+|video\/[\w-]+|application\/(?:(?:x-dtbncx|smil)\+xml|guided-navigation\+json))$/

/** Sound and film. */
const playedTypes = /^(?:audio|video)\//

interface MediaOptions {
  /** A bound of its own in place of the limiter's. */
  readonly lane?: MediaLane
  readonly surface?: Surface
}

/** Binds an endpoint that answers with bytes. */
export const serveMedia = <Input, Reply, Answer>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Reply, Answer>,
  answer: (request: WithQuery<Input> & HandlerContext) => Promise<Media<MediaBytes | MediaFile>>,
  { lane, surface }: MediaOptions = {},
): void => {
  const handle: MediaHandler = async (checked, request, reply) => {
    lane?.enter(checked.caller.userId, reply.raw)
    const media = await answer(checked as unknown as WithQuery<Input> & HandlerContext)
    if (describe(media, request, reply)) return reply.code(304).send()
    const content = await media.read().catch((error: unknown) => {
      // What is said instead is not what the tag stands for.
      reply.removeHeader('etag')
      throw error
    })
    if (playedTypes.test(content.mediaType)) return play(asFile(content), `"${media.etag}"`, request, reply)
    if (!('bytes' in content)) throw new Error('Only sound and film are sent in parts')
    if (content.isStandIn) reply.removeHeader('etag').header('cache-control', 'private, no-cache')
    if (content.giveBack) giveBackAfter(reply.raw, content.giveBack)
    return reply.headers(headersOf(content)).send(content.bytes)
  }
  bindMedia(app, endpoint, handle, surface)
}

const asFile = (content: MediaBytes | MediaFile): MediaFile => {
  if (!('bytes' in content)) return content
  const { mediaType, bytes } = content
  return {
    mediaType,
    size: bytes.length,
    open: async function* (from, to) {
      yield bytes.subarray(from, to)
    },
    close: () => content.giveBack?.(),
  }
}

const play = (file: MediaFile, tag: string, request: FastifyRequest, reply: FastifyReply) => {
  giveBackAfter(reply.raw, () => file.close())
  return sendInParts(file, { tag }, request, reply.header('content-disposition', 'inline'))
}

type CheckedRequest = HandlerContext & { readonly params: unknown; readonly query: unknown }

type MediaHandler = (checked: CheckedRequest, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export const bindMedia = (
  app: FastifyInstance,
  endpoint: Endpoint,
  handle: MediaHandler,
  surface: Surface = 'media',
): void => {
  app.served.push(endpoint)
  app.routes.add({
    method: endpoint.method,
    pattern: routePattern(endpoint.path),
    endpoint,
    surface,
    bodyBytesMax: endpoint.shape.bodyBytesMax,
    handle: (request, reply) =>
      handle(Object.assign(resourcesOf(endpoint, request, reply), checkedInput(endpoint, request)), request, reply),
  })
}

/** Answers whether the client has it already. */
const describe = (
  { etag, modifiedAt, isImmutable, variesByAccept }: Omit<Media, 'read'>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean => {
  const tag = `"${etag}"`
  reply.header('etag', tag).header('cache-control', isImmutable ? immutable : 'private, no-cache')
  if (variesByAccept) reply.header('vary', `${String(reply.getHeader('vary'))}, Accept`)
  if (modifiedAt) reply.header('last-modified', modifiedAt.toUTCString())
  return isNotModified(request, { tag, modifiedAt })
}

const immutable = 'private, max-age=31536000, immutable'

const headersOf = ({ mediaType, fileName }: MediaBytes): Record<string, string> => {
  const isShown = shownTypes.has(mediaType) || partTypes.test(mediaType)
  const type = isShown || savedTypes.has(mediaType) ? mediaType : 'application/octet-stream'
  const charset = /^text\/|\+xml$/.test(type) ? '; charset=utf-8' : ''
  return {
    'content-type': type + charset,
    'content-disposition': contentDisposition(isShown ? 'inline' : 'attachment', fileName),
  }
}
