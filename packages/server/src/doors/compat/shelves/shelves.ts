import type { CollectionDto, ListAnswer, ReadListDto } from '@carrel/api'
import type { CompatBook, CompatCollection, CompatReadList, CompatSeries } from '@carrel/api/doors'
import type { Database, ReadDb } from '../../../database/database.ts'
import {
  collectionsBehind,
  listCollections,
  listCollectionsOf,
  onlookerFor,
  readCollection,
} from '../../../features/collections/collections.ts'
import { listReadLists, listReadListsOf, readReadList } from '../../../features/read-lists/read-lists.ts'
import { amongLibraries } from '../../../catalogue/visibility/visibility.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Paging, pagingOf } from '../../../platform/paging.ts'
import { type Source, wantedSeries, seriesHolding } from '../catalogue/lists.ts'
import type { Shown } from '../catalogue/pages.ts'
import { bookWish, firstIn, idsIn, type Parameters, seriesWish } from '../conditions/parameters.ts'
import { holds } from '../conditions/queries.ts'
import { equal } from '../conditions/wish.ts'
import { showCompatBooks } from '../records/book-record.ts'
import { type Onlooker, showCompatSeries } from '../records/series-record.ts'
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

/** It is a viewer, with whether they may change what they see. */
export interface Keeper extends Onlooker {
  readonly mayChange: boolean
  /** It caches what was worked out about automatic collections. */
  readonly known: ReturnType<typeof onlookerFor>['known']
}

/** A request narrowed to some libraries shows nothing empty, even to a user who may fill it. */
const within = (keeper: Keeper, query: Parameters) => {
  const libraries = idsIn(query, 'library_id')
  return libraries.length === 0 ? keeper : onlookerFor(amongLibraries(keeper.viewer, libraries), false)
}

/** A list of ours, in any parts of it. */
const inParts = async <Ours, Theirs>(
  list: (paging: Paging) => Promise<ListAnswer<Ours>>,
  show: (items: readonly Ours[]) => Promise<Theirs[]>,
): Promise<Shown<Theirs>> => {
  const { total } = await list({ ...pagingOf(1, 1), offset: 0, limit: 0 })
  return {
    total,
    isSorted: false,
    items: async (part) => show((await list({ ...pagingOf(1, part.limit), ...part })).data),
  }
}

// Collections

const showCompatCollections = async (
  db: ReadDb,
  { viewer, spelling }: Onlooker,
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

export const wantedCollections = (
  { db }: Source,
  keeper: Keeper,
  query: Parameters,
): Promise<Shown<CompatCollection>> => {
  const search = firstIn(query, 'search')
  return inParts(
    (paging) => listCollections(db.readSlowly, within(keeper, query), undefined, { ...paging, search }),
    (collections) => showCompatCollections(db.readSlowly, keeper, collections),
  )
}

export const readCompatCollection = async (db: ReadDb, keeper: Keeper, id: string): Promise<CompatCollection> => {
  const [collection] = await showCompatCollections(db, keeper, [await readCollection(db, keeper, id)])
  if (!collection) throw notFound('collection')
  return collection
}

/** Nobody puts one thing into more lists. */
const listsOfOneMax = 500

export const collectionsOfSeries = async (
  db: ReadDb,
  keeper: Keeper,
  seriesId: string,
): Promise<CompatCollection[]> => {
  const { data } = await listCollectionsOf(db, keeper, seriesId, pagingOf(1, listsOfOneMax))
  return showCompatCollections(db, keeper, data)
}

export const seriesOfCollection = async (
  source: Source,
  keeper: Keeper,
  id: string,
  query: Parameters,
): Promise<Shown<CompatSeries>> => {
  const reader = source.db.readSlowly
  const { automatic } = await readCollection(reader, keeper, id)
  const wish = seriesWish(query)
  if (automatic) return wantedSeries(source, keeper, { wish: { allOf: [equal('collectionId', id), wish] } })
  const narrowed = { viewer: keeper.viewer, id, holds: await seriesHolding(source, keeper, wish) }
  return {
    total: await countSeriesIn(reader, narrowed),
    isSorted: true,
    items: async (part) => showCompatSeries(reader, keeper, await selectSeriesIn(reader, narrowed, part)),
  }
}

// The rest of this file is about read lists.

const showCompatReadLists = async (
  db: ReadDb,
  { viewer, spelling }: Onlooker,
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

export const wantedReadLists = ({ db }: Source, keeper: Keeper, query: Parameters): Promise<Shown<CompatReadList>> => {
  const search = firstIn(query, 'search')
  return inParts(
    (paging) => listReadLists(db.readSlowly, within(keeper, query), undefined, { ...paging, search }),
    (readLists) => showCompatReadLists(db.readSlowly, keeper, readLists),
  )
}

export const readCompatReadList = async (db: ReadDb, keeper: Keeper, id: string): Promise<CompatReadList> => {
  const [readList] = await showCompatReadLists(db, keeper, [await readReadList(db, keeper, id)])
  if (!readList) throw notFound('read list')
  return readList
}

export const readListsOfBook = async (db: ReadDb, keeper: Keeper, bookId: string): Promise<CompatReadList[]> => {
  const { data } = await listReadListsOf(db, keeper, bookId, pagingOf(1, listsOfOneMax))
  return showCompatReadLists(db, keeper, data)
}

export const booksOfReadList = async (
  { db }: Source,
  keeper: Keeper,
  id: string,
  query: Parameters,
): Promise<Shown<CompatBook>> => {
  const { viewer } = keeper
  await readReadList(db.readSlowly, keeper, id)
  const narrowed = { viewer, id, holds: holds(bookWish(query), { target: 'books', viewer, automatic: new Map() }) }
  return {
    total: await countBooksIn(db.readSlowly, narrowed),
    isSorted: true,
    items: async (part) => showCompatBooks(db.readSlowly, keeper, await selectBooksIn(db.readSlowly, narrowed, part)),
  }
}

export const besideInReadList = async (
  { readSlowly }: Pick<Database, 'readSlowly'>,
  keeper: Keeper,
  { id, bookId, which }: { readonly id: string; readonly bookId: string; readonly which: 'prev' | 'next' },
): Promise<CompatBook> => {
  await readReadList(readSlowly, keeper, id)
  const beside = await selectBeside(readSlowly, keeper.viewer, id, bookId)
  const [book] = beside?.[which] ? await showCompatBooks(readSlowly, keeper, [beside[which]]) : []
  if (!book) throw notFound(which === 'next' ? 'book behind this one' : 'book before this one')
  return book
}
