import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { type Feed, type FeedOptions, openFeed, type Since } from '../../events/feed.ts'
import { relayEvents } from '../../events/relay.ts'
import { ourWording } from '../../events/render.ts'
import type { Caller } from '../../http/caller.ts'
import { type EventSource, eventStreams, type Following } from '../../http/reply/event-stream.ts'
import { serve } from '../../http/serve.ts'
import { AppError } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { streamPlaces, typesFrom } from './events.ts'
import { reviewWith } from './viewers.ts'

const cutRememberedMax = 10_000
/** A client that was cut is back soon. Another of the same user that comes later gets what it missed. */
const cutRememberedMs = 5 * 60 * 1000

export const eventRoutes = async (app: FastifyInstance, { db, clock, log }: Context): Promise<EventSource> => {
  const review = reviewWith(db, clock)
  const feed = await openToldFeed(app, { db, log, clock, review })
  const relay = relayEvents(db, log)
  const streams = eventStreams()
  const places = streamPlaces()
  /**
   * It remembers, by user, where and when clients that were too slow were disconnected: they are told on their return.
   */
  const cuts = new BoundedMap<{ readonly number: number; readonly at: number }>(cutRememberedMax)

  // This runs before the server waits for its connections to end: these never would.
  app.addHook('preClose', async () => {
    streams.close()
    await Promise.all([relay?.stop(), feed.close()])
  })

  const sinceOf = ({ caller, query, request }: Following): Since => {
    const given = request.headers['last-event-id'] ?? query.since
    if (given === undefined || given === '') return 'now'
    // An id that is not one of ours counts as the oldest possible.
    const since = /^\d{1,15}$/.test(String(given)) ? Number(given) : -1
    const cut = cuts.get(caller.userId)
    const isReturn = cut !== undefined && performance.now() - cut.at < cutRememberedMs
    return isReturn && since < cut.number ? 'slow' : since
  }

  const follow: EventSource['follow'] = async (following, wording, signOfLife) => {
    const { caller, query, request, reply } = following
    const { userId } = caller
    const types = typesFrom(query.types)
    if (request.method === 'HEAD') return ''
    const leavePlace = places.take(userId)
    try {
      const asOf = feed.revision
      const profile = (await review([caller])).get(caller)
      if (!profile) throw notAuthenticated()
      const start = await feed.startAt(sinceOf(following))
      // A client that has gone meanwhile would send no second close event.
      if (reply.raw.destroyed) throw new AppError('unavailable', 'The connection is closed.')
      let subscription: ReturnType<typeof feed.subscribe> | undefined
      const sink = streams.open(request, reply, {
        ...(signOfLife !== undefined && { signOfLife }),
        lastEventId: () => String(subscription?.position() ?? start.number),
        onCut: () => cuts.set(userId, { number: feed.position, at: performance.now() }),
        onClose: () => {
          subscription?.leave()
          leavePlace()
        },
      })
      subscription = feed.subscribe({ viewer: caller, userId, profile, asOf, types, wording, sink }, start)
    } catch (error) {
      leavePlace()
      throw error
    }
    // The stream goes on by itself.
    return ''
  }

  const [named, unnamed] = [ourWording(true), ourWording(false)]
  serve(app, api.streamEvents, (request) => follow(request, named))
  serve(app, api.streamUnnamedEvents, (request) => follow(request, unnamed))
  return { open: () => streams.size, follow }
}

/** Problems that cannot be written to the database are sent to those who can do something about them. */
const openToldFeed = async (app: FastifyInstance, options: FeedOptions<Caller>): Promise<Feed<Caller>> => {
  const feed = await openFeed<Caller>(options)
  const { degraded } = options.db
  let told: readonly string[] = []
  const stop = degraded.onChange(() => {
    const now = degraded.list().map(({ id }) => id)
    // The end of a problem is sent too: whoever shows it reads again.
    for (const id of new Set([...now, ...told])) feed.tellNow(id, ({ permissions }) => permissions.has('system:admin'))
    told = now
  })
  app.addHook('onClose', async () => stop())
  return feed
}

const notAuthenticated = () =>
  new AppError('not_authenticated', 'These credentials are not valid any more. Sign in again.')
