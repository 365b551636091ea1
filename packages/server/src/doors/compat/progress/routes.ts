import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { markSeries, readerFrom, resetProgress } from '../../../features/reading/reading.ts'
import { serve, type HandlerContext } from '../../../http/serve.ts'
import { requireId } from '../spelling.ts'
import { markUpTo, readListTracking, savePage, seriesTracking } from './progress.ts'

export const compatProgressRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, viewerOf } = context
  const readerOf = async ({ caller, visitor, request }: Pick<HandlerContext, 'caller' | 'visitor' | 'request'>) => {
    return {
      ...(await readerFrom(context, { caller, userAgent: visitor.userAgent, headers: request.headers })),
      source: 'compatibility' as const,
    }
  }

  serve(app, door.saveCompatProgress, async ({ params, body, ...from }) =>
    savePage(db, await readerOf(from), requireId(params.id, 'book'), body),
  )
  serve(app, door.deleteCompatProgress, async ({ params, ...from }) =>
    resetProgress(db, await readerOf(from), requireId(params.id, 'book')),
  )
  for (const [endpoint, as] of [
    [door.markCompatSeriesRead, 'read'],
    [door.markCompatSeriesUnread, 'unread'],
  ] as const)
    serve(app, endpoint, async ({ params, ...from }) => {
      await markSeries(db, await readerOf(from), requireId(params.id, 'series'), as)
      return undefined
    })
  serve(app, door.readCompatSeriesTracking, async ({ caller, params }) =>
    seriesTracking(db, await viewerOf(caller), requireId(params.id, 'series')),
  )
  serve(app, door.saveCompatSeriesTracking, async ({ params, body, ...from }) =>
    markUpTo(db, await readerOf(from), { seriesId: requireId(params.id, 'series') }, body.lastBookNumberSortRead),
  )
  serve(app, door.readCompatReadListTracking, async ({ caller, params }) =>
    readListTracking(
      db,
      { viewer: await viewerOf(caller), mayChange: caller.permissions.has('readlists:write') },
      requireId(params.id, 'read list'),
    ),
  )
  serve(app, door.saveCompatReadListTracking, async ({ params, body, ...from }) =>
    markUpTo(db, await readerOf(from), { readListId: requireId(params.id, 'read list') }, body.lastBookRead),
  )
}
