import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { readAsOfNow } from '../../catalogue/visibility/visibility.ts'
import type { Context } from '../../context.ts'
import type { Caller } from '../../http/caller.ts'
import { serve, serveList } from '../../http/serve.ts'
import {
  addMembers,
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
  readNeighbours,
  removeList,
  removeMember,
} from '../../catalogue/member-lists/member-lists.ts'
import { showBooksById } from '../books/books.ts'
import { importReadList } from './import/import-list.ts'
import { listMissing, readLists, removeMissing, toListed } from './read-lists.ts'

export const readListRoutes = (app: FastifyInstance, context: Context, readAhead: ReadListAhead): void => {
  listRoutes(app, context)
  memberRoutes(app, context, readAhead)
}

const listViewers =
  ({ viewerOf }: Context) =>
  async (caller: Caller) =>
    listViewerFor(readLists, await viewerOf(caller), caller.permissions.has('readlists:write'))

const listRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, viewerOf } = context
  const listViewerOf = listViewers(context)
  serveList(app, api.listReadLists, async ({ caller, query: { sort }, paging }) => {
    const listViewer = await listViewerOf(caller)
    const listing = { sort, paging, readDrawn: showBooksById, toEntry: toListed }
    return readAsOfNow(db, listViewer.viewer, () => listListsAtAGlance(db.readSlowly, listViewer, listing))
  })
  serveList(app, api.listReadListsOfBook, async ({ caller, params, paging }) =>
    listListsOf(db.readSlowly, await listViewerOf(caller), params.id, paging),
  )
  serve(app, api.createReadList, async ({ caller, body }) => createList(db, await listViewerOf(caller), body, clock()))
  serve(app, api.importReadList, async ({ caller, query, body }) =>
    importReadList(context, await viewerOf(caller), { ...query, bytes: body }, clock()),
  )
  serve(app, api.readReadList, async ({ caller, params }) =>
    readList(db.readSlowly, await listViewerOf(caller), params.id),
  )
  serve(app, api.updateReadList, async ({ caller, params, body, expectMatch }) =>
    changeList(db, await listViewerOf(caller), params.id, { patch: body, now: clock(), expectMatch }),
  )
  serve(app, api.deleteReadList, async ({ caller, params, expectMatch }) =>
    removeList(db, await listViewerOf(caller), params.id, { now: clock(), expectMatch }),
  )
}

const memberRoutes = (app: FastifyInstance, context: Context, readAhead: ReadListAhead): void => {
  const { db, clock, config } = context
  const listViewerOf = listViewers(context)
  const changeOf = async (caller: Caller) => ({ db, listViewer: await listViewerOf(caller), now: clock() })
  serveList(app, api.listBooksOfReadList, async ({ caller, params, query: { sort }, paging }) => {
    const listViewer = await listViewerOf(caller)
    return readAsOfNow(db, listViewer.viewer, () => listMembers(db.readSlowly, listViewer, params.id, { sort, paging }))
  })
  serve(app, api.addToReadList, async ({ caller, params, body }) =>
    addMembers(await changeOf(caller), params.id, body.bookIds),
  )
  serve(app, api.orderReadList, async ({ caller, params, body }) =>
    putInOrder(await changeOf(caller), params.id, body.bookIds),
  )
  serve(app, api.moveInReadList, async ({ caller, params: { id, bookId }, body }) =>
    moveTo(await changeOf(caller), id, { itemId: bookId, rank: body.position }),
  )
  serve(app, api.removeFromReadList, async ({ caller, params: { id, bookId } }) =>
    removeMember(await changeOf(caller), id, bookId),
  )
  serve(app, api.readNeighboursInReadList, async ({ caller, params: { id, bookId } }) =>
    readNeighbours(db.readSlowly, await listViewerOf(caller), id, bookId),
  )
  serve(app, api.readReadListAhead, async ({ caller, params }) =>
    readAhead(db, await listViewerOf(caller), params.id, clock()),
  )
  serveList(app, api.listMissingOfReadList, async ({ caller, params, paging }) =>
    listMissing(db.readSlowly, await listViewerOf(caller), params.id, paging),
  )
  serve(app, api.removeMissingOfReadList, async ({ caller, params: { id, entryId } }) =>
    removeMissing(await changeOf(caller), id, entryId),
  )
  serve(app, api.readReadListThumbnail, async ({ caller, params, reply }) => {
    const id = await firstMember(db.readSlowly, await listViewerOf(caller), params.id)
    void reply.header('location', config.basePath + api.addressOf(api.readBookThumbnail, { params: { id } }))
    void reply.header('cache-control', 'no-store')
    return undefined
  })
}
