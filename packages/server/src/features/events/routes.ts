import * as api from '@carrel/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { openFeed, type Since } from '../../events/feed.ts'
import { relayFacts } from '../../events/relay.ts'
import type { Caller } from '../../http/caller.ts'
import { eventStreams } from '../../http/event-stream.ts'
import { serve } from '../../http/serve.ts'
import { AppError } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/limits.ts'
import { requireRoom, typesFrom } from './events.ts'
import { reviewCallers } from './viewers.ts'

const cutRememberedMax = 10_000
/** A client that was cut is back soon. Another of the same user that comes later gets what it missed. */
const cutRememberedMs = 5 * 60 * 1000

interface Asked {
  readonly caller: Caller
  readonly query: { readonly since?: string; readonly types?: string }
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Answers how to learn how many clients follow. */
export const eventRoutes = async (app: FastifyInstance, { db, clock, log }: Context): Promise<() => number> => {
  const review = (callers: readonly Caller[]) => reviewCallers(db, callers, clock())
  const feed = await openFeed<Caller>({ db, log, clock, review })
  const relay = relayFacts(db, log)
  const streams = eventStreams()
  const streamsOf = new Map<string, number>()
  /** Where and when clients were cut that did not keep up, by user: they are told on their return. */
  const cuts = new BoundedMap<{ readonly number: number; readonly at: number }>(cutRememberedMax)

  // Before the server waits for its connections to end: these never would.
  app.addHook('preClose', async () => {
    streams.close()
    await Promise.all([relay?.stop(), feed.close()])
  })

  const sinceOf = ({ caller, query, request }: Asked): Since => {
    const given = request.headers['last-event-id'] ?? query.since
    if (given === undefined || given === '') return 'now'
    // Not a number of ours: as old as it gets.
    const since = /^\d{1,15}$/.test(String(given)) ? Number(given) : -1
    const cut = cuts.get(caller.userId)
    const isReturn = cut !== undefined && performance.now() - cut.at < cutRememberedMs
    return isReturn && since < cut.number ? 'slow' : since
  }

  /** Answers how to count one less. */
  const count = (userId: string): (() => void) => {
    streamsOf.set(userId, (streamsOf.get(userId) ?? 0) + 1)
    return () => {
      const left = (streamsOf.get(userId) ?? 1) - 1
      if (left > 0) streamsOf.set(userId, left)
      else streamsOf.delete(userId)
    }
  }

  const open = async (asked: Asked, named: boolean): Promise<string> => {
    const { caller, query, request, reply } = asked
    const { userId } = caller
    const types = typesFrom(query.types)
    if (request.method === 'HEAD') return ''
    requireRoom(streamsOf.get(userId) ?? 0)
    const countLess = count(userId)
    try {
      const profile = (await review([caller])).get(caller)
      if (!profile) throw notAuthenticated()
      const start = await feed.startAt(sinceOf(asked))
      // Who has gone meanwhile would not be heard to go again.
      if (reply.raw.destroyed) throw new AppError('unavailable', 'The connection is closed.')
      let place: ReturnType<typeof feed.subscribe> | undefined
      const sink = streams.open(request, reply, {
        place: () => String(place?.position() ?? start.number),
        onCut: () => cuts.set(userId, { number: feed.position, at: performance.now() }),
        onClose: () => {
          place?.leave()
          countLess()
        },
      })
      place = feed.subscribe({ viewer: caller, userId, profile, types, named, sink }, start)
    } catch (error) {
      countLess()
      throw error
    }
    // The stream goes on by itself.
    return ''
  }

  serve(app, api.streamEvents, (asked) => open(asked, true))
  serve(app, api.streamUnnamedEvents, (asked) => open(asked, false))
  return () => streams.size
}

const notAuthenticated = () =>
  new AppError('not_authenticated', 'These credentials are not valid any more. Sign in again.')
