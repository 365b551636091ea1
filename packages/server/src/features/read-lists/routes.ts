import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Caller } from '../../http/caller.ts'
import { serve, serveList } from '../../http/serve.ts'
import { importReadList } from './import/import-list.ts'
import {
  addMembers,
  firstMember,
  listMembers,
  listMissing,
  moveTo,
  putInOrder,
  readNeighbours,
  removeMember,
  removeMissing,
} from './members.ts'
import type { Onlooker } from './queries.ts'
import {
  changeReadList,
  createReadList,
  listReadLists,
  listReadListsOf,
  readReadList,
  removeReadList,
} from './read-lists.ts'

export const readListRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, viewerOf } = context
  const onlookerOf = async (caller: Caller): Promise<Onlooker> => ({
    viewer: await viewerOf(caller),
    mayChange: caller.permissions.has('readlists:write'),
  })
  serveList(app, api.listReadLists, async ({ caller, query, paging }) =>
    listReadLists(db.readSlowly, await onlookerOf(caller), query.sort, paging),
  )
  serveList(app, api.listReadListsOfBook, async ({ caller, params, paging }) =>
    listReadListsOf(db.readSlowly, await onlookerOf(caller), params.id, paging),
  )
  serve(app, api.createReadList, async ({ caller, body }) =>
    createReadList(db, await onlookerOf(caller), body, clock()),
  )
  serve(app, api.importReadList, async ({ caller, query, body }) =>
    importReadList(context, await onlookerOf(caller), { ...query, bytes: body }, clock()),
  )
  serve(app, api.readReadList, async ({ caller, params }) =>
    readReadList(db.readSlowly, await onlookerOf(caller), params.id),
  )
  serve(app, api.updateReadList, async ({ caller, params, body, expectMatch }) =>
    changeReadList(db, await onlookerOf(caller), params.id, { patch: body, now: clock(), expectMatch }),
  )
  serve(app, api.deleteReadList, async ({ caller, params, expectMatch }) =>
    removeReadList(db, await onlookerOf(caller), params.id, { now: clock(), expectMatch }),
  )
  memberRoutes(app, context, onlookerOf)
}

const memberRoutes = (
  app: FastifyInstance,
  { db, clock, config }: Context,
  onlookerOf: (caller: Caller) => Promise<Onlooker>,
): void => {
  const changeOf = async (caller: Caller) => ({ db, onlooker: await onlookerOf(caller), now: clock() })
  serveList(app, api.listBooksOfReadList, async ({ caller, params, query, paging }) =>
    listMembers(db.readSlowly, await onlookerOf(caller), params.id, { sort: query.sort, paging }),
  )
  serve(app, api.addToReadList, async ({ caller, params, body }) =>
    addMembers(await changeOf(caller), params.id, body.bookIds),
  )
  serve(app, api.orderReadList, async ({ caller, params, body }) =>
    putInOrder(await changeOf(caller), params.id, body.bookIds),
  )
  serve(app, api.moveInReadList, async ({ caller, params: { id, bookId }, body }) =>
    moveTo(await changeOf(caller), id, { bookId, place: body.position }),
  )
  serve(app, api.removeFromReadList, async ({ caller, params: { id, bookId } }) =>
    removeMember(await changeOf(caller), id, bookId),
  )
  serve(app, api.readNeighboursInReadList, async ({ caller, params: { id, bookId } }) =>
    readNeighbours(db.readSlowly, await onlookerOf(caller), id, bookId),
  )
  serveList(app, api.listMissingOfReadList, async ({ caller, params, paging }) =>
    listMissing(db.readSlowly, await onlookerOf(caller), params.id, paging),
  )
  serve(app, api.removeMissingOfReadList, async ({ caller, params: { id, entryId } }) =>
    removeMissing(await changeOf(caller), id, entryId),
  )
  serve(app, api.readReadListThumbnail, async ({ caller, params, reply }) => {
    const id = await firstMember(db.readSlowly, await onlookerOf(caller), params.id)
    void reply.header('location', config.basePath + api.addressOf(api.readBookThumbnail, { params: { id } }))
    void reply.header('cache-control', 'no-store')
    return undefined
  })
}
