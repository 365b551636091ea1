import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { requireLibrary, requireSeries } from '../../catalogue/entries/entries.ts'
import { bookFacetsOf, bookLettersOf } from '../../catalogue/lists/lists.ts'
import { listsOfBooks, readBook, readNeighbours } from './books.ts'

export const bookRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, viewerOf } = context
  const list = listsOfBooks(context)
  serveList(app, api.listBooks, async ({ caller, query, paging }) => list(await viewerOf(caller), query, paging))
  serveList(app, api.listBooksByCondition, async ({ caller, query, body, paging }) =>
    list(await viewerOf(caller), { ...query, ...body }, paging),
  )
  serve(app, api.readBookLetters, async ({ caller, query, body = {} }) =>
    bookLettersOf(context, await viewerOf(caller), body, query.pageSize ?? 50),
  )
  serve(app, api.readBookFacets, async ({ caller, body }) => bookFacetsOf(context, await viewerOf(caller), body))
  serveList(app, api.listBooksOfLibrary, async ({ caller, params, query, paging }) => {
    const viewer = await viewerOf(caller)
    await requireLibrary(db.read, viewer, params.id)
    return list(viewer, { ...query, libraryId: params.id }, paging)
  })
  serveList(app, api.listBooksOfSeries, async ({ caller, params, query, paging }) => {
    const viewer = await viewerOf(caller)
    await requireSeries(db.read, viewer, params.id)
    return list(viewer, { ...query, seriesId: params.id }, paging)
  })
  for (const endpoint of [api.readBook, api.readFullBook])
    serve(app, endpoint, async ({ caller, params }) => readBook(db.read, await viewerOf(caller), params.id))
  serve(app, api.readAdjacentBooks, async ({ caller, params }) =>
    readNeighbours(db.read, await viewerOf(caller), params.id),
  )
}
