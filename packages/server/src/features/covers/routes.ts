import * as api from '@carrel/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { serveMedia } from '../../http/files/media.ts'
import type { MediaLane } from '../../http/rate-limit/media-lane.ts'
import { serve } from '../../http/serve.ts'
import {
  type Choosing,
  coverFromPage,
  listCovers,
  removeCover,
  requirePictured,
  selectOne,
  unselect,
  uploadCover,
  uploadedPicture,
} from './covers.ts'

interface CoverRouteContext extends Choosing {
  readonly lane: MediaLane
}

export const coverRoutes = (app: FastifyInstance, { viewerOf }: Context, context: CoverRouteContext): void => {
  const { reading, lane } = context
  serveMedia(app, api.readBookThumbnail, async ({ caller, params, query }) =>
    reading.ofBook(await viewerOf(caller), params.id, query),
  )
  serveMedia(app, api.readSeriesThumbnail, async ({ caller, params, query }) =>
    reading.ofSeries(await viewerOf(caller), params.id, query),
  )
  serveMedia(
    app,
    api.readBookPicture,
    async ({ caller, params, query }) => reading.ofBook(await viewerOf(caller), params.id, query),
    { lane },
  )
  serveMedia(
    app,
    api.readSeriesPicture,
    async ({ caller, params, query }) => reading.ofSeries(await viewerOf(caller), params.id, query),
    { lane },
  )
  bookCoverRoutes(app, { viewerOf }, context)
  seriesCoverRoutes(app, { viewerOf }, context)
}

const bookCoverRoutes = (app: FastifyInstance, { viewerOf }: Pick<Context, 'viewerOf'>, context: Choosing): void => {
  const book = (id: string) => ({ kind: 'book', id }) as const
  serve(app, api.listBookCovers, async ({ caller, params }) =>
    listCovers(context, await viewerOf(caller), book(params.id)),
  )
  serve(app, api.uploadBookCover, async ({ caller, params, body, request }) =>
    uploadCover(context, await viewerOf(caller), book(params.id), uploadedPicture(body, typeOf(request))),
  )
  serve(app, api.coverOfBookFromPage, async ({ caller, params, body }) =>
    coverFromPage(context, await viewerOf(caller), book(params.id), body),
  )
  serve(app, api.selectBookCover, async ({ caller, params: { id, coverId } }) =>
    selectOne(context, await viewerOf(caller), book(id), coverId),
  )
  serve(app, api.unselectBookCover, async ({ caller, params }) =>
    unselect(context, await viewerOf(caller), book(params.id)),
  )
  serve(app, api.deleteBookCover, async ({ caller, params: { id, coverId } }) =>
    removeCover(context, await viewerOf(caller), book(id), coverId),
  )
  serveMedia(app, api.readBookCoverImage, async ({ caller, params: { id, coverId }, query }) => {
    await requirePictured(context.db.read, await viewerOf(caller), book(id))
    return context.reading.one(id, coverId, query)
  })
}

const seriesCoverRoutes = (app: FastifyInstance, { viewerOf }: Pick<Context, 'viewerOf'>, context: Choosing): void => {
  const series = (id: string) => ({ kind: 'series', id }) as const
  serve(app, api.listSeriesCovers, async ({ caller, params }) =>
    listCovers(context, await viewerOf(caller), series(params.id)),
  )
  serve(app, api.uploadSeriesCover, async ({ caller, params, body, request }) =>
    uploadCover(context, await viewerOf(caller), series(params.id), uploadedPicture(body, typeOf(request))),
  )
  serve(app, api.coverOfSeriesFromPage, async ({ caller, params, body }) =>
    coverFromPage(context, await viewerOf(caller), series(params.id), body),
  )
  serve(app, api.selectSeriesCover, async ({ caller, params: { id, coverId } }) =>
    selectOne(context, await viewerOf(caller), series(id), coverId),
  )
  serve(app, api.unselectSeriesCover, async ({ caller, params }) =>
    unselect(context, await viewerOf(caller), series(params.id)),
  )
  serve(app, api.deleteSeriesCover, async ({ caller, params: { id, coverId } }) =>
    removeCover(context, await viewerOf(caller), series(id), coverId),
  )
  serveMedia(app, api.readSeriesCoverImage, async ({ caller, params: { id, coverId }, query }) => {
    await requirePictured(context.db.read, await viewerOf(caller), series(id))
    return context.reading.one(id, coverId, query)
  })
}

const typeOf = (request: FastifyRequest): string => request.headers['content-type'] ?? ''
