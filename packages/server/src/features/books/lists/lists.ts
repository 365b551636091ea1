import { type BookDto, type BookFacet, bookOrders, type BookSort, type Facets, type ListAnswer } from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { narrow, type Narrowing, startOf } from '../../../filtering/filtering.ts'
import type { Paging } from '../../../platform/paging.ts'
import { seesWholeLibraries, seesWholeSeries, type Viewer } from '../../visibility/visibility.ts'
import { showBooks } from '../show.ts'
import {
  type BookOrder,
  type BookSelection,
  countBooks,
  countBooksOfLibraries,
  countBooksUpTo,
  type Counted,
  countFacet,
  isFiltered,
  selectBooks,
  selectKeptCountOfSeries,
  selectKeptCounts,
} from './queries.ts'

/** Skipping more rows than this takes longer than a request may hold the thread. */
const quickRowsMax = 1000
/** Of a search no more are counted, nor listed (pins W11). */
const foundMax = 10_000

export interface WantedBooks extends Narrowing {
  readonly libraryId?: string | undefined
  readonly seriesId?: string | undefined
  readonly includeDeleted?: boolean | undefined
}

interface Arrangement {
  readonly sort?: BookSort | undefined
  readonly seed?: string | undefined
}

const selectionOf = (
  viewer: Viewer,
  { libraryId, seriesId, includeDeleted, ...narrowing }: WantedBooks,
): BookSelection => ({ libraryId, seriesId, includeDeleted, ...narrow(narrowing, { target: 'books', viewer }) })

export const listBooks = async (
  db: Database,
  viewer: Viewer,
  { sort, seed, ...wanted }: WantedBooks & Arrangement,
  paging: Paging,
): Promise<ListAnswer<BookDto>> => {
  const selection = selectionOf(viewer, wanted)
  const order = orderOf(selection, { sort, seed })
  const isQuick = seesWholeLibraries(viewer) && !isFiltered(selection) && paging.offset + paging.limit <= quickRowsMax
  const reader = isQuick ? db.read : db.readSlowly
  const { libraryIds, ...counted } = await count(reader, viewer, selection)
  if (paging.offset >= counted.total) return { ...counted, data: [] }
  const limit = Math.min(paging.limit, counted.total - paging.offset)
  const page = { order, paging: { limit, offset: paging.offset }, total: counted.total, libraryIds }
  const rows = await selectBooks(reader, viewer, selection, page)
  return { ...counted, data: await showBooks(db.read, viewer, rows) }
}

const orderOf = ({ text, seriesId }: BookSelection, { sort, seed }: Arrangement): BookOrder => {
  const fallback: BookSort = text ? 'relevance,desc' : seriesId === undefined ? 'name,asc' : 'number,asc'
  const [name, direction] = (sort ?? fallback).split(',') as [keyof typeof bookOrders, 'asc' | 'desc']
  const field = bookOrders[name]
  if (field === 'number' && seriesId !== undefined) return { field: 'place', direction }
  return { field, direction, from: field === 'random' ? startOf(seed) : undefined }
}

type Total = Counted & { readonly totalIsLowerBound?: true }

const count = async (db: ReadDb, viewer: Viewer, selection: BookSelection): Promise<Total> => {
  const { libraryId, seriesId } = selection
  if (selection.text) {
    const found = await countBooksUpTo(db, viewer, selection, foundMax + 1)
    const total = Math.min(found, foundMax)
    return { total, libraryIds: [], ...(found > foundMax && { totalIsLowerBound: true as const }) }
  }
  if (isFiltered(selection)) return { total: await countBooks(db, viewer, selection), libraryIds: [] }
  if (seriesId === undefined && libraryId === undefined && !seesWholeLibraries(viewer))
    return countBooksOfLibraries(db, viewer, selection)
  const kept = await keptCount(db, viewer, selection)
  if (!kept) return { total: await countBooks(db, viewer, selection), libraryIds: [] }
  const missing = selection.includeDeleted ? await countBooks(db, viewer, selection, ['missing']) : 0
  return { ...kept, total: kept.total + missing }
}

/** Kept numbers where the viewer sees all of what was counted. */
const keptCount = async (db: ReadDb, viewer: Viewer, selection: BookSelection): Promise<Counted | undefined> => {
  if (selection.seriesId !== undefined) {
    if (!seesWholeSeries(viewer)) return undefined
    return { total: await selectKeptCountOfSeries(db, viewer, selection), libraryIds: [] }
  }
  return seesWholeLibraries(viewer) ? selectKeptCounts(db, viewer, selection.libraryId) : undefined
}

const facetValuesMax = 50

export const bookFacetsOf = async (
  db: Database,
  viewer: Viewer,
  {
    facets,
    limit = facetValuesMax,
    ...wanted
  }: WantedBooks & { readonly facets: readonly BookFacet[]; readonly limit?: number | undefined },
): Promise<Facets> => {
  const selection = selectionOf(viewer, wanted)
  const values: Facets['facets'] = {}
  for (const facet of facets) values[facet] = await countFacet(db.readSlowly, viewer, selection, { facet, limit })
  return { facets: values }
}
