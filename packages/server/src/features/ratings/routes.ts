import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import {
  listRatings,
  readAverage,
  readBookRating,
  readSeriesRating,
  removeBookRating,
  removeSeriesRating,
  saveBookRating,
  saveSeriesRating,
} from './ratings.ts'

export const ratingRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.readSeriesRating, async ({ caller, params }) =>
    readSeriesRating(db.read, await viewerOf(caller), params.id),
  )
  serve(app, api.saveSeriesRating, async ({ caller, params, body }) =>
    saveSeriesRating(db, await viewerOf(caller), params.id, { rating: body, now: clock() }),
  )
  serve(app, api.deleteSeriesRating, async ({ caller, params }) =>
    removeSeriesRating(db, await viewerOf(caller), params.id),
  )
  serve(app, api.readBookRating, async ({ caller, params }) =>
    readBookRating(db.read, await viewerOf(caller), params.id),
  )
  serve(app, api.saveBookRating, async ({ caller, params, body }) =>
    saveBookRating(db, await viewerOf(caller), params.id, { rating: body, now: clock() }),
  )
  serve(app, api.deleteBookRating, async ({ caller, params }) =>
    removeBookRating(db, await viewerOf(caller), params.id),
  )
  serve(app, api.readAverageRating, async ({ caller, params }) =>
    readAverage(db.read, await viewerOf(caller), params.id),
  )
  serveList(app, api.listRatings, async ({ caller, query, paging }) =>
    listRatings(db.readSlowly, await viewerOf(caller), query, paging),
  )
}
