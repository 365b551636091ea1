import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { changeJob, createJob, listGroups, listJobs, readJob, removeJob, runJob } from './jobs/library-jobs.ts'
import { applyMatch, listActions, matchMetadata, previewMatch, searchMetadata, unmatch } from './matching.ts'
import { dryRunJob } from './jobs/dry-run.ts'
import { autoMatchOne, readSearchTitle } from './applying/match-one.ts'
import { listWebLinks } from './asking/web-links.ts'
import { acceptMatch, listMatches, refuseMatch } from './review.ts'
import { undoAnything, undoWithCovers } from './applying/undo-with-covers.ts'
import { startAutoMatch, startManyMatches } from './jobs/start-matching.ts'

export const matchingRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, viewerOf } = context
  serve(app, api.listPluginActions, ({ query }) => listActions(db.read, query))
  serve(app, api.listWebLinks, ({ query }) => listWebLinks(db.read, query))
  ofSeries(app, context)
  ofBooks(app, context)
  libraryJobRoutes(app, context)
  serveList(app, api.listMetadataMatches, async ({ caller, query, paging }) => {
    const { entity = 'series', state = 'uncertain', ...rest } = query
    return listMatches(context, await viewerOf(caller), { entity, state, ...rest }, paging)
  })
  serve(app, api.acceptMetadataMatch, async ({ caller, params: { id }, body }) =>
    acceptMatch(context, { viewer: await viewerOf(caller), permissions: caller.permissions }, id, body),
  )
  serve(app, api.refuseMetadataMatch, async ({ caller, params: { id }, body }) =>
    refuseMatch(context, { viewer: await viewerOf(caller), permissions: caller.permissions }, id, body?.externalId),
  )
  serve(app, api.undoHistory, async ({ caller, params: { historyId }, body }) =>
    undoAnything(context, await viewerOf(caller), { historyId, force: body?.force }),
  )
  serve(app, api.autoMatchManySeries, async ({ caller, body }) =>
    startManyMatches(context, await viewerOf(caller), body),
  )
  serve(app, api.autoMatchLibrary, async ({ caller, params: { id }, body }) =>
    startAutoMatch(context, await viewerOf(caller), id, body),
  )
}

const libraryJobRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, viewerOf } = context
  serve(app, api.listFieldGroups, async () => listGroups())
  serve(app, api.listLibraryJobs, async ({ caller, params: { id } }) => listJobs(db.read, await viewerOf(caller), id))
  serve(app, api.createLibraryJob, async ({ caller, params: { id }, body }) =>
    createJob(context, await viewerOf(caller), id, body),
  )
  serve(app, api.readLibraryJob, async ({ caller, params: { id: libraryId, jobId } }) =>
    readJob(db.read, await viewerOf(caller), { libraryId, jobId }),
  )
  serve(app, api.dryRunLibraryJob, async ({ caller, params: { id: libraryId, jobId }, body }) =>
    dryRunJob(context, await viewerOf(caller), { libraryId, jobId }, body ?? {}),
  )
  serve(app, api.updateLibraryJob, async ({ caller, params: { id: libraryId, jobId }, body }) =>
    changeJob(context, await viewerOf(caller), { libraryId, jobId }, body),
  )
  serve(app, api.removeLibraryJob, async ({ caller, params: { id: libraryId, jobId } }) =>
    removeJob(context, await viewerOf(caller), { libraryId, jobId }),
  )
  serve(app, api.runLibraryJob, async ({ caller, params: { id: libraryId, jobId } }) =>
    runJob(context, await viewerOf(caller), { libraryId, jobId }),
  )
}

const ofSeries = (app: FastifyInstance, context: Context): void => {
  const { viewerOf } = context
  const entity = 'series'
  serve(app, api.searchSeriesMetadata, async ({ caller, params: { id }, body }) =>
    searchMetadata(context, { entity, id, viewer: await viewerOf(caller) }, body),
  )
  serve(app, api.matchSeriesMetadata, async ({ caller, params: { id }, body }) =>
    matchMetadata(context, { entity, id, viewer: await viewerOf(caller) }, body.pluginId),
  )
  serve(app, api.previewSeriesMatch, async ({ caller, params: { id }, body }) =>
    previewMatch(context, { entity, id, viewer: await viewerOf(caller) }, body),
  )
  serve(app, api.applySeriesMatch, async ({ caller, params: { id }, body, expectMatch }) =>
    applyMatch(context, { entity, id, viewer: await viewerOf(caller) }, body, expectMatch),
  )
  serve(app, api.autoMatchSeries, async ({ caller, params: { id }, body }) =>
    autoMatchOne(context, { entity, id, viewer: await viewerOf(caller) }, body),
  )
  serve(app, api.readSeriesSearchTitle, async ({ caller, params: { id }, query }) =>
    readSearchTitle(context, { entity, id, viewer: await viewerOf(caller) }, query.pluginId),
  )
  serve(app, api.undoSeriesMetadata, async ({ caller, params: { id }, body, expectMatch }) => {
    const undone = await undoWithCovers(context, { entity, id, viewer: await viewerOf(caller) }, body, expectMatch)
    return { metadata: undone.metadata, conflicts: undone.conflicts }
  })
  serve(app, api.unmatchSeries, async ({ caller, params: { id, pluginName }, expectMatch }) =>
    unmatch(context, { entity, id, viewer: await viewerOf(caller) }, pluginName, expectMatch),
  )
}

const ofBooks = (app: FastifyInstance, context: Context): void => {
  const { viewerOf } = context
  const entity = 'book'
  serve(app, api.searchBookMetadata, async ({ caller, params: { id }, body }) =>
    searchMetadata(context, { entity, id, viewer: await viewerOf(caller) }, body),
  )
  serve(app, api.matchBookMetadata, async ({ caller, params: { id }, body }) =>
    matchMetadata(context, { entity, id, viewer: await viewerOf(caller) }, body.pluginId),
  )
  serve(app, api.previewBookMatch, async ({ caller, params: { id }, body }) =>
    previewMatch(context, { entity, id, viewer: await viewerOf(caller) }, body),
  )
  serve(app, api.applyBookMatch, async ({ caller, params: { id }, body, expectMatch }) =>
    applyMatch(context, { entity, id, viewer: await viewerOf(caller) }, body, expectMatch),
  )
  serve(app, api.autoMatchBook, async ({ caller, params: { id }, body }) =>
    autoMatchOne(context, { entity, id, viewer: await viewerOf(caller) }, body),
  )
  serve(app, api.readBookSearchTitle, async ({ caller, params: { id }, query }) =>
    readSearchTitle(context, { entity, id, viewer: await viewerOf(caller) }, query.pluginId),
  )
  serve(app, api.undoBookMetadata, async ({ caller, params: { id }, body, expectMatch }) => {
    const undone = await undoWithCovers(context, { entity, id, viewer: await viewerOf(caller) }, body, expectMatch)
    return { metadata: undone.metadata, conflicts: undone.conflicts }
  })
  serve(app, api.unmatchBook, async ({ caller, params: { id, pluginName }, expectMatch }) =>
    unmatch(context, { entity, id, viewer: await viewerOf(caller) }, pluginName, expectMatch),
  )
}
