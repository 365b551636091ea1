import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { requireLibrary } from '../libraries/libraries.ts'
import { requireSeries } from '../series/series.ts'
import { bookFacetsOf, listBooks, readBook, readNeighbours } from './books.ts'

export const bookRoutes = (app: FastifyInstance, { db, viewerOf }: Context): void => {
  serveList(app, api.listBooks, async ({ caller, query, paging }) =>
    listBooks(db, await viewerOf(caller), query, paging),
  )
  serveList(app, api.listBooksWanted, async ({ caller, query, body, paging }) =>
    listBooks(db, await viewerOf(caller), { ...query, ...body }, paging),
  )
  serve(app, api.readBookFacets, async ({ caller, body }) => bookFacetsOf(db, await viewerOf(caller), body))
  serveList(app, api.listBooksOfLibrary, async ({ caller, params, query, paging }) => {
    const viewer = await viewerOf(caller)
    await requireLibrary(db.read, viewer, params.id)
    return listBooks(db, viewer, { ...query, libraryId: params.id }, paging)
  })
  serveList(app, api.listBooksOfSeries, async ({ caller, params, query, paging }) => {
    const viewer = await viewerOf(caller)
    await requireSeries(db.read, viewer, params.id)
    return listBooks(db, viewer, { ...query, seriesId: params.id }, paging)
  })
  for (const endpoint of [api.readBook, api.readFullBook])
    serve(app, endpoint, async ({ caller, params }) => readBook(db.read, await viewerOf(caller), params.id))
  serve(app, api.readAdjacentBooks, async ({ caller, params }) =>
    readNeighbours(db.read, await viewerOf(caller), params.id),
  )
}
