import type { CollectionDto, ReadListDto } from '@carrel/api'
import type { CompatBook, CompatCollection, CompatReadList, CompatSeries } from '@carrel/api/doors'
import type { ReadDb } from '../../../database/database.ts'
import {
  listLists,
  listListsOf,
  listViewerFor,
  type ListViewer,
  readList,
} from '../../../catalogue/member-lists/member-lists.ts'
import { collectionsBehind } from '../../../features/collections/collections.ts'
import { amongLibraries } from '../../../catalogue/visibility/visibility.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Paging, pagingOf } from '../../../platform/paging.ts'
import { type Source, openCompatSeries, seriesHolding } from '../catalogue/lists.ts'
import type { Shown } from '../catalogue/pages.ts'
import { bookOptions, firstIn, idsIn, type Parameters, seriesOptions } from '../conditions/parameters.ts'
import { holds } from '../conditions/queries.ts'
import { equal } from '../conditions/list-options.ts'
import type { CompatViewer } from '../records/series-record.ts'
import { timestamp } from '../spelling.ts'
import {
  countBooksIn,
  countSeriesIn,
  selectBeside,
  selectBooksIn,
  selectBooksOf,
  selectFulfilling,
  selectSeriesIn,
  selectSeriesOf,
} from './queries.ts'

/** It is a viewer of collections, or of read lists, with whether they may change them. */
export type Keeper<List> = CompatViewer & ListViewer<List>
export type CollectionKeeper = Keeper<CollectionDto>
export type ReadListKeeper = Keeper<ReadListDto>

type ShowLists<List, Shown> = (db: ReadDb, keeper: Keeper<List>, lists: readonly List[]) => Promise<Shown[]>

/** A list of ours, in any parts of it. A request narrowed to some libraries shows nothing empty, even to a user who may fill it. */
const openLists =
  <List, Theirs>(show: ShowLists<List, Theirs>) =>
  async ({ db }: Source, keeper: Keeper<List>, query: Parameters): Promise<Shown<Theirs>> => {
    const [search, libraries] = [firstIn(query, 'search'), idsIn(query, 'library_id')]
    const compatViewer =
      libraries.length === 0 ? keeper : listViewerFor(keeper.kind, amongLibraries(keeper.viewer, libraries), false)
    const list = (part: Pick<Paging, 'offset' | 'limit'>) =>
      listLists(db.readSlowly, compatViewer, undefined, { ...pagingOf(1, part.limit), ...part, search })
    const { total } = await list({ offset: 0, limit: 0 })
    return { total, isSorted: false, items: async (part) => show(db.readSlowly, keeper, (await list(part)).data) }
  }

const readOne =
  <List, Theirs>(show: ShowLists<List, Theirs>) =>
  async (db: ReadDb, keeper: Keeper<List>, id: string): Promise<Theirs> => {
    const [list] = await show(db, keeper, [await readList(db, keeper, id)])
    if (!list) throw notFound(keeper.kind.name)
    return list
  }

/** Nobody puts one thing into more lists. */
const listsOfOneMax = 500

const listsHolding =
  <List, Theirs>(show: ShowLists<List, Theirs>) =>
  async (db: ReadDb, keeper: Keeper<List>, itemId: string): Promise<Theirs[]> =>
    show(db, keeper, (await listListsOf(db, keeper, itemId, pagingOf(1, listsOfOneMax))).data)

// Collections

const showCompatCollections = async (
  db: ReadDb,
  { viewer, spelling }: CompatViewer,
  collections: readonly CollectionDto[],
): Promise<CompatCollection[]> => {
  const idsOf = (some: readonly CollectionDto[]) => some.map(({ id }) => id)
  const automatic = idsOf(collections.filter((each) => each.automatic))
  const conditions = automatic.length === 0 ? new Map() : await collectionsBehind(db, viewer, automatic)
  const members = await selectSeriesOf(db, viewer, idsOf(collections))
  const fulfilling = await selectFulfilling(db, viewer, conditions)
  return collections.map(({ id, name, ordered, createdAt, updatedAt }) => ({
    id: spelling.outId(id),
    name,
    ordered,
    seriesIds: (members.get(id) ?? fulfilling.get(id) ?? []).map(spelling.outId),
    createdDate: timestamp(createdAt),
    lastModifiedDate: timestamp(updatedAt),
    filtered: false,
  }))
}

export const openCompatCollections = openLists(showCompatCollections)
export const readCompatCollection = readOne(showCompatCollections)
export const collectionsOfSeries = listsHolding(showCompatCollections)

export const seriesOfCollection = async (
  source: Source,
  keeper: CollectionKeeper,
  id: string,
  query: Parameters,
): Promise<Shown<CompatSeries>> => {
  const reader = source.db.readSlowly
  const { automatic } = await readList(reader, keeper, id)
  const options = seriesOptions(query)
  if (automatic) return openCompatSeries(source, keeper, { options: { allOf: [equal('collectionId', id), options] } })
  const narrowed = { viewer: keeper.viewer, id, holds: await seriesHolding(source, keeper, options) }
  return {
    total: await countSeriesIn(reader, narrowed),
    isSorted: true,
    items: async (part) => source.records.series(keeper, await selectSeriesIn(reader, narrowed, part)),
  }
}

// The rest of this file is about read lists.

const showCompatReadLists = async (
  db: ReadDb,
  { viewer, spelling }: CompatViewer,
  readLists: readonly ReadListDto[],
): Promise<CompatReadList[]> => {
  const members = await selectBooksOf(
    db,
    viewer,
    readLists.map(({ id }) => id),
  )
  return readLists.map(({ id, name, summary, ordered, createdAt, updatedAt }) => ({
    id: spelling.outId(id),
    name,
    summary: summary ?? '',
    ordered,
    bookIds: (members.get(id) ?? []).map(spelling.outId),
    createdDate: timestamp(createdAt),
    lastModifiedDate: timestamp(updatedAt),
    filtered: false,
  }))
}

export const openCompatReadLists = openLists(showCompatReadLists)
export const readCompatReadList = readOne(showCompatReadLists)
export const readListsOfBook = listsHolding(showCompatReadLists)

export const booksOfReadList = async (
  { db, records }: Source,
  keeper: ReadListKeeper,
  id: string,
  query: Parameters,
): Promise<Shown<CompatBook>> => {
  const { viewer } = keeper
  await readList(db.readSlowly, keeper, id)
  const narrowed = { viewer, id, holds: holds(bookOptions(query), { target: 'books', viewer, automatic: new Map() }) }
  return {
    total: await countBooksIn(db.readSlowly, narrowed),
    isSorted: true,
    items: async (part) => records.books(keeper, await selectBooksIn(db.readSlowly, narrowed, part)),
  }
}

export const besideInReadList = async (
  { db: { readSlowly }, records }: Pick<Source, 'db' | 'records'>,
  keeper: ReadListKeeper,
  { id, bookId, which }: { readonly id: string; readonly bookId: string; readonly which: 'prev' | 'next' },
): Promise<CompatBook> => {
  await readList(readSlowly, keeper, id)
  const beside = await selectBeside(readSlowly, keeper.viewer, id, bookId)
  const [book] = beside?.[which] ? await records.books(keeper, [beside[which]]) : []
  if (!book) throw notFound(which === 'next' ? 'book behind this one' : 'book before this one')
  return book
}
