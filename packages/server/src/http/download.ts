import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Endpoint } from '@carrel/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Download } from '../platform/media.ts'
import { contentDisposition } from './content-disposition.ts'
import { bindMedia, nothingToSend } from './media.ts'
import { parseRanges, type Range } from './ranges.ts'
import { namesEtag } from './reply-schema.ts'
import type { Surroundings, WithQuery } from './serve.ts'

/** Binds an endpoint that answers with a file, as a whole or in the parts asked for. */
export const serveDownload = <Input, Reply, Answer>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Reply, Answer>,
  answer: (request: WithQuery<Input> & Surroundings) => Promise<Download>,
): void =>
  bindMedia(app, endpoint, async (checked, request, reply) => {
    const download = await answer(checked as unknown as WithQuery<Input> & Surroundings)
    reply.raw.once('close', download.close)
    return sendDownload(download, request, reply)
  })

const sendDownload = (download: Download, request: FastifyRequest, reply: FastifyReply) => {
  const { etag, modifiedAt, mediaType, fileName, size } = download
  const tag = `"${etag}"`
  reply.headers({
    etag: tag,
    'cache-control': 'private, no-cache',
    'content-disposition': contentDisposition('attachment', fileName),
    ...(modifiedAt && { 'last-modified': modifiedAt.toUTCString() }),
  })
  const known = request.headers['if-none-match']
  if (known !== undefined && namesEtag(known, tag)) return reply.code(304).send()
  reply.type(mediaType)
  const mayBeParts = download.isWhole !== true
  reply.header('accept-ranges', mayBeParts ? 'bytes' : 'none')
  const ranges = mayBeParts && isForThis(request, tag, modifiedAt) ? parseRanges(request.headers.range, size) : 'all'
  if (ranges === 'all') {
    reply.header('content-length', size)
    return send(request, reply, () => download.open(0, size))
  }
  if (ranges === 'none') {
    reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition')
    throw new AppError('range_not_satisfiable', `The file has ${size} bytes: none of these parts is in it.`)
  }
  reply.code(206)
  const [only] = ranges
  if (ranges.length > 1 || !only) return sendParts(download, ranges, request, reply)
  reply.headers({ 'content-range': rangeHeader(only, size), 'content-length': only.to - only.from })
  return send(request, reply, () => download.open(only.from, only.to))
}

/** With `If-Range` the parts are wanted only of the very file the client has the rest of. */
const isForThis = ({ headers }: FastifyRequest, tag: string, modifiedAt: Date | undefined): boolean => {
  const condition = headers['if-range']
  if (condition === undefined) return true
  if (typeof condition !== 'string') return false
  if (condition.includes('"')) return condition === tag
  return modifiedAt !== undefined && condition === modifiedAt.toUTCString()
}

const rangeHeader = ({ from, to }: Range, size: number): string => `bytes ${from}-${to - 1}/${size}`

const sendParts = (
  { mediaType, size, open }: Download,
  ranges: readonly Range[],
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const boundary = randomBytes(18).toString('hex')
  const parts = ranges.map((range) => ({
    range,
    head: Buffer.from(
      `\r\n--${boundary}\r\nContent-Type: ${mediaType}\r\nContent-Range: ${rangeHeader(range, size)}\r\n\r\n`,
    ),
  }))
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = parts.reduce((sum, { range, head }) => sum + head.length + range.to - range.from, end.length)
  reply.type(`multipart/byteranges; boundary=${boundary}`).header('content-length', length)
  return send(request, reply, async function* () {
    for (const { range, head } of parts) {
      yield head
      yield* open(range.from, range.to)
    }
    yield end
  })
}

/** What fails on the way ends the connection: a client must not take half of a file for all of it. */
const send = (request: FastifyRequest, reply: FastifyReply, bytes: () => AsyncIterable<Buffer>) =>
  reply.send(
    request.method === 'HEAD' ? nothingToSend() : Readable.from(bytes(), { objectMode: false, highWaterMark: 0 }),
  )
