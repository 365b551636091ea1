import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { dismissDuplicates, listBookDuplicates, listSeriesDuplicates, startFindingDuplicates } from './duplicates.ts'

export const duplicateRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.listSeriesDuplicates, async ({ caller, query }) =>
    listSeriesDuplicates(db, await viewerOf(caller), query),
  )
  serve(app, api.listBookDuplicates, async ({ caller, query }) => listBookDuplicates(db, await viewerOf(caller), query))
  serve(app, api.findDuplicates, () => startFindingDuplicates(db, clock()))
  serve(app, api.dismissSeriesDuplicates, async ({ caller, params }) =>
    dismissDuplicates(db, await viewerOf(caller), { of: 'series', groupId: params.id, dismissed: true, now: clock() }),
  )
  serve(app, api.restoreSeriesDuplicates, async ({ caller, params }) =>
    dismissDuplicates(db, await viewerOf(caller), { of: 'series', groupId: params.id, dismissed: false, now: clock() }),
  )
  serve(app, api.dismissBookDuplicates, async ({ caller, params }) =>
    dismissDuplicates(db, await viewerOf(caller), { of: 'book', groupId: params.id, dismissed: true, now: clock() }),
  )
  serve(app, api.restoreBookDuplicates, async ({ caller, params }) =>
    dismissDuplicates(db, await viewerOf(caller), { of: 'book', groupId: params.id, dismissed: false, now: clock() }),
  )
}
