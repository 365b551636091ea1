import * as api from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { type ListKind, listViewerFor } from '../../../catalogue/member-lists/member-lists.ts'
import { collections } from '../../../features/collections/collections.ts'
import { matchReadList, readLists } from '../../../features/read-lists/read-lists.ts'
import { serve, type HandlerContext } from '../../../http/serve.ts'
import { compatViewerOf, type CompatPageRequest, pageServing } from '../catalogue/serve-page.ts'
import { uploadedFile } from '../../../platform/form-file.ts'
import { requireId } from '../spelling.ts'
import {
  changeCompatCollection,
  changeCompatReadList,
  createCompatCollection,
  createCompatReadList,
  deleteCompatList,
} from './keeping.ts'
import { toCompatMatch, withListRefusal } from './match.ts'
import {
  besideInReadList,
  booksOfReadList,
  collectionsOfSeries,
  type Keeper,
  readCompatCollection,
  readCompatReadList,
  readListsOfBook,
  seriesOfCollection,
  wantedCollections,
  wantedReadLists,
} from './shelves.ts'

/** Collections and read lists. */
export const compatShelfRoutes = (app: FastifyInstance, context: Context): void => {
  collectionRoutes(app, context)
  readListRoutes(app, context)
}

/** It returns who asks for collections or read lists of others, and whether they may change them. */
const keeping = <List>(app: FastifyInstance, context: Context, kind: ListKind<List>) => {
  const look = compatViewerOf(context)
  const page = pageServing(app, context)
  const asKeeper = ({ compatViewer, caller }: Pick<CompatPageRequest, 'compatViewer' | 'caller'>): Keeper<List> => ({
    ...compatViewer,
    ...listViewerFor(kind, compatViewer.viewer, caller.permissions.has(kind.mayChange)),
  })
  const keeperOf = async (asked: Pick<HandlerContext, 'caller' | 'request'>) =>
    asKeeper({ compatViewer: await look(asked), caller: asked.caller })
  const change = async (asked: Pick<HandlerContext, 'caller' | 'request'>) => ({
    db: context.db,
    keeper: await keeperOf(asked),
    now: context.clock(),
  })
  return { page, asKeeper, keeperOf, change }
}

const collectionRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  const { page, asKeeper, keeperOf, change } = keeping(app, context, collections)
  const id = ({ params }: { readonly params: { readonly id: string } }) => requireId(params.id, 'collection')
  page(api.listCompatCollections, (asked) => wantedCollections(context, asKeeper(asked), asked.query))
  serve(app, api.createCompatCollection, async (asked) => createCompatCollection(await change(asked), asked.body))
  serve(app, api.readCompatCollection, async (asked) =>
    readCompatCollection(db.readSlowly, await keeperOf(asked), id(asked)),
  )
  serve(app, api.changeCompatCollection, async (asked) =>
    changeCompatCollection(await change(asked), id(asked), asked.body),
  )
  serve(app, api.deleteCompatCollection, async (asked) => deleteCompatList(await change(asked), id(asked)))
  page(
    api.listSeriesOfCompatCollection,
    (asked) => seriesOfCollection(context, asKeeper(asked), asked.id, asked.query),
    'collection',
  )
  serve(app, api.listCollectionsOfCompatSeries, async (asked) =>
    collectionsOfSeries(db.readSlowly, await keeperOf(asked), requireId(asked.params.id, 'series')),
  )
}

const readListRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  const { page, asKeeper, keeperOf, change } = keeping(app, context, readLists)
  const id = ({ params }: { readonly params: { readonly id: string } }) => requireId(params.id, 'read list')
  page(api.listCompatReadLists, (asked) => wantedReadLists(context, asKeeper(asked), asked.query))
  serve(app, api.createCompatReadList, async (asked) => createCompatReadList(await change(asked), asked.body))
  serve(app, api.readCompatReadList, async (asked) =>
    readCompatReadList(db.readSlowly, await keeperOf(asked), id(asked)),
  )
  serve(app, api.changeCompatReadList, async (asked) =>
    changeCompatReadList(await change(asked), id(asked), asked.body),
  )
  serve(app, api.deleteCompatReadList, async (asked) => deleteCompatList(await change(asked), id(asked)))
  serve(app, api.matchCompatReadList, async (asked) => {
    const bytes = uploadedFile(asked.body, asked.request.headers['content-type'] ?? '')
    const keeper = await keeperOf(asked)
    return toCompatMatch(await withListRefusal(matchReadList(context, keeper.viewer, bytes)), keeper.spelling)
  })
  page(
    api.listBooksOfCompatReadList,
    (asked) => booksOfReadList(context, asKeeper(asked), asked.id, asked.query),
    'read list',
  )
  for (const [endpoint, which] of [
    [api.readNextInCompatReadList, 'next'],
    [api.readPreviousInCompatReadList, 'prev'],
  ] as const)
    serve(app, endpoint, async (asked) => {
      const bookId = requireId(asked.params.bookId, 'book')
      return besideInReadList(db, await keeperOf(asked), { id: id(asked), bookId, which })
    })
  serve(app, api.listReadListsOfCompatBook, async (asked) =>
    readListsOfBook(db.readSlowly, await keeperOf(asked), requireId(asked.params.id, 'book')),
  )
}
