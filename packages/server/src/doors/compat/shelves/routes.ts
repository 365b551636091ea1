import * as api from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { CompatContext } from '../dependencies.ts'
import { type ListKind, listViewerFor } from '../../../catalogue/member-lists/member-lists.ts'
import { collections } from '../../../features/collections/collections.ts'
import { matchReadList, readLists } from '../../../features/read-lists/read-lists.ts'
import { serve, type HandlerContext } from '../../../http/serve.ts'
import { compatViewerOf, type CompatPageRequest, pageServing } from '../catalogue/serve-page.ts'
import { uploadedFile } from '../../../platform/files/form-file.ts'
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
  openCompatCollections,
  openCompatReadLists,
} from './shelves.ts'

/** Collections and read lists. */
export const compatShelfRoutes = (app: FastifyInstance, context: CompatContext): void => {
  collectionRoutes(app, context)
  readListRoutes(app, context)
}

/** It returns who asks for collections or read lists of others, and whether they may change them. */
const keeping = <List>(app: FastifyInstance, context: CompatContext, kind: ListKind<List>) => {
  const readViewer = compatViewerOf(context)
  const page = pageServing(app, context)
  const asKeeper = ({ compatViewer, caller }: Pick<CompatPageRequest, 'compatViewer' | 'caller'>): Keeper<List> => ({
    ...compatViewer,
    ...listViewerFor(kind, compatViewer.viewer, caller.permissions.has(kind.mayChange)),
  })
  const keeperOf = async (input: Pick<HandlerContext, 'caller' | 'request'>) =>
    asKeeper({ compatViewer: await readViewer(input), caller: input.caller })
  const change = async (input: Pick<HandlerContext, 'caller' | 'request'>) => ({
    db: context.db,
    keeper: await keeperOf(input),
    now: context.clock(),
  })
  return { page, asKeeper, keeperOf, change }
}

const collectionRoutes = (app: FastifyInstance, context: CompatContext): void => {
  const { db } = context
  const { page, asKeeper, keeperOf, change } = keeping(app, context, collections)
  const id = ({ params }: { readonly params: { readonly id: string } }) => requireId(params.id, 'collection')
  page(api.listCompatCollections, (input) => openCompatCollections(context, asKeeper(input), input.query))
  serve(app, api.createCompatCollection, async (input) => createCompatCollection(await change(input), input.body))
  serve(app, api.readCompatCollection, async (input) =>
    readCompatCollection(db.readSlowly, await keeperOf(input), id(input)),
  )
  serve(app, api.changeCompatCollection, async (input) =>
    changeCompatCollection(await change(input), id(input), input.body),
  )
  serve(app, api.deleteCompatCollection, async (input) => deleteCompatList(await change(input), id(input)))
  page(
    api.listSeriesOfCompatCollection,
    (input) => seriesOfCollection(context, asKeeper(input), input.id, input.query),
    'collection',
  )
  serve(app, api.listCollectionsOfCompatSeries, async (input) =>
    collectionsOfSeries(db.readSlowly, await keeperOf(input), requireId(input.params.id, 'series')),
  )
}

const readListRoutes = (app: FastifyInstance, context: CompatContext): void => {
  const { db } = context
  const { page, asKeeper, keeperOf, change } = keeping(app, context, readLists)
  const id = ({ params }: { readonly params: { readonly id: string } }) => requireId(params.id, 'read list')
  page(api.listCompatReadLists, (input) => openCompatReadLists(context, asKeeper(input), input.query))
  serve(app, api.createCompatReadList, async (input) => createCompatReadList(await change(input), input.body))
  serve(app, api.readCompatReadList, async (input) =>
    readCompatReadList(db.readSlowly, await keeperOf(input), id(input)),
  )
  serve(app, api.changeCompatReadList, async (input) =>
    changeCompatReadList(await change(input), id(input), input.body),
  )
  serve(app, api.deleteCompatReadList, async (input) => deleteCompatList(await change(input), id(input)))
  serve(app, api.matchCompatReadList, async (input) => {
    const bytes = uploadedFile(input.body, input.request.headers['content-type'] ?? '')
    const keeper = await keeperOf(input)
    return toCompatMatch(await withListRefusal(matchReadList(context, keeper.viewer, bytes)), keeper.spelling)
  })
  page(
    api.listBooksOfCompatReadList,
    (input) => booksOfReadList(context, asKeeper(input), input.id, input.query),
    'read list',
  )
  for (const [endpoint, which] of [
    [api.readNextInCompatReadList, 'next'],
    [api.readPreviousInCompatReadList, 'prev'],
  ] as const)
    serve(app, endpoint, async (input) => {
      const bookId = requireId(input.params.bookId, 'book')
      return besideInReadList(context, await keeperOf(input), { id: id(input), bookId, which })
    })
  serve(app, api.listReadListsOfCompatBook, async (input) =>
    readListsOfBook(db.readSlowly, await keeperOf(input), requireId(input.params.id, 'book')),
  )
}
