import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { cachedAnswers, readAsOfNow } from '../../catalogue/visibility/visibility.ts'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { countUpToNow } from '../reading/reading.ts'
import { showStats, showYear } from './statistics.ts'

/** The cached answers about a year of days take a few megabytes. */
const statsKeptMax = 64
const periodsKeptMax = 600

export const statisticsRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  const cachedStats = cachedAnswers<api.ReadingStatsResponse>(
    db,
    statsKeptMax,
    ({ periods }) => periods.length <= periodsKeptMax,
  )
  serve(app, api.readReadingStats, async ({ caller, query }) => {
    const viewer = await viewerOf(caller)
    await countUpToNow(db, viewer.userId, clock())
    const read = () => showStats(db.readSlowly, viewer, query, clock())
    // One that ends now ends at another time when it is asked for again.
    return query.to === undefined ? readAsOfNow(db, viewer, read) : cachedStats(viewer, JSON.stringify(query), read)
  })
  serve(app, api.readReadingYear, async ({ caller, query }) => {
    const viewer = await viewerOf(caller)
    await countUpToNow(db, viewer.userId, clock())
    return readAsOfNow(db, viewer, () => showYear(db.readSlowly, viewer, query, clock()))
  })
}
