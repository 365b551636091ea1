import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Wording } from '../../events/render.ts'
import { stopping } from '../../platform/errors.ts'
import type { Caller } from '../caller.ts'
import { bucketHeaders } from '../rate-limit/rate-limit.ts'

interface EventStream {
  write(chunk: Buffer): void
  /** Settles when the client has taken what was written, or is gone. */
  drained(): Promise<void>
  end(): void
}

interface StreamOptions {
  /** The id of the last event is sent along with a sign of life, so that a client that sees little knows where to go on. */
  readonly lastEventId: () => string
  /** The client did not keep up; `onClose` follows. */
  readonly onCut: () => void
  readonly onClose: () => void
  /** In place of ours, for clients of another protocol: what the stream begins with and is kept alive by. */
  readonly signOfLife?: string
}

export interface EventStreams {
  open(request: FastifyRequest, reply: FastifyReply, options: StreamOptions): EventStream
  readonly size: number
  /** Ends all there are, and refuses more. */
  close(): void
}

/** Who wants to hear, of what, and since when. */
export interface Following {
  readonly caller: Caller
  readonly query: { readonly since?: string; readonly types?: string }
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What happens, for whoever asks, in whatever words. */
export interface EventSource {
  /** How many follow. */
  readonly open: () => number
  readonly follow: (following: Following, wording: Wording, signOfLife?: string) => Promise<string>
}

/** How far behind a client may be before it is cut. It costs nobody else anything: what waits for it is shared. */
const behindBytesMax = 256 * 1024
const behindMsMax = 30_000
const signOfLifeMs = 15_000
const checkEveryMs = 1000
const retryMs = 3000

interface Open {
  readonly response: ServerResponse
  readonly options: StreamOptions
  queued: number
  lastWriteAt: number
  /** What was queued up to some moment, until all of it is sent. */
  mark: { readonly at: number; readonly upTo: number } | undefined
}

/** Streams of server-sent events, and the one clock that keeps them alive and finds those that do not keep up. */
export const eventStreams = (): EventStreams => {
  const streams = new Set<Open>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const stream of streams) check(stream, now)
  }, checkEveryMs)
  timer.unref()
  let isClosed = false

  return {
    get size() {
      return streams.size
    },
    open: (request, reply, options) => {
      if (isClosed) throw stopping()
      reply.hijack()
      const response = reply.raw
      const stream: Open = { response, options, queued: 0, lastWriteAt: performance.now(), mark: undefined }
      response.writeHead(200, headersOf(request, reply))
      response.once('close', () => {
        streams.delete(stream)
        options.onClose()
      })
      // A lost connection is told by its end.
      response.on('error', () => undefined)
      streams.add(stream)
      write(stream, Buffer.from(options.signOfLife ?? `retry: ${retryMs}\n\n`))
      return {
        write: (chunk) => write(stream, chunk),
        drained: () => drained(response),
        end: () => end(response),
      }
    },
    close: () => {
      isClosed = true
      clearInterval(timer)
      for (const { response } of streams) end(response)
    },
  }
}

const write = (stream: Open, chunk: Buffer): void => {
  const { response } = stream
  if (response.writableEnded || response.destroyed) return
  response.write(chunk)
  stream.queued += chunk.length
  stream.lastWriteAt = performance.now()
  if (response.writableLength > behindBytesMax) cut(stream)
}

const cut = ({ response, options }: Open): void => {
  options.onCut()
  response.destroy()
}

const end = (response: ServerResponse): void => {
  if (!response.writableEnded) response.end(': the stream ends here, come back\n\n')
}

/** Behind by time is who has not taken what was queued half a minute ago. */
const check = (stream: Open, now: number): void => {
  const { response, queued, mark } = stream
  const sent = queued - response.writableLength
  if (response.writableLength === 0) stream.mark = undefined
  else if (!mark || sent >= mark.upTo) stream.mark = { at: now, upTo: queued }
  else if (now - mark.at > behindMsMax) {
    cut(stream)
    return
  }
  if (now - stream.lastWriteAt >= signOfLifeMs)
    write(stream, Buffer.from(stream.options.signOfLife ?? `: still here\nid: ${stream.options.lastEventId()}\n\n`))
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (!response.writableNeedDrain || response.destroyed) {
      resolve()
      return
    }
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })

const headersOf = (request: FastifyRequest, reply: FastifyReply): OutgoingHttpHeaders => ({
  ...(reply.getHeaders() as OutgoingHttpHeaders),
  ...(request.bucket && bucketHeaders(request.bucket)),
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // The connection serves for nothing else, and ends with the stream: kept alive it would hold up the end of the server.
  connection: 'close',
  // For nginx, which would keep events back to send several at once.
  'x-accel-buffering': 'no',
})
