import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors.ts'
import { parseRanges, type Range } from './ranges.ts'

interface PartedFile {
  readonly mediaType: string
  /** Undefined: nobody knows before it is sent, and there are no parts of it. */
  readonly size: number | undefined
  /** It is put together on the way: there are no parts of it. */
  readonly isWhole?: boolean
  open(from: number, to: number): AsyncIterable<Buffer>
}

interface Version {
  readonly tag: string
  readonly modifiedAt?: Date | undefined
}

/** A file as a whole or in the parts that are asked for. */
export const sendInParts = (file: PartedFile, version: Version, request: FastifyRequest, reply: FastifyReply) => {
  const { mediaType, size } = file
  reply.type(mediaType)
  const mayBeParts = file.isWhole !== true && size !== undefined
  reply.header('accept-ranges', mayBeParts ? 'bytes' : 'none')
  if (size === undefined) return send(request, reply, () => file.open(0, Infinity))
  const ranges = mayBeParts && isForThis(request, version) ? parseRanges(request.headers.range, size) : 'all'
  if (ranges === 'all') {
    reply.header('content-length', size)
    return send(request, reply, () => file.open(0, size))
  }
  if (ranges === 'none') {
    reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition')
    throw new AppError('range_not_satisfiable', `The file has ${size} bytes: none of these parts is in it.`)
  }
  reply.code(206)
  const [only] = ranges
  if (ranges.length > 1 || !only) return sendParts({ ...file, size }, ranges, request, reply)
  reply.headers({ 'content-range': rangeHeader(only, size), 'content-length': only.to - only.from })
  return send(request, reply, () => file.open(only.from, only.to))
}

/** With `If-Range` the parts are wanted only of the very file the client has the rest of. */
const isForThis = ({ headers }: FastifyRequest, { tag, modifiedAt }: Version): boolean => {
  const condition = headers['if-range']
  if (condition === undefined) return true
  if (typeof condition !== 'string') return false
  if (condition.includes('"')) return condition === tag
  return modifiedAt !== undefined && condition === modifiedAt.toUTCString()
}

const rangeHeader = ({ from, to }: Range, size: number): string => `bytes ${from}-${to - 1}/${size}`

const sendParts = (
  { mediaType, size, open }: PartedFile & { readonly size: number },
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

/** The body of a reply that somebody asked only the head of. */
export const nothingToSend = (): Readable => Readable.from([])
