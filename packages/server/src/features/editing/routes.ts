import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { ReadDb } from '../../database/database.ts'
import { serve, serveList } from '../../http/serve.ts'
import { readBook } from '../books/books.ts'
import { readSeries } from '../series/series.ts'
import { listBulkEditItems, readBulkEdit, startBulkEdit, undoBulkEdit } from './bulk/bulk-edits.ts'
import { editMetadata, listHistory, listSources, readMetadata, replaceMetadata, takeBackField } from './editing.ts'
import { previewTemplate, readBookContext, readSeriesContext, renderMetadata } from './rendering.ts'

export const editingRoutes = (app: FastifyInstance, context: Context): void => {
  seriesMetadataRoutes(app, context)
  bookMetadataRoutes(app, context)
  renderingRoutes(app, context)
  bulkRoutes(app, context)
}

const bulkRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, viewerOf } = context
  serve(app, api.bulkEditSeries, async ({ caller, body, reply }) => {
    if (!body.dryRun) reply.code(202)
    return startBulkEdit(context, await viewerOf(caller), { entity: 'series', body }, clock())
  })
  serve(app, api.bulkEditBooks, async ({ caller, body, reply }) => {
    if (!body.dryRun) reply.code(202)
    return startBulkEdit(context, await viewerOf(caller), { entity: 'book', body }, clock())
  })
  serve(app, api.readBulkEdit, async ({ caller, params: { id } }) => readBulkEdit(db.read, await viewerOf(caller), id))
  serveList(app, api.listBulkEditItems, async ({ caller, params: { id }, paging }) =>
    listBulkEditItems(db, await viewerOf(caller), id, paging),
  )
  serve(app, api.undoBulkEdit, async ({ caller, params: { id } }) =>
    undoBulkEdit(db, { caller, viewer: await viewerOf(caller) }, id, clock()),
  )
}

const renderingRoutes = (app: FastifyInstance, { db, viewerOf, ...renderer }: Context): void => {
  serve(app, api.readSeriesMetadataContext, async ({ caller, params: { id } }) => {
    const { metadata } = await readSeriesContext(db.read, await viewerOf(caller), id)
    return metadata
  })
  serve(app, api.readBookMetadataContext, async ({ caller, params: { id } }) =>
    readBookContext(db.read, await viewerOf(caller), id),
  )
  serve(app, api.readRenderedSeriesMetadata, async ({ caller, params: { id } }) =>
    renderMetadata(renderer, await readSeriesContext(db.read, await viewerOf(caller), id)),
  )
  serve(app, api.readRenderedBookMetadata, async ({ caller, params: { id } }) =>
    renderMetadata(renderer, await readBookContext(db.read, await viewerOf(caller), id)),
  )
  serve(app, api.previewTemplate, async ({ caller, body }) =>
    previewTemplate(db.read, await viewerOf(caller), renderer.decoders, body),
  )
}

const seriesMetadataRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  const entity = 'series'
  serve(app, api.readSeriesMetadata, async ({ caller, params: { id } }) =>
    readMetadata(db.read, await viewerOf(caller), entity, id),
  )
  serve(app, api.editSeriesMetadata, async ({ caller, params: { id }, body, expectMatch }) =>
    editMetadata(db, { entity, id }, body, { viewer: await viewerOf(caller), now: clock(), expectMatch }),
  )
  serve(app, api.replaceSeriesMetadata, async ({ caller, params: { id }, body, expectMatch }) =>
    replaceMetadata(db, { entity, id }, body, { viewer: await viewerOf(caller), now: clock(), expectMatch }),
  )
  serve(app, api.takeBackSeriesField, async ({ caller, params: { id, field }, expectMatch }) =>
    takeBackField(db, { entity, id }, field, { viewer: await viewerOf(caller), now: clock(), expectMatch }),
  )
  serve(app, api.readSeriesMetadataSources, async ({ caller, params: { id } }) =>
    listSources(db.read, await viewerOf(caller), entity, id),
  )
  serveList(app, api.listSeriesMetadataHistory, async ({ caller, params: { id }, paging }) =>
    listHistory(db, await viewerOf(caller), { entity, id }, paging),
  )
  serve(app, api.editSeries, async ({ caller, params: { id }, body, expectMatch }) => {
    const viewer = await viewerOf(caller)
    const readRecord = (db: ReadDb) => readSeries(db, viewer, id)
    await editMetadata(db, { entity, id }, body, { viewer, now: clock(), expectMatch, readRecord })
    return readSeries(db.read, viewer, id)
  })
}

const bookMetadataRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  const entity = 'book'
  serve(app, api.readBookMetadata, async ({ caller, params: { id } }) =>
    readMetadata(db.read, await viewerOf(caller), entity, id),
  )
  serve(app, api.editBookMetadata, async ({ caller, params: { id }, body, expectMatch }) =>
    editMetadata(db, { entity, id }, body, { viewer: await viewerOf(caller), now: clock(), expectMatch }),
  )
  serve(app, api.replaceBookMetadata, async ({ caller, params: { id }, body, expectMatch }) =>
    replaceMetadata(db, { entity, id }, body, { viewer: await viewerOf(caller), now: clock(), expectMatch }),
  )
  serve(app, api.takeBackBookField, async ({ caller, params: { id, field }, expectMatch }) =>
    takeBackField(db, { entity, id }, field, { viewer: await viewerOf(caller), now: clock(), expectMatch }),
  )
  serve(app, api.readBookMetadataSources, async ({ caller, params: { id } }) =>
    listSources(db.read, await viewerOf(caller), entity, id),
  )
  serveList(app, api.listBookMetadataHistory, async ({ caller, params: { id }, paging }) =>
    listHistory(db, await viewerOf(caller), { entity, id }, paging),
  )
  serve(app, api.editBook, async ({ caller, params: { id }, body, expectMatch }) => {
    const viewer = await viewerOf(caller)
    const { number, ...rest } = body
    const patch = { ...rest, ...(number !== undefined && { number: number === null ? null : String(number) }) }
    const readRecord = (db: ReadDb) => readBook(db, viewer, id)
    await editMetadata(db, { entity, id }, patch, { viewer, now: clock(), expectMatch, readRecord })
    return readBook(db.read, viewer, id)
  })
}
