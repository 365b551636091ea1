import {
  type BookDto,
  type BookFacet,
  bookOrders,
  type BookSort,
  type Facets,
  type Letters,
  type ListAnswer,
} from '@carrel/api'
import type { RawBuilder } from 'kysely'
import type { Database, ReadDb } from '../../../database/database.ts'
import {
  type Anchor,
  byItself,
  lettersFrom,
  narrow,
  type Narrowed,
  type Narrowing,
  seriesApart,
  startOf,
  type Term,
} from '../../../filtering/filtering.ts'
import type { Paging } from '../../../platform/paging.ts'
import { type SearchSource, textMatch } from '../../search-index/search-index.ts'
import {
  type KeptLists,
  keptLists,
  type ListView,
  seesEverything,
  seesWholeLibraries,
  seesWholeSeries,
  type Viewer,
} from '../../visibility/visibility.ts'
import type { ListedBook } from '../kinds.ts'
import {
  type BookOrder,
  type BookSelection,
  countBooks,
  countBooksOfLibraries,
  countBooksOfTerm,
  countBooksUpTo,
  type Counted,
  countFacet,
  countFirstLetters,
  countLanguages,
  hasEachTermBooks,
  isFiltered,
  narrowedToLanguage,
  selectBookAt,
  selectBooks,
  selectKeptCountOfSeries,
  selectKeptCounts,
  selectSomeIds,
  someOf,
} from './queries.ts'

/** Skipping more rows than this takes longer than a request may hold the thread. */
const quickRowsMax = 1000
/** A search counts and lists no more than this (pins W11). */
const foundMax = 10_000
/** Up to this many are found and counted in one statement and put into order by their ids; so many ids are cached for the next page. */
const foundAtOnceMax = 5000
const keptIdsMax = 1000

export interface WantedBooks extends Narrowing {
  readonly fullTextSearch?: string | undefined
  readonly libraryId?: string | undefined
  readonly seriesId?: string | undefined
  readonly includeDeleted?: boolean | undefined
  /** The language is that of their series. */
  readonly language?: string | undefined
}

interface Arrangement {
  readonly sort?: BookSort | undefined
  readonly seed?: string | undefined
}

const selectionOf = async (
  source: SearchSource,
  viewer: Viewer,
  { libraryId, seriesId: ofSeries, includeDeleted, fullTextSearch, condition, language, ...names }: WantedBooks,
): Promise<BookSelection> => {
  const apart = ofSeries === undefined ? seriesApart(condition) : { seriesId: ofSeries, rest: condition }
  const { seriesId } = apart
  const narrowed = narrow({ ...names, condition: apart.rest }, { target: 'books', viewer })
  const inLanguage = language === undefined ? narrowed : narrowedToLanguage(narrowed, language)
  return {
    libraryId,
    seriesId,
    includeDeleted,
    narrowed: await asGathered(source.db, viewer, inLanguage, { libraryId, seriesId }),
    text: await textMatch(source, viewer, 'book', fullTextSearch),
  }
}

/** A term of so many books is looked for in those that have the text, and not the other way round. */
const commonFrom = 20_000
const comparedMax = 10

/** The same condition, asked in the way that takes least. */
export const asGathered = async (
  { dialect, readSlowly }: Pick<Database, 'dialect' | 'readSlowly'>,
  viewer: Viewer,
  narrowed: Narrowed | undefined,
  { libraryId, seriesId }: Pick<BookSelection, 'libraryId' | 'seriesId'>,
): Promise<Narrowed | undefined> => {
  if (!narrowed || seriesId !== undefined) return narrowed
  const { looksIntoRows, isOnePart, termsBesideText, written } = narrowed
  const isAlone = isOnePart && libraryId === undefined && seesEverything(viewer)
  const isApart = looksIntoRows && dialect.indexesAnyText && !isAlone
  const terms = termsBesideText.slice(0, comparedMax)
  const areCommon = terms.length > 0 && (await hasEachTermBooks(readSlowly, terms, commonFrom))
  if (!isApart && !areCommon) return narrowed
  const way = { terms: areCommon ? 'walked' : 'gathered', texts: isApart ? 'apart' : 'with the rest' } as const
  return { ...narrowed, gathered: written(way), looksIntoRows: looksIntoRows && !isApart }
}

/** How rows are shown to whoever looks, which is for the feature to say. */
type ShowBooks = (db: ReadDb, viewer: Viewer, rows: readonly ListedBook[]) => Promise<BookDto[]>

/** What is asked for again is answered as before, until anything changes. */
export const listsOfBooks = (source: SearchSource, show: ShowBooks) => {
  const kept = keptLists<BookDto, Total>(source.db)
  return (
    viewer: Viewer,
    wanted: WantedBooks & Arrangement,
    paging: Paging,
  ): ListAnswer<BookDto> | Promise<ListAnswer<BookDto>> =>
    kept.page(viewer, wanted, paging, () => listBooks(source, { kept, show }, viewer, { wanted, paging }))
}

/** A list that has been counted, to be read in any parts of it: one page, or all of it part by part. */
interface OpenedBooks extends Pick<Total, 'total' | 'totalIsLowerBound'> {
  readonly rows: (part: Pick<Paging, 'offset' | 'limit'>) => Promise<ListedBook[]>
}

export const openBooks = async (
  source: SearchSource,
  viewer: Viewer,
  wanted: WantedBooks & Arrangement & { readonly holds?: RawBuilder<boolean> | undefined },
): Promise<OpenedBooks> => {
  const { holds, sort, seed, ...rest } = wanted
  const selection = { ...(await selectionOf(source, viewer, rest)), ...(holds && { narrowed: byItself(holds) }) }
  const order = orderOf(selection, { sort, seed })
  const reader = source.db.readSlowly
  const { libraryIds, found, ...counted } = await count(reader, viewer, selection)
  const { total } = counted
  const looked = counted.totalIsLowerBound
    ? someOf(viewer, selection, foundMax)
    : found
      ? { ...selection, narrowed: undefined, found }
      : selection
  return {
    ...counted,
    rows: async ({ offset, limit }) => {
      if (offset >= total) return []
      const paging = { offset, limit: Math.min(limit, total - offset) }
      return selectBooks(reader, viewer, looked, { order, paging, total, libraryIds })
    },
  }
}

const listBooks = async (
  source: SearchSource,
  { kept, show }: { readonly kept: KeptLists<BookDto, Total>; readonly show: ShowBooks },
  viewer: Viewer,
  { wanted, paging }: { wanted: WantedBooks & Arrangement; paging: Paging },
): Promise<ListAnswer<BookDto>> => {
  const { db } = source
  const selection = await selectionOf(source, viewer, wanted)
  const order = orderOf(selection, wanted)
  const isQuick = seesWholeLibraries(viewer) && !isFiltered(selection) && paging.offset + paging.limit <= quickRowsMax
  const reader = isQuick ? db.read : db.readSlowly
  const look = isQuick ? undefined : await kept.look(viewer, wanted)
  const counting = () => count(reader, viewer, selection)
  const { libraryIds, found, ...counted } = await (look ? totalFrom(look, counting) : counting())
  const { total } = counted
  if (paging.offset >= total) return { ...counted, data: [] }
  const stretch = { offset: paging.offset, limit: Math.min(paging.limit, total - paging.offset), total }
  const looked = counted.totalIsLowerBound
    ? someOf(viewer, selection, foundMax)
    : found
      ? { ...selection, narrowed: undefined, found }
      : selection
  const read = (near?: Anchor) =>
    selectBooks(reader, viewer, looked, { order, paging: stretch, total, libraryIds, near })
  const find = (offset: number, near?: Anchor) =>
    selectBookAt(reader, viewer, selection, { order, offset, total, libraryIds, near })
  const rows = await (!look || isFiltered(selection) ? read() : look.rows(stretch, { find, read }))
  return { ...counted, data: await show(db.read, viewer, rows) }
}

/** With all that were found just now; of those that are kept there are fewer. */
const totalFrom = async (look: ListView<Total>, counting: () => Promise<Total>): Promise<Total> => {
  let now: Total | undefined
  const kept = await look.total(async () => {
    const { found, ...total } = (now = await counting())
    return found && found.length <= keptIdsMax ? { ...total, found } : total
  })
  return now ?? kept
}

/** The beginning of a list, however long it is. */
export const firstBooks = (
  db: ReadDb,
  viewer: Viewer,
  order: { readonly field: 'createdAt'; readonly direction: 'desc' },
  { libraryId, limit }: { readonly libraryId?: string | undefined; readonly limit: number },
): Promise<ListedBook[]> =>
  selectBooks(db, viewer, { libraryId }, { order, paging: { offset: 0, limit }, total: Infinity, libraryIds: [] })

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
  if (isFiltered(selection)) {
    const { narrowed, includeDeleted } = selection
    const isOfTerm = narrowed?.term && !includeDeleted && (libraryId ?? seriesId) === undefined
    if (isOfTerm && seesEverything(viewer)) return countByTerm(db, viewer, narrowed.term)
    const found = await selectSomeIds(db, viewer, selection, foundAtOnceMax + 1)
    if (found.length <= foundAtOnceMax) return { total: found.length, libraryIds: [], found }
    return { total: await countBooks(db, viewer, selection), libraryIds: [] }
  }
  if (seriesId === undefined && libraryId === undefined && !seesWholeLibraries(viewer))
    return countBooksOfLibraries(db, viewer, selection)
  const kept = await keptCount(db, viewer, selection)
  if (!kept) return { total: await countBooks(db, viewer, selection), libraryIds: [] }
  const missing = selection.includeDeleted ? await countBooks(db, viewer, selection, ['missing']) : 0
  return { ...kept, total: kept.total + missing }
}

const countByTerm = async (db: ReadDb, viewer: Viewer, term: Term): Promise<Counted> => {
  const total = await countBooksOfTerm(db, term)
  if (!term.isNegative) return { total, libraryIds: [] }
  return { total: (await selectKeptCounts(db, viewer, undefined)).total - total, libraryIds: [] }
}

/** Kept numbers where the viewer sees all of what was counted. */
const keptCount = async (db: ReadDb, viewer: Viewer, selection: BookSelection): Promise<Counted | undefined> => {
  if (selection.seriesId !== undefined) {
    if (!seesWholeSeries(viewer)) return undefined
    return { total: await selectKeptCountOfSeries(db, viewer, selection), libraryIds: [] }
  }
  return seesWholeLibraries(viewer) ? selectKeptCounts(db, viewer, selection.libraryId) : undefined
}

/** By what stands first in the titles as they are sorted. */
export const bookLettersOf = async (
  source: SearchSource,
  viewer: Viewer,
  wanted: WantedBooks,
  pageSize: number,
): Promise<Letters> =>
  lettersFrom(
    await countFirstLetters(source.db.readSlowly, viewer, await selectionOf(source, viewer, wanted)),
    pageSize,
  )

const facetValuesMax = 50

export const bookFacetsOf = async (
  source: SearchSource,
  viewer: Viewer,
  {
    facets,
    limit = facetValuesMax,
    ...wanted
  }: WantedBooks & { readonly facets: readonly BookFacet[]; readonly limit?: number | undefined },
): Promise<Facets> => {
  const selection = await selectionOf(source, viewer, wanted)
  const values: Facets['facets'] = {}
  for (const facet of facets)
    values[facet] = await countFacet(source.db.readSlowly, viewer, selection, { facet, limit })
  return { facets: values }
}

/** The same of the languages of their series. */
export const bookLanguagesOf = async (
  source: SearchSource,
  viewer: Viewer,
  wanted: WantedBooks,
): Promise<Facets['facets'][string]> =>
  countLanguages(source.db.readSlowly, viewer, await selectionOf(source, viewer, wanted), facetValuesMax)
