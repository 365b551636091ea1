import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Caller } from '../../http/caller.ts'
import { serve, serveList } from '../../http/serve.ts'
import {
  addMembers,
  type AutomaticCounts,
  changeList,
  createList,
  firstMember,
  listListsAtAGlance,
  listListsOf,
  listMembers,
  moveTo,
  listViewerFor,
  putInOrder,
  type ReadListAhead,
  readList,
  removeList,
  removeMember,
} from '../../catalogue/member-lists/member-lists.ts'
import { cachedAnswers, readAsOfNow } from '../../catalogue/visibility/visibility.ts'
import { collections, readDrawn, toListed } from './collections.ts'

/** Counts of automatic collections are cached for this many users (decision 023). */
const keptMax = 64

export const collectionRoutes = (
  app: FastifyInstance,
  { db, clock, viewerOf, config }: Context,
  readAhead: ReadListAhead,
): void => {
  const cachedCounts = cachedAnswers<AutomaticCounts>(db, keptMax)
  const listViewerOf = async (caller: Caller) => {
    const listViewer = await changerOf(caller)
    return { ...listViewer, known: await cachedCounts(listViewer.viewer, '', async () => listViewer.automaticCounts) }
  }
  // A user who changes something gets fresh counts.
  const changerOf = async (caller: Caller) =>
    listViewerFor(collections, await viewerOf(caller), caller.permissions.has('collections:write'))
  const changeOf = async (caller: Caller) => ({ db, listViewer: await changerOf(caller), now: clock() })

  serveList(app, api.listCollections, async ({ caller, query: { sort }, paging }) => {
    const listViewer = await listViewerOf(caller)
    const listing = { sort, paging, readDrawn, toEntry: toListed }
    return readAsOfNow(db, listViewer.viewer, () => listListsAtAGlance(db.readSlowly, listViewer, listing))
  })
  serveList(app, api.listCollectionsOfSeries, async ({ caller, params, paging }) =>
    listListsOf(db.readSlowly, await listViewerOf(caller), params.id, paging),
  )
  serve(app, api.createCollection, async ({ caller, body }) => createList(db, await changerOf(caller), body, clock()))
  serve(app, api.readCollection, async ({ caller, params }) =>
    readList(db.readSlowly, await listViewerOf(caller), params.id),
  )
  serve(app, api.updateCollection, async ({ caller, params, body, expectMatch }) =>
    changeList(db, await changerOf(caller), params.id, { patch: body, now: clock(), expectMatch }),
  )
  serve(app, api.deleteCollection, async ({ caller, params, expectMatch }) =>
    removeList(db, await changerOf(caller), params.id, { now: clock(), expectMatch }),
  )
  serveList(app, api.listSeriesOfCollection, async ({ caller, params, query: { sort }, paging }) => {
    const listViewer = await listViewerOf(caller)
    return readAsOfNow(db, listViewer.viewer, () => listMembers(db.readSlowly, listViewer, params.id, { sort, paging }))
  })
  serve(app, api.addToCollection, async ({ caller, params, body }) =>
    addMembers(await changeOf(caller), params.id, body.seriesIds),
  )
  serve(app, api.orderCollection, async ({ caller, params, body }) =>
    putInOrder(await changeOf(caller), params.id, body.seriesIds),
  )
  serve(app, api.moveInCollection, async ({ caller, params: { id, seriesId }, body }) =>
    moveTo(await changeOf(caller), id, { itemId: seriesId, rank: body.position }),
  )
  serve(app, api.removeFromCollection, async ({ caller, params: { id, seriesId } }) =>
    removeMember(await changeOf(caller), id, seriesId),
  )
  serve(app, api.readCollectionAhead, async ({ caller, params }) =>
    readAhead(db, await listViewerOf(caller), params.id, clock()),
  )
  serve(app, api.readCollectionThumbnail, async ({ caller, params, reply }) => {
    const id = await firstMember(db.readSlowly, await listViewerOf(caller), params.id)
    void reply.header('location', config.basePath + api.addressOf(api.readSeriesThumbnail, { params: { id } }))
    void reply.header('cache-control', 'no-store')
    return undefined
  })
}
