import {
  type Facets,
  type Letters,
  type ListAnswer,
  type SeriesDto,
  type SeriesFacet,
  seriesOrders,
  type SeriesSort,
} from '@carrel/api'
import type { RawBuilder } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { type Anchor, byItself, lettersFrom, narrow, type Narrowing, startOf } from '../../../filtering/filtering.ts'
import type { Paging } from '../../../platform/paging.ts'
import { type SearchSource, textMatch } from '../../search-index/search-index.ts'
import { type KeptLists, keptLists, seesWholeLibraries, type Viewer } from '../../visibility/visibility.ts'
import type { ListedSeries } from '../kinds.ts'
import {
  countFacet,
  countFirstLetters,
  type Counted,
  countSeries,
  countSeriesOfLibraries,
  countSeriesUpTo,
  isFiltered,
  isInOrder,
  selectKeptCounts,
  selectManySeries,
  selectSeriesAt,
  selectSomeIds,
  type SeriesOrder,
  type SeriesSelection,
  someOf,
} from './queries.ts'

/** Skipping more rows than this takes longer than a request may hold the thread. */
const quickRowsMax = 1000
/** A search counts and lists no more than this (pins W11). */
const foundMax = 10_000
/** Up to this many are found and counted in one statement and put into order by their ids. */
const keptIdsMax = 1000

export interface WantedSeries extends Narrowing {
  readonly fullTextSearch?: string | undefined
  readonly libraryId?: string | undefined
}

interface Arrangement {
  readonly sort?: SeriesSort | undefined
  readonly seed?: string | undefined
}

const selectionOf = async (
  source: SearchSource,
  viewer: Viewer,
  { libraryId, fullTextSearch, ...narrowing }: WantedSeries,
): Promise<SeriesSelection> => ({
  libraryId,
  narrowed: narrow(narrowing, { target: 'series', viewer }),
  text: await textMatch(source, viewer, 'series', fullTextSearch),
})

/** How rows are shown to whoever looks, which is for the feature to say. */
type ShowSeries = (db: ReadDb, viewer: Viewer, rows: readonly ListedSeries[]) => Promise<SeriesDto[]>

/** What is asked for again is answered as before, until anything changes. */
export const listsOfSeries = (source: SearchSource, show: ShowSeries) => {
  const kept = keptLists<SeriesDto, Total>(source.db)
  return (
    viewer: Viewer,
    wanted: WantedSeries & Arrangement,
    paging: Paging,
  ): ListAnswer<SeriesDto> | Promise<ListAnswer<SeriesDto>> =>
    kept.page(viewer, wanted, paging, () => listSeries(source, { kept, show }, viewer, { wanted, paging }))
}

/** A list that has been counted, to be read in any parts of it: one page, or all of it part by part. */
interface OpenedSeries extends Counting {
  readonly rows: (part: Pick<Paging, 'offset' | 'limit'>) => Promise<ListedSeries[]>
}

type Counting = Pick<Total, 'total' | 'totalIsLowerBound'>

export const openSeries = async (
  source: SearchSource,
  viewer: Viewer,
  wanted: WantedSeries & Arrangement & { readonly holds?: RawBuilder<boolean> | undefined },
): Promise<OpenedSeries> => {
  const { holds, sort, seed, ...rest } = wanted
  const selection = { ...(await selectionOf(source, viewer, rest)), ...(holds && { narrowed: byItself(holds) }) }
  const order = orderOf(selection, { sort, seed })
  const reader = source.db.readSlowly
  const { libraryIds, ...counted } = await count(reader, viewer, selection)
  const { total } = counted
  const looked = counted.totalIsLowerBound ? someOf(viewer, selection, foundMax) : selection
  return {
    ...counted,
    rows: async ({ offset, limit }) => {
      if (offset >= total) return []
      const paging = { offset, limit: Math.min(limit, total - offset) }
      return selectManySeries(reader, viewer, looked, { order, paging, total, libraryIds })
    },
  }
}

/** How many of them begin with which letter, as their names are sorted. */
export const countSeriesByLetter = async (
  source: SearchSource,
  viewer: Viewer,
  { holds, ...wanted }: WantedSeries & { readonly holds?: RawBuilder<boolean> | undefined },
): Promise<Letters> => {
  const selection = { ...(await selectionOf(source, viewer, wanted)), ...(holds && { narrowed: byItself(holds) }) }
  return lettersFrom(await countFirstLetters(source.db.readSlowly, viewer, selection), 1)
}

const listSeries = async (
  source: SearchSource,
  { kept, show }: { readonly kept: KeptLists<SeriesDto, Total>; readonly show: ShowSeries },
  viewer: Viewer,
  { wanted, paging }: { wanted: WantedSeries & Arrangement; paging: Paging },
): Promise<ListAnswer<SeriesDto>> => {
  const { db } = source
  const selection = await selectionOf(source, viewer, wanted)
  const order = orderOf(selection, wanted)
  const isQuick = seesWholeLibraries(viewer) && !isFiltered(selection) && paging.offset + paging.limit <= quickRowsMax
  const reader = isQuick ? db.read : db.readSlowly
  const look = isQuick ? undefined : await kept.look(viewer, wanted)
  const counting = () => count(reader, viewer, selection)
  const { libraryIds, found, ...counted } = await (look ? look.total(counting) : counting())
  const { total } = counted
  if (paging.offset >= total) return { ...counted, data: [] }
  const stretch = { offset: paging.offset, limit: Math.min(paging.limit, total - paging.offset), total }
  const looked = counted.totalIsLowerBound
    ? someOf(viewer, selection, foundMax)
    : found
      ? { ...selection, narrowed: undefined, found }
      : selection
  const read = (near?: Anchor) =>
    selectManySeries(reader, viewer, looked, { order, paging: stretch, total, libraryIds, near })
  const find = (offset: number, near?: Anchor) =>
    selectSeriesAt(reader, viewer, selection, { order, offset, total, libraryIds, near })
  const rows = await (!look || !isInOrder(viewer, selection, order) ? read() : look.rows(stretch, { find, read }))
  return { ...counted, data: await show(reader, viewer, rows) }
}

/** The beginning of a list, however long it is. */
export const firstSeries = (
  db: ReadDb,
  viewer: Viewer,
  order: { readonly field: 'createdAt' | 'updatedAt'; readonly direction: 'desc' },
  { libraryId, limit }: { readonly libraryId?: string | undefined; readonly limit: number },
): Promise<ListedSeries[]> =>
  selectManySeries(db, viewer, { libraryId }, { order, paging: { offset: 0, limit }, total: Infinity, libraryIds: [] })

const orderOf = ({ text }: SeriesSelection, { sort, seed }: Arrangement): SeriesOrder => {
  const [name, direction] = (sort ?? (text ? 'relevance,desc' : 'name,asc')).split(',') as [
    keyof typeof seriesOrders,
    'asc' | 'desc',
  ]
  const field = seriesOrders[name]
  return { field, direction, from: field === 'random' ? startOf(seed) : undefined }
}

type Total = Counted & { readonly totalIsLowerBound?: true }

/** Kept numbers where the viewer sees all of what was counted; else it is counted. */
const count = async (db: ReadDb, viewer: Viewer, selection: SeriesSelection): Promise<Total> => {
  if (selection.text) {
    const found = await countSeriesUpTo(db, viewer, selection, foundMax + 1)
    const total = Math.min(found, foundMax)
    return { total, libraryIds: [], ...(found > foundMax && { totalIsLowerBound: true as const }) }
  }
  if (isFiltered(selection)) {
    const found = await selectSomeIds(db, viewer, selection, keptIdsMax + 1)
    if (found.length <= keptIdsMax) return { total: found.length, libraryIds: [], found }
    return { total: await countSeries(db, viewer, selection), libraryIds: [] }
  }
  if (seesWholeLibraries(viewer)) return selectKeptCounts(db, viewer, selection.libraryId)
  if (selection.libraryId === undefined) return countSeriesOfLibraries(db, viewer)
  return { total: await countSeries(db, viewer, selection), libraryIds: [selection.libraryId] }
}

/** By what stands first in the names as they are sorted. */
export const seriesLettersOf = async (
  source: SearchSource,
  viewer: Viewer,
  wanted: WantedSeries,
  pageSize: number,
): Promise<Letters> =>
  lettersFrom(
    await countFirstLetters(source.db.readSlowly, viewer, await selectionOf(source, viewer, wanted)),
    pageSize,
  )

const facetValuesMax = 50

export const seriesFacetsOf = async (
  source: SearchSource,
  viewer: Viewer,
  {
    facets,
    limit = facetValuesMax,
    ...wanted
  }: WantedSeries & { readonly facets: readonly SeriesFacet[]; readonly limit?: number | undefined },
): Promise<Facets> => {
  const selection = await selectionOf(source, viewer, wanted)
  const values: Facets['facets'] = {}
  for (const facet of facets)
    values[facet] = await countFacet(source.db.readSlowly, viewer, selection, { facet, limit })
  return { facets: values }
}
