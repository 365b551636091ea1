import {
  type Facets,
  type ListAnswer,
  type SeriesDto,
  type SeriesFacet,
  type SeriesLetters,
  seriesOrders,
  type SeriesSort,
} from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { keyOf, narrow, type Narrowing, startOf } from '../../../filtering/filtering.ts'
import type { Paging } from '../../../platform/paging.ts'
import { type SearchSource, textMatch } from '../../search-index/search-index.ts'
import { type KeptAnswers, keptAnswers, seesWholeLibraries, type Viewer } from '../../visibility/visibility.ts'
import { showSeries } from '../show.ts'
import {
  countFacet,
  countFirstLetters,
  type Counted,
  countSeries,
  countSeriesOfLibraries,
  countSeriesUpTo,
  isFiltered,
  selectKeptCounts,
  selectManySeries,
  type SeriesOrder,
  type SeriesSelection,
  someOf,
} from './queries.ts'

/** Skipping more rows than this takes longer than a request may hold the thread. */
const quickRowsMax = 1000
/** Of a search no more are counted, nor listed (pins W11). */
const foundMax = 10_000

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

/** So many pages are kept, if they are of at most so many rows, and so many totals. */
const keptMax = { pages: 64, rows: 100, totals: 500 }

/** What is asked for again is answered as before, until anything changes. */
export const listsOfSeries = (source: SearchSource) => {
  const pages = keptAnswers<ListAnswer<SeriesDto>>(source.db, keptMax.pages, ({ data }) => data.length <= keptMax.rows)
  const totals = keptAnswers<Total>(source.db, keptMax.totals)
  return (
    viewer: Viewer,
    wanted: WantedSeries & Arrangement,
    paging: Paging,
  ): ListAnswer<SeriesDto> | Promise<ListAnswer<SeriesDto>> => {
    const key = keyOf(wanted)
    const ask = () => listSeries(source, totals, viewer, { wanted, paging })
    return key === undefined ? ask() : pages(viewer, `${paging.offset} ${paging.limit} ${key}`, ask)
  }
}

const listSeries = async (
  source: SearchSource,
  totals: KeptAnswers<Total>,
  viewer: Viewer,
  { wanted: { sort, seed, ...wanted }, paging }: { wanted: WantedSeries & Arrangement; paging: Paging },
): Promise<ListAnswer<SeriesDto>> => {
  const selection = await selectionOf(source, viewer, wanted)
  const { db } = source
  const order = orderOf(selection, { sort, seed })
  const isQuick = seesWholeLibraries(viewer) && !isFiltered(selection) && paging.offset + paging.limit <= quickRowsMax
  const reader = isQuick ? db.read : db.readSlowly
  const key = isQuick ? undefined : keyOf(wanted)
  const counting = () => count(reader, viewer, selection)
  const { libraryIds, ...counted } = key === undefined ? await counting() : await totals(viewer, key, counting)
  if (paging.offset >= counted.total) return { ...counted, data: [] }
  const limit = Math.min(paging.limit, counted.total - paging.offset)
  const page = { order, paging: { limit, offset: paging.offset }, total: counted.total, libraryIds }
  const looked = counted.totalIsLowerBound ? someOf(viewer, selection, foundMax) : selection
  const rows = await selectManySeries(reader, viewer, looked, page)
  return { ...counted, data: await showSeries(reader, viewer, rows) }
}

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
  if (isFiltered(selection)) return { total: await countSeries(db, viewer, selection), libraryIds: [] }
  if (seesWholeLibraries(viewer)) return selectKeptCounts(db, viewer, selection.libraryId)
  if (selection.libraryId === undefined) return countSeriesOfLibraries(db, viewer)
  return { total: await countSeries(db, viewer, selection), libraryIds: [selection.libraryId] }
}

/** Folded letters are never upper case: what looks like one says how long a number is. */
const isLetter = /^(?!\p{Lu})\p{L}/u

/** By what stands first in the names as they are sorted; digits and all that is no letter are one. */
export const lettersOf = async (
  source: SearchSource,
  viewer: Viewer,
  wanted: WantedSeries,
  pageSize: number,
): Promise<SeriesLetters> => {
  const counts = await countFirstLetters(source.db.readSlowly, viewer, await selectionOf(source, viewer, wanted))
  const letters = new Map<string, { letter: string; count: number; page: number }>()
  let before = 0
  for (const { first, count } of counts) {
    const letter = isLetter.test(first) ? first.toUpperCase() : '#'
    const known = letters.get(letter)
    if (known) known.count += count
    else letters.set(letter, { letter, count, page: Math.floor(before / pageSize) + 1 })
    before += count
  }
  return { letters: [...letters.values()] }
}

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
