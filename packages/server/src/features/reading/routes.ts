import { Readable } from 'node:stream'
import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { contentDisposition } from '../../http/files/content-disposition.ts'
import { nothingToSend } from '../../http/files/in-parts.ts'
import { bindMedia } from '../../http/files/media.ts'
import { serve, serveList, type HandlerContext } from '../../http/serve.ts'
import { markBooks, markReadUpTo, restoreBooks } from './bulk/bulk-marks.ts'
import { listRepairs } from './upkeep/check.ts'
import { exportHistory } from './history/export.ts'
import { readImport, takeInHistory } from './history/import.ts'
import { markSeries } from './progress/marks.ts'
import {
  addCompletion,
  changeCompletion,
  forgetCompletions,
  forgetSeriesCompletions,
  readCompletions,
  readSeriesCompletions,
} from './completions.ts'
import {
  listHistory,
  listProgress,
  markBookRead,
  type Reader,
  readProgress,
  resetProgress,
  restoreProgress,
  saveProgress,
} from './progress/progress.ts'
import { readProgression, saveProgression } from './progress/progression.ts'
import { readerFrom } from './reader.ts'
import { countInPauses, countUpToNow } from './reading-sessions/count-later.ts'
import { recordSessions } from './record-sessions.ts'
import { readPaces, readTimeLeft } from './stats/pace.ts'
import { readCalendar, readCoverage } from './stats/stats.ts'

export const readingRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, viewerOf } = context
  const readerOf = readers(context)
  const counting = countInPauses(context)
  app.addHook('onClose', () => counting.stop())

  serve(app, api.readProgress, async ({ caller, params }) => readProgress(db.read, await viewerOf(caller), params.id))
  serve(app, api.saveProgress, async ({ params, body, ...from }) =>
    saveProgress(db, await readerOf(from), params.id, body),
  )
  serve(app, api.deleteProgress, async ({ params, ...from }) => resetProgress(db, await readerOf(from), params.id))
  serve(app, api.markBookRead, async ({ params, ...from }) => markBookRead(db, await readerOf(from), params.id))
  serve(app, api.markBookUnread, async ({ params, ...from }) => resetProgress(db, await readerOf(from), params.id))
  serve(app, api.markSeriesRead, async ({ params, ...from }) => markSeries(db, await readerOf(from), params.id, 'read'))
  serve(app, api.markSeriesUnread, async ({ params, ...from }) =>
    markSeries(db, await readerOf(from), params.id, 'unread'),
  )
  serve(app, api.markBooksRead, async ({ body, ...from }) => markBooks(db, await readerOf(from), body.bookIds, 'read'))
  serve(app, api.markBooksUnread, async ({ body, ...from }) =>
    markBooks(db, await readerOf(from), body.bookIds, 'unread'),
  )
  serve(app, api.markReadUpTo, async ({ params, ...from }) => markReadUpTo(db, await readerOf(from), params.id))
  serve(app, api.restoreBooks, async ({ body, ...from }) => restoreBooks(db, await readerOf(from), body.points))
  serveList(app, api.listProgress, async ({ caller, query, paging }) =>
    listProgress(db.readSlowly, await viewerOf(caller), query.completed, paging),
  )
  serveList(app, api.listProgressHistory, async ({ caller, params, paging }) =>
    listHistory(db.readSlowly, await viewerOf(caller), params.id, paging),
  )
  serve(app, api.restoreProgress, async ({ params, body, ...from }) =>
    restoreProgress(db, await readerOf(from), params.id, body.historyId),
  )
  serve(app, api.readProgression, async ({ caller, params }) =>
    readProgression(db.read, await viewerOf(caller), params.id),
  )
  serve(app, api.saveProgression, async ({ params, body, ...from }) =>
    saveProgression(db, await readerOf(from), params.id, body),
  )
  serve(app, api.recordReadingSessions, async ({ body, ...from }) =>
    recordSessions(db, await readerOf(from), body.sessions),
  )
  completionRoutes(app, context)
  figureRoutes(app, context)
  historyRoutes(app, context)
}

const completionRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.readReadHistory, async ({ caller, params }) =>
    readCompletions(db.read, await viewerOf(caller), params.id),
  )
  serve(app, api.addReadCompletion, async ({ caller, params, body }) =>
    addCompletion(db, { viewer: await viewerOf(caller), now: clock() }, params.id, body),
  )
  serve(app, api.changeReadCompletion, async ({ caller, params: { id, completionId }, body: change }) =>
    changeCompletion(db, { viewer: await viewerOf(caller), now: clock() }, id, { completionId, change }),
  )
  serve(app, api.clearReadHistory, async ({ caller, params }) =>
    forgetCompletions(db, { viewer: await viewerOf(caller), now: clock() }, params.id),
  )
  serve(app, api.deleteReadCompletion, async ({ caller, params }) =>
    forgetCompletions(db, { viewer: await viewerOf(caller), now: clock() }, params.id, params.completionId),
  )
  serve(app, api.readSeriesReadHistory, async ({ caller, params }) =>
    readSeriesCompletions(db.readSlowly, await viewerOf(caller), params.id),
  )
  serve(app, api.clearSeriesReadHistory, async ({ caller, params }) =>
    forgetSeriesCompletions(db, { viewer: await viewerOf(caller), now: clock() }, params.id),
  )
}

const historyRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  bindMedia(app, api.exportReadingHistory, async ({ caller, query }, request, reply) => {
    const { format = 'json' } = query as { readonly format?: api.HistoryFormat }
    const viewer = await viewerOf(caller)
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8').headers({
      'cache-control': 'no-store',
      'content-disposition': contentDisposition('attachment', `reading-history.${format}`),
    })
    if (request.method === 'HEAD') return reply.send(nothingToSend())
    return reply.send(Readable.from(exportHistory(db.readSlowly, viewer, format), { objectMode: false }))
  })
  serve(app, api.importReadingHistory, async ({ caller, body }) =>
    takeInHistory(db, { viewer: await viewerOf(caller), now: clock() }, body),
  )
  serve(app, api.readReadingImport, ({ caller, params }) => readImport(db.read, caller.userId, params.id))
  serveList(app, api.listReadingRepairs, ({ paging }) => listRepairs(db.read, paging))
}

const figureRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.readReadingCoverage, async ({ caller: { userId } }) => {
    await countUpToNow(db, userId, clock())
    return readCoverage(db.read, userId)
  })
  serve(app, api.readReadingCalendar, async ({ caller: { userId }, query }) => {
    await countUpToNow(db, userId, clock())
    return readCalendar(db.readSlowly, userId, query, clock())
  })
  serve(app, api.readReadingPace, async ({ caller: { userId } }) => {
    await countUpToNow(db, userId, clock())
    return readPaces(db.readSlowly, userId, clock())
  })
  serve(app, api.readTimeLeft, async ({ caller, params }) => {
    await countUpToNow(db, caller.userId, clock())
    return readTimeLeft(db.readSlowly, await viewerOf(caller), params.id, clock())
  })
}

type From = Pick<HandlerContext, 'caller' | 'visitor' | 'request'>

const readers =
  (context: Context) =>
  ({ caller, visitor, request }: From): Promise<Reader> =>
    readerFrom(context, { caller, userAgent: visitor.userAgent, headers: request.headers })
