import type { FacetValue } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import {
  type Cursor,
  cursorAt,
  countValues,
  type FacetSource,
  merged,
  type Narrowed,
  orderedPage,
  type RankedMatch,
  type RankedRow,
  type Ranks,
  type Term,
  type TextMatch,
  sqlDirectionOf,
} from '../../filtering/filtering.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import {
  libraryByLibrary,
  narrowedTo,
  seesEverything,
  type Viewer,
  visibleLibraries,
} from '../visibility/visibility.ts'
import { bookColumns, type ListedBook, type ListedSeries, seriesColumns } from './kinds.ts'

/** What a list is of; series are narrowed by a library, books by a series and by what is missing as well. */
export interface Selection {
  readonly libraryId?: string | undefined
  readonly seriesId?: string | undefined
  /** Also those whose file is missing. */
  readonly includeDeleted?: boolean | undefined
  /** A condition, for this viewer. */
  readonly narrowed?: Narrowed | undefined
  readonly text?: TextMatch | undefined
  /** What was found of it, where that is little: it need not be looked for again. */
  readonly ids?: readonly string[] | undefined
  /** How it is found by words, where that takes less: with its number where they say it. */
  readonly byWords?: () => Promise<FoundByWords | undefined>
}

interface FoundByWords {
  readonly where: RawBuilder<boolean>
  readonly total?: number
}

export const isFiltered = ({ narrowed, text, ids }: Selection): boolean =>
  narrowed !== undefined || text !== undefined || ids !== undefined

export type ListOrder<Field extends string> = Order<Field> & {
  /** It says where in the order of chance a `random` list begins. */
  readonly from?: string | undefined
}

interface Page<Field extends string> {
  readonly order: ListOrder<Field>
  readonly paging: Pick<Paging, 'limit' | 'offset'>
  readonly total: number
  readonly among?: number | undefined
  /** These libraries have something to list. */
  readonly libraryIds: readonly string[]
  readonly near?: Cursor | undefined
}

export interface Counted {
  readonly total: number
  readonly libraryIds: readonly string[]
  /** The ids of all rows, where they had to be searched for and are few. */
  readonly ids?: readonly string[]
  /** A test that holds for the same rows as the condition and is quicker. */
  readonly where?: RawBuilder<boolean> | undefined
  /** The number of all rows, of which `total` have the term. */
  readonly among?: number
}

/** Each library keeps these counts, that of books without those whose file is missing. */
export const selectStoredCounts = async (
  db: ReadDb,
  viewer: Viewer,
  column: 'book_count' | 'series_count',
  libraryId?: string,
): Promise<Counted> => {
  const rows = await db
    .selectFrom('library')
    .select(['library.id', `library.${column} as count`])
    .where(visibleLibraries(viewer))
    .$if(column === 'series_count', (query) => query.where('library.series_count', '>', 0))
    .$if(libraryId !== undefined, (query) => query.where('library.id', '=', libraryId ?? ''))
    .execute()
  return { total: rows.reduce((sum, { count }) => sum + count, 0), libraryIds: rows.map(({ id }) => id) }
}

/** What has terms, and how those are found that no list shows: they are few, and an index has them. */
interface HavingTerms {
  readonly content: 'book' | 'series'
  readonly absent: readonly RawBuilder<unknown>[]
}

/**
 * For who sees everything: all that have a term but those that no list shows, or all others. Looking whether each one is shown takes fifty
 * times as long.
 */
export const countByTerm = async (
  db: ReadDb,
  viewer: Viewer,
  { kind, key, isNegative }: Term,
  { content, absent }: HavingTerms,
): Promise<Counted> => {
  const [link, owner] = [sql.table(`${content}_term`), sql.ref(`${content}_term.${content}_id`)]
  const itself = sql`term inner join ${link} on ${sql.ref(`${content}_term.term_id`)} = term.id`
  const isIt = sql`term.kind = ${kind} and term.key = ${key}`
  // Only people can have done several things.
  const once = sql.raw(kind === 'person' ? 'distinct' : '')
  const absences = absent.map(
    (isAbsent) => sql`(select count(*) from ${sql.table(content)} where ${isAbsent}
      and exists (select 1 from ${itself} where ${owner} = ${sql.ref(`${content}.id`)} and ${isIt}))`,
  )
  const having = sql`(select count(*) from (select ${once} ${owner} from ${itself} where ${isIt}) as having_it)`
  const { rows } = await sql<{ count: number }>`
    select ${sql.join([having, ...absences], sql` - `)} as count`.execute(db)
  const count = rows[0]?.count ?? 0
  const all = await selectStoredCounts(db, viewer, `${content}_count`)
  return { total: isNegative ? all.total - count : count, libraryIds: [], among: all.total }
}

/** A text that is searched for alone, which the index has in the order of what fits best. */
type RankedSelection = Selection & { readonly text: TextMatch & { readonly ranked: RankedMatch } }

const isRanked = (selection: Selection): selection is RankedSelection => {
  const { text, narrowed, ids, seriesId, includeDeleted } = selection
  return text?.ranked !== undefined && !narrowed && !ids && seriesId === undefined && !includeDeleted
}

/** Nothing but what is not there is left out of what is found. */
const isUnrestricted = (viewer: Viewer, { libraryId }: Selection): boolean =>
  libraryId === undefined && seesEverything(viewer)

/** Only the best first: for another order, or the worst first, all of them have to be sorted. */
const isReadAsRanked = (selection: Selection, { field, direction }: Order<string>): selection is RankedSelection =>
  field === 'relevance' && direction === 'desc' && isRanked(selection)

/**
 * Whether the best come soon: where little of what is found is for this viewer, more would be passed over than is sorted
 * otherwise.
 */
export const isFasterRanked = (
  viewer: Viewer,
  selection: Selection,
  { order, isMany }: { readonly order: Order<string>; readonly isMany: boolean },
): boolean => isReadAsRanked(selection, order) && (isMany || isUnrestricted(viewer, selection))

type Where = (viewer: Viewer, selection: Selection) => RawBuilder<unknown>

export interface ListQuery {
  readonly viewer: Viewer
  readonly selection: Selection
  /** The total counts the whole list. */
  readonly total: number
  readonly among?: number | undefined
  /** So many rows of the list lie between the end of the page and the nearer end of the list. */
  readonly reach: number
}

/** What a list is of: its rows, by what it is ordered, and by what it is counted. */
export interface ListTypes {
  readonly row: object
  readonly field: string
  readonly facet: string
}

/** What tells the statements about lists of books from those about lists of series. */
interface QueriedKind<Types extends ListTypes> {
  readonly content: 'book' | 'series'
  /** These orders have an index over all libraries; for the others each library has its own. */
  readonly overAll: ReadonlySet<Types['field']>
  /** The parts of one list in an order, each to be merged with the others. */
  readonly ranks: (query: ListQuery, order: ListOrder<Types['field']>) => readonly Ranks[]
  /** What fits a selection: all of it, as much as a search finds, and by its letters. */
  readonly fits: { readonly all: Where; readonly some: Where; readonly lettered: Where }
  readonly facets: (viewer: Viewer) => Readonly<Record<Types['facet'], FacetSource>>
}

const columns = { book: bookColumns, series: seriesColumns }

const listed = <Row>(content: 'book' | 'series') => {
  // As one text: twenty references in each statement take longer to be put together than all the rest of it.
  const names = sql.raw(columns[content].map((name) => `"${name.replace('.', '"."')}"`).join(', '))
  return async (db: ReadDb, behind: RawBuilder<unknown>): Promise<Row[]> =>
    (await sql<Row>`select ${names} ${behind}`.execute(db)).rows
}

/** What lists show of the books that a statement names behind its columns; the same of series. */
export const selectListedBooks = listed<ListedBook>('book')
export const selectListedSeries = listed<ListedSeries>('series')

/** More are not merged but sorted. */
const librariesMergedMax = 200

const namesOf = (content: 'book' | 'series') => ({
  table: sql.table(content),
  id: sql.ref(`${content}.id`),
  libraryId: sql.ref(`${content}.library_id`),
  sortKey: sql.ref(`${content}.sort_key`),
})

const pageQueries = <Types extends ListTypes>({ content, overAll, ranks, fits }: QueriedKind<Types>) => {
  const { table, id } = namesOf(content)
  const selectListed = listed<Types['row']>(content)

  const viewersOf = (viewer: Viewer, selection: Selection, { order: { field }, libraryIds }: Page<Types['field']>) => {
    // What is filtered is not found in order, and a long condition need not stand there many times.
    if ((selection.libraryId ?? selection.seriesId) !== undefined || isFiltered(selection)) return [viewer]
    if (overAll.has(field)) return libraryByLibrary(viewer)
    return libraryIds.length > librariesMergedMax ? [viewer] : libraryIds.map((each) => narrowedTo(viewer, each))
  }

  const inOrder = (viewer: Viewer, selection: Selection, page: Page<Types['field']>) => {
    const { order, paging, total, among, near } = page
    const { offset, limit } = paging
    const reach = limit + Math.min(offset, Math.max(0, total - offset - limit))
    const query = { selection, total, among, reach }
    const lists = viewersOf(viewer, selection, page).flatMap((each) => ranks({ viewer: each, ...query }, order))
    return orderedPage(content, merged(lists), { direction: sqlDirectionOf(order), ...paging, total, near })
  }

  return {
    select: async (
      db: ReadDb,
      viewer: Viewer,
      selection: Selection,
      page: Page<Types['field']>,
    ): Promise<Types['row'][]> => {
      if (isReadAsRanked(selection, page.order)) {
        const source = selection.text.ranked.page(fits.some(viewer, { ...selection, text: undefined }), page.paging)
        return selectListed(
          db,
          sql`from ${source} as page cross join ${table} where ${id} = page.id order by page.part, page.place`,
        )
      }
      const ordered = inOrder(viewer, selection, page)
      if (!ordered) return []
      // Crossed, so that SQLite begins with the page however long it thinks that is.
      const joined = sql`from ${ordered.page} cross join ${table} where ${id} = page.id order by ${ordered.order}`
      return selectListed(db, joined)
    },

    /** The row at one place of a list. */
    selectAt: async (
      db: ReadDb,
      viewer: Viewer,
      selection: Selection,
      { offset, ...page }: Omit<Page<Types['field']>, 'paging'> & { readonly offset: number },
    ): Promise<Cursor | undefined> => {
      const ordered = inOrder(viewer, selection, { ...page, paging: { offset, limit: 1 } })
      if (!ordered) return undefined
      return cursorAt(offset, (await sql<RankedRow>`select * from ${ordered.page}`.execute(db)).rows[0])
    },
  }
}

const countOf = async (db: ReadDb, from: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(db)
  return rows[0]?.count ?? 0
}

const countQueries = <Types extends ListTypes>({ content, fits, facets }: QueriedKind<Types>) => {
  const { table, libraryId, sortKey } = namesOf(content)
  const first = sql`substr(${sortKey}, 1, 1)`
  return {
    count: (db: ReadDb, viewer: Viewer, selection: Selection, fit: Where = fits.all): Promise<number> =>
      countOf(db, sql`${table} where ${fit(viewer, selection)}`),

    /** The same in each library, for those who do not see all of each. */
    countByLibrary: async (db: ReadDb, viewer: Viewer, selection: Selection): Promise<Counted> => {
      const { rows } = await sql<{ library_id: string; count: number }>`
        select ${libraryId}, count(*) as count from ${table} where ${fits.all(viewer, selection)}
        group by ${libraryId}`.execute(db)
      return {
        total: rows.reduce((sum, { count }) => sum + count, 0),
        libraryIds: rows.map(({ library_id }) => library_id),
      }
    },

    /** How many sort keys begin with which letter, in their order. */
    countFirstLetters: async (db: ReadDb, viewer: Viewer, selection: Selection) => {
      const { rows } = await sql<{ first: string; count: number }>`
        select ${first} as first, count(*) as count from ${table} where ${fits.lettered(viewer, selection)}
        group by ${first} order by ${first}`.execute(db)
      return rows
    },

    /** The most frequent values of one facet. */
    countFacet: (
      db: ReadDb,
      viewer: Viewer,
      selection: Selection,
      { facet, limit }: { readonly facet: Types['facet']; readonly limit: number },
    ): Promise<FacetValue[]> => countValues(db, facets(viewer)[facet], [fits.some(viewer, selection)], limit),
  }
}

const searchQueries = <Types extends ListTypes>({ content, fits }: QueriedKind<Types>) => {
  const { table, id } = namesOf(content)
  const someIds = (where: RawBuilder<unknown>, max: number) =>
    sql<{ id: string }>`select ${id} from ${table} where ${where} limit ${max}`
  return {
    /** No further than this: of a search more are not counted (pins W11). */
    countUpTo: async (db: ReadDb, viewer: Viewer, selection: Selection, max: number): Promise<number> => {
      if (!isRanked(selection) || !isUnrestricted(viewer, selection))
        return countOf(db, sql`(${someIds(fits.some(viewer, selection), max)}) as counted`)
      const { rows } = await sql<{ count: number }>`select ${selection.text.ranked.count(max)} as count`.execute(db)
      return rows[0]?.count ?? 0
    },

    /** Some of those that fit, in no order. */
    selectSomeIds: async (db: ReadDb, viewer: Viewer, selection: Selection, max: number): Promise<string[]> =>
      (await someIds(fits.all(viewer, selection), max).execute(db)).rows.map((row) => row.id),

    /** Where more is found than anybody looks through, it returns what begins with the text, and of the rest whatever is found first. */
    limitToMax: (viewer: Viewer, selection: Selection, max: number): Selection => {
      const { text } = selection
      if (!text) return selection
      const part = (where: RawBuilder<boolean>) =>
        sql`select id from (${someIds(fits.some(viewer, { ...selection, text: { ...text, where } }), max)}) as part`
      const begins = part(sql`(${text.begins} and ${text.where})`)
      const others = part(sql`(${text.where} and not ${text.begins})`)
      // It reads as many as were counted and no more: the last pages are read from the end.
      const where = sql<boolean>`${id} in (select id from (${begins} union all ${others}) as found limit ${max})`
      return { ...selection, narrowed: undefined, text: { ...text, where } }
    },
  }
}

/** The statements about lists of one kind. */
export const listQueries = <Types extends ListTypes>(kind: QueriedKind<Types>) => ({
  ...pageQueries(kind),
  ...countQueries(kind),
  ...searchQueries(kind),
})

export type ListQueries<Types extends ListTypes> = ReturnType<typeof listQueries<Types>>
