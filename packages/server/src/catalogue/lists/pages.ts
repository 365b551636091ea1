import type { Facets, Letters, ListAnswer } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { type Cursor, wrapCondition, lettersFrom, type Narrowing, randomStartOf } from '../../filtering/filtering.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import type { SearchSource } from '../search-index/search-index.ts'
import {
  type CachedLists,
  cachedLists,
  type ListView,
  readAsOfNow,
  seesWholeLibraries,
  type Viewer,
} from '../visibility/visibility.ts'
import {
  type Counted,
  isFiltered,
  isFasterRanked,
  type ListOrder,
  type ListQueries,
  type ListTypes,
  type Selection,
} from './queries.ts'

/** Skipping more rows than this takes longer than a request may hold the thread. */
const quickRowsMax = 1000
/** A search counts and lists no more than this (pins W11). */
const foundMax = 10_000
/** So many ids are cached for the next page. */
export const keptIdsMax = 1000
const facetValuesMax = 50

export interface ListOptions extends Narrowing {
  readonly fullTextSearch?: string | undefined
  readonly libraryId?: string | undefined
}

/** A condition over the rows, in the words of the database, instead of one that is checked. */
interface RawCondition {
  readonly holds?: RawBuilder<boolean> | undefined
}

type Total = Counted & { readonly totalIsLowerBound?: true }

interface PageTypes extends ListTypes {
  readonly options: ListOptions
  readonly sort: string
}

type Arranged<Types extends PageTypes> = Types['options'] & Arrangement<Types>

interface Arrangement<Types extends PageTypes> {
  readonly sort?: Types['sort'] | undefined
  readonly seed?: string | undefined
}

/** What tells lists of books from those of series. */
interface PagedKind<Types extends PageTypes> {
  readonly queries: ListQueries<Types>
  readonly selectionOf: (source: SearchSource, viewer: Viewer, options: Types['options']) => Promise<Selection>
  readonly usualSort: (selection: Selection) => Types['sort']
  readonly fieldOf: (name: string, selection: Selection) => Types['field']
  /** Counts a list that is not searched by a text. */
  readonly count: (db: ReadDb, viewer: Viewer, selection: Selection) => Promise<Counted>
  /** Whether an index has the list in its order. */
  readonly isInOrder: (viewer: Viewer, selection: Selection, order: { readonly field: Types['field'] }) => boolean
  /** These go by what the viewer has read or rated. */
  readonly ordersOfReaders: ReadonlySet<Types['field']>
  /** What is shown of a row is found so quickly that nothing need wait for it in another thread. */
  readonly isShownQuickly: boolean
}

/** How rows are shown to whoever looks, which is for the feature to say. */
type Show<Types extends PageTypes, Item> = (
  db: ReadDb,
  viewer: Viewer,
  rows: readonly Types['row'][],
) => Promise<Item[]>

/** It tells how a list is found, counted and read. */
const listOperations = <Types extends PageTypes>({ queries, ...kind }: PagedKind<Types>) => ({
  selectionOf: async (
    source: SearchSource,
    viewer: Viewer,
    { holds, ...options }: Types['options'] & RawCondition,
  ) => ({
    ...(await kind.selectionOf(source, viewer, options)),
    ...(holds && { narrowed: wrapCondition(holds) }),
  }),

  orderOf: (selection: Selection, { sort, seed }: Arrangement<Types>): ListOrder<Types['field']> => {
    const [name, direction] = (sort ?? kind.usualSort(selection)).split(',') as [string, 'asc' | 'desc']
    const field = kind.fieldOf(name, selection)
    return { field, direction, from: field === 'random' ? randomStartOf(seed) : undefined }
  },

  count: async (db: ReadDb, viewer: Viewer, selection: Selection): Promise<Total> => {
    if (!selection.text) return kind.count(db, viewer, selection)
    const count = await queries.countUpTo(db, viewer, selection, foundMax + 1)
    const total = Math.min(count, foundMax)
    return { total, libraryIds: [], ...(count > foundMax && { totalIsLowerBound: true as const }) }
  },

  /** Returns the list as it is read after it has been counted. */
  narrowToCounted: (
    viewer: Viewer,
    selection: Selection,
    order: ListOrder<Types['field']>,
    { ids, where, totalIsLowerBound }: Total,
  ): Selection => {
    if (isFasterRanked(viewer, selection, { order, isMany: totalIsLowerBound === true })) return selection
    const { text } = selection
    const sorted = { ...selection, ...(text && { text: { ...text, ranked: undefined } }) }
    if (totalIsLowerBound) return queries.limitToMax(viewer, sorted, foundMax)
    if (where) return { ...sorted, narrowed: wrapCondition(where) }
    return ids ? { ...sorted, narrowed: undefined, ids } : sorted
  },
})

interface ListContext<Types extends PageTypes> {
  readonly source: SearchSource
  readonly viewer: Viewer
  readonly kind: PagedKind<Types>
}

/** The rows of a page, and what is to be said of the whole list. */
interface Listed<Row> {
  readonly answer: Pick<Total, 'total' | 'totalIsLowerBound'>
  readonly rows: readonly Row[]
  readonly isOfReader: boolean
  readonly isQuick: boolean
}

const readRows = async <Types extends PageTypes>(
  { source, viewer, kind }: ListContext<Types>,
  cache: Pick<CachedLists<unknown, Listed<Types['row']>, Total>, 'view'>,
  options: Arranged<Types>,
  paging: Paging,
): Promise<Listed<Types['row']>> => {
  const { db } = source
  const { queries } = kind
  const { selectionOf, orderOf, count, narrowToCounted: onceCounted } = listOperations(kind)
  const selection = await selectionOf(source, viewer, options)
  const order = orderOf(selection, options)
  const isInIndex = seesWholeLibraries(viewer) && !isFiltered(selection)
  const isQuick = isInIndex && paging.offset + paging.limit <= quickRowsMax
  const reader = isQuick ? db.read : db.readSlowly
  const isOfReader = selection.narrowed?.isOfReader === true || kind.ordersOfReaders.has(order.field)
  const about = { isOfReader, isQuick }
  const view = isQuick ? undefined : await cache.view(viewer, options, isOfReader)
  const counting = () => count(reader, viewer, selection)
  const counted = await (view ? totalFrom(view, counting) : counting())
  const { libraryIds, ids: _ids, where: _where, among, ...answer } = counted
  const { total } = answer
  if (paging.offset >= total) return { answer, rows: [], ...about }
  const stretch = { offset: paging.offset, limit: Math.min(paging.limit, total - paging.offset), total }
  const page = { order, total, among, libraryIds }
  const readerFrom = (near: Cursor | undefined) =>
    isInIndex && near && Math.abs(near.offset - paging.offset) + paging.limit <= quickRowsMax ? db.read : reader
  const read = (near?: Cursor) =>
    queries.select(readerFrom(near), viewer, onceCounted(viewer, selection, order, counted), {
      ...page,
      paging: stretch,
      near,
    })
  const find = (offset: number, near?: Cursor) => queries.selectAt(reader, viewer, selection, { ...page, offset, near })
  const isJustRead = !view || !kind.isInOrder(viewer, selection, order)
  return { answer, rows: await (isJustRead ? read() : view.rows(stretch, { find, read })), ...about }
}

/** A list that has been counted, to be read in any parts of it: one page, or all of it part by part. */
interface OpenedList<Row> extends Pick<Total, 'total' | 'totalIsLowerBound'> {
  readonly rows: (part: Pick<Paging, 'offset' | 'limit'>) => Promise<Row[]>
}

export const listsOf = <Types extends PageTypes>(kind: PagedKind<Types>) => {
  const { queries } = kind
  const { selectionOf, orderOf, count, narrowToCounted: onceCounted } = listOperations(kind)
  return {
    /** What is asked for again is answered as before, until anything changes. */
    pages: <Item>(source: SearchSource, show: Show<Types, Item>) => {
      const { db } = source
      const cache = cachedLists<Item, Listed<Types['row']>, Total>(db)
      return (viewer: Viewer, options: Arranged<Types>, paging: Paging): ListAnswer<Item> | Promise<ListAnswer<Item>> =>
        cache.page(viewer, options, paging, async () => {
          const { answer, rows, isQuick } = await cache.listed(viewer, options, paging, () =>
            readRows({ source, viewer, kind }, cache, options, paging),
          )
          if (rows.length === 0) return { ...answer, data: [] }
          return { ...answer, data: await show(kind.isShownQuickly || isQuick ? db.read : db.readSlowly, viewer, rows) }
        })
    },

    open: async (
      source: SearchSource,
      viewer: Viewer,
      options: Arranged<Types> & RawCondition,
    ): Promise<OpenedList<Types['row']>> => {
      const selection = await selectionOf(source, viewer, options)
      const order = orderOf(selection, options)
      const counted = await count(source.db.readSlowly, viewer, selection)
      const { libraryIds, ids: _ids, where: _where, among, ...answer } = counted
      const { total } = answer
      const list = onceCounted(viewer, selection, order, counted)
      return {
        ...answer,
        rows: async ({ offset, limit }) => {
          if (offset >= total) return []
          const paging = { offset, limit: Math.min(limit, total - offset) }
          return queries.select(source.db.readSlowly, viewer, list, { order, paging, total, among, libraryIds })
        },
      }
    },

    /** The beginning of a list, however long it is. */
    first: (
      db: ReadDb,
      viewer: Viewer,
      order: Order<Types['field']>,
      { libraryId, limit }: { readonly libraryId?: string | undefined; readonly limit: number },
    ): Promise<Types['row'][]> =>
      queries.select(
        db,
        viewer,
        { libraryId },
        { order, paging: { offset: 0, limit }, total: Infinity, libraryIds: [] },
      ),

    ...groupCounts(kind),
  }
}

const groupCounts = <Types extends PageTypes>(kind: PagedKind<Types>) => {
  const { selectionOf } = listOperations(kind)
  return {
    /** By what stands first in the names as they are sorted. */
    letters: async (
      source: SearchSource,
      viewer: Viewer,
      options: Types['options'] & RawCondition,
      pageSize: number,
    ): Promise<Letters> => {
      const counts = await readAsOfNow(source.db, viewer, async () =>
        kind.queries.countFirstLetters(source.db.readSlowly, viewer, await selectionOf(source, viewer, options)),
      )
      return lettersFrom(counts, pageSize)
    },

    facets: async (
      source: SearchSource,
      viewer: Viewer,
      options: Types['options'] & { readonly facets: readonly Types['facet'][]; readonly limit?: number | undefined },
    ): Promise<Facets> => {
      const { facets, limit = facetValuesMax } = options
      return readAsOfNow(source.db, viewer, async () => {
        const selection = await selectionOf(source, viewer, options)
        const values: Facets['facets'] = {}
        for (const facet of facets)
          values[facet] = await kind.queries.countFacet(source.db.readSlowly, viewer, selection, { facet, limit })
        return { facets: values }
      })
    },
  }
}

/** Returns fresh ids when it has just counted, otherwise the cached total. */
const totalFrom = async (view: ListView<Total>, counting: () => Promise<Total>): Promise<Total> => {
  let now: Total | undefined
  const cachedTotal = await view.total(async () => {
    const { ids, ...total } = (now = await counting())
    return ids && ids.length <= keptIdsMax ? { ...total, ids } : total
  })
  return now ?? cachedTotal
}
