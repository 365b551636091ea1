import { type BookFacet, type bookOrders, type FacetValue, fieldsOfBooks } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import {
  wrapCondition,
  columnFacet,
  countValues,
  type FacetSource,
  fieldFacets,
  isOneOf,
  type Narrowed,
  nullsLast,
  type RankSource,
  type Ranks,
  readStatusFacet,
  shuffled,
  type Term,
} from '../../../filtering/filtering.ts'
import { plainText } from '../../../platform/text/sort-key.ts'
import {
  narrowedTo,
  readerOf,
  seesWholeSeries,
  tellsSeries,
  type Viewer,
  visibleTo,
  shownOfSeries,
} from '../../visibility/visibility.ts'
import type { ListedBook } from '../kinds.ts'
import { isFiltered, type ListOrder, listQueries, type ListQuery, type Selection } from '../queries.ts'

/** `place`: within a series. */
type BookField = (typeof bookOrders)[keyof typeof bookOrders] | 'place'
export type BookOrder = ListOrder<BookField>

type State = 'present' | 'missing'

const statesOf = ({ includeDeleted }: Selection): readonly State[] =>
  includeDeleted ? ['present', 'missing'] : ['present']

/** The state stands in the statement itself, as it does in the indexes. */
const conditionsOf = (
  viewer: Viewer,
  selection: Selection,
  state: State,
  way: 'forAllRows' | 'forEachRow' = 'forAllRows',
): RawBuilder<unknown>[] => [
  sql`book.state = ${sql.lit(state)}`,
  visibleTo(selection.libraryId === undefined ? viewer : narrowedTo(viewer, selection.libraryId), 'book'),
  ...(selection.seriesId === undefined ? [] : isOfSeries(viewer, selection.seriesId)),
  ...(selection.narrowed ? [selection.narrowed[way]] : []),
  ...(selection.text ? [selection.text.where] : []),
  ...(selection.ids ? [isOneOf(sql`book.id`, selection.ids)] : []),
]

/** One that is rated above what this viewer sees does not exist for them, nor any book in it. */
const isOfSeries = (viewer: Viewer, seriesId: string): RawBuilder<unknown>[] => {
  const isIn = sql`book.series_id = ${seriesId}`
  if (seesWholeSeries(viewer)) return [isIn]
  return [isIn, sql`exists (select 1 from series where series.id = ${seriesId} and ${tellsSeries(viewer)})`]
}

/**
 * For all that fits, in no order. Where every row is read, SQLite would go through any index of present books and pick the
 * rows up here and there: so the state is hidden from it, and the table read as it lies.
 */
const conditionsAnywhere = (viewer: Viewer, selection: Selection, state: State): RawBuilder<unknown>[] => {
  const conditions = conditionsOf(viewer, selection, state)
  const { narrowed, libraryId, seriesId } = selection
  const isEverywhere =
    narrowed?.readsEveryRow && (libraryId ?? seriesId) === undefined && viewer.rule.libraries === 'all'
  return isEverywhere ? withHiddenState(conditions, state) : conditions
}

const withHiddenState = ([, ...conditions]: readonly RawBuilder<unknown>[], state: State): RawBuilder<unknown>[] => [
  sql`coalesce(book.state, '') = ${sql.lit(state)}`,
  ...conditions,
]

interface StateQuery extends ListQuery {
  readonly state: State
}

/** Up to this many are found first and sorted then: on the way through all books in order they are far between. */
const gatheredMax = 5000
/** To look up one that was found takes so many times as long as to pass one on the way. */
const lookUpCost = 2

/** These orders have an index over all libraries. */
const overAll: ReadonlySet<BookField> = new Set(['name', 'createdAt', 'updatedAt', 'lastRead', 'series'])

/** Whether a page is reached sooner by going through all books in their order than by sorting all that fit. */
const isWalked = ({ total, among, reach }: StateQuery, { field }: BookOrder): boolean =>
  among === undefined || !overAll.has(field)
    ? total > gatheredMax
    : (reach * among) / Math.max(1, total) < total * lookUpCost

const conditionsInOrder = (query: StateQuery, order: BookOrder): RawBuilder<unknown>[] => {
  const { viewer, selection, state } = query
  if (!isFiltered(selection) || selection.text || selection.ids) return conditionsOf(viewer, selection, state)
  if (isWalked(query, order)) return conditionsOf(viewer, selection, state, 'forEachRow')
  // Those that have a term are found by their ids, each looked up once: no index of books in a state, in their order, is gone through.
  const { term } = selection.narrowed ?? {}
  if (term && !term.isNegative) return withHiddenState(conditionsOf(viewer, selection, state), state)
  const conditions = conditionsAnywhere(viewer, selection, state)
  return [sql`book.id in (select book.id from book where ${sql.join(conditions, sql` and `)})`]
}

const ranksOf = (query: StateQuery, order: BookOrder): Ranks => {
  const { viewer, selection } = query
  const part: RankSource = { from: sql`book`, where: conditionsInOrder(query, order) }
  const byName = { ...part, texts: [sql`book.sort_key`] }
  switch (order.field) {
    case 'name':
      return [[byName]]
    case 'place':
      return [[{ ...part, texts: [sql`book.position_key`] }]]
    case 'series':
      return [[bySeries(part, query)]]
    case 'createdAt':
      return [[{ ...part, texts: [sql`book.created_at`] }]]
    case 'updatedAt':
      return [[{ ...part, texts: [sql`book.updated_at`] }]]
    case 'fileName':
      return [[{ ...part, texts: [sql`book.file_sort_key`] }]]
    case 'size':
      return [[{ ...part, number: sql`book.size` }]]
    case 'pageCount':
      return [[{ ...part, number: sql`book.page_count` }]]
    case 'number':
      return nullsLast(part, sql`book.number_sort`, 'number')
    case 'released':
      return nullsLast(part, sql`book.released`, 'text')
    case 'lastRead':
      return ownFirst(byName, viewer)
    case 'random':
      return shuffled('book', part, { from: order.from ?? '', direction: order.direction })
    case 'relevance':
      return [[selection.text ? { ...byName, number: selection.text.relevance } : byName]]
  }
}

/** Series by name, and the books of each by their place in it. */
const bySeries = (part: RankSource, { viewer, selection: { libraryId, seriesId }, state }: StateQuery): RankSource => {
  const libraries = libraryId === undefined ? viewer.rule.libraries : [libraryId]
  const within = libraries !== 'all' && libraries.length === 1 ? libraries[0] : undefined
  return {
    // Crossed, so that SQLite takes one series after the other, in their order. A missing book may be all there is.
    from: state === 'present' && seriesId === undefined ? sql`series cross join book` : sql`book cross join series`,
    where: [
      sql`book.series_id = series.id`,
      ...(state === 'present' ? [sql`series.book_count > 0`] : []),
      ...(within === undefined ? [] : [sql`series.library_id = ${within}`]),
      ...part.where,
    ],
    texts: [sql`series.sort_key`, sql`series.id`, sql`book.position_key`],
    leading: 2,
  }
}

/** The books this viewer has opened come first, by when, and the others follow by name. */
const ownFirst = (byName: RankSource, viewer: Viewer): Ranks => {
  const isOwn = sql`read_progress.user_id = ${readerOf(viewer)} and read_progress.book_id = book.id`
  return [
    [
      {
        from: sql`read_progress cross join book`,
        where: [isOwn, ...byName.where],
        id: sql`read_progress.book_id`,
        texts: [sql`read_progress.updated_at`],
      },
    ],
    [{ ...byName, where: [...byName.where, sql`not exists (select 1 from read_progress where ${isOwn})`] }],
  ]
}

export const selectStoredCountOfSeries = async (db: ReadDb, viewer: Viewer, selection: Selection): Promise<number> => {
  const { libraryId, seriesId = '' } = selection
  const row = await db
    .selectFrom('series')
    .select('series.book_count')
    .where('series.id', '=', seriesId)
    .where(visibleTo(viewer, 'series'))
    .$if(libraryId !== undefined, (query) => query.where('series.library_id', '=', libraryId ?? ''))
    .executeTakeFirst()
  return row?.book_count ?? 0
}

/** They are in no list. */
export const absentBooks = [sql`book.state = 'missing'`, sql`book.state = 'hidden'`]

/** Undefined where it is null. */
export const selectNumber = async (db: ReadDb, number: RawBuilder<number | null>): Promise<number | undefined> => {
  const { rows } = await sql<{ number: number | null }>`select ${number} as number`.execute(db)
  return rows[0]?.number ?? undefined
}

/** Whether so many books have each of these: no more are counted. */
export const hasEachTermBooks = async (db: ReadDb, terms: readonly Term[], from: number): Promise<boolean> => {
  const counts = terms.map(
    ({ kind, key }) => sql`select count(*) as count from (select 1 from term
      inner join book_term on book_term.term_id = term.id
      where term.kind = ${kind} and term.key = ${key} limit ${from}) as counted`,
  )
  const { rows } = await sql<{ count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return rows.every(({ count }) => count >= from)
}

/** All that fits, in these states. */
const inStates = (
  viewer: Viewer,
  selection: Selection,
  [first, ...others] = statesOf(selection),
): RawBuilder<boolean> => {
  const [state, ...conditions] = conditionsAnywhere(viewer, selection, first ?? 'present')
  const states = [state, ...others.map((each) => sql`book.state = ${sql.lit(each)}`)]
  return sql<boolean>`(${sql.join(states, sql` or `)}) and ${sql.join(conditions, sql` and `)}`
}

/** All have a letter; the index by letters is for those who say so. */
const lettered = (viewer: Viewer, selection: Selection): RawBuilder<boolean> => {
  const [state = 'present', ...others] = statesOf(selection)
  const where =
    others.length > 0
      ? inStates(viewer, selection)
      : sql<boolean>`${sql.join(conditionsOf(viewer, selection, state), sql` and `)}`
  return sql`${where} and book.sort_key >= ''`
}

/** And of a series in this language: no list but that of OPDS asks for it, so that conditions know nothing of it. */
export const narrowedToLanguage = (viewer: Viewer, narrowed: Narrowed | undefined, language: string): Narrowed => {
  const isIt = sql<boolean>`book.series_id in
    (select series.id from series where ${shownOfSeries(viewer, 'language_text')} = ${plainText(language)}
      and ${tellsSeries(viewer)})`
  const both = wrapCondition(narrowed ? sql<boolean>`(${narrowed.forAllRows} and ${isIt})` : isIt)
  return { ...both, isOfReader: narrowed?.isOfReader === true }
}

/** In which languages the series of these books are. */
export const countLanguages = (
  db: ReadDb,
  viewer: Viewer,
  selection: Selection,
  limit: number,
): Promise<FacetValue[]> => {
  const ofSeries: FacetSource = {
    from: sql`book inner join series on series.id = book.series_id and ${tellsSeries(viewer)}`,
    value: sql`min(${shownOfSeries(viewer, 'language')})`,
    where: sql`${shownOfSeries(viewer, 'language_text')} is not null`,
    group: shownOfSeries(viewer, 'language_text'),
    each: sql`count(*)`,
  }
  return countValues(db, ofSeries, [inStates(viewer, selection)], limit)
}

const facetsOfFields = fieldFacets('book', fieldsOfBooks)

const facetSources = (viewer: Viewer): Readonly<Record<BookFacet, FacetSource>> => ({
  ...facetsOfFields,
  libraryId: columnFacet('book', sql`book.library_id`),
  format: columnFacet('book', sql`book.format`),
  bookType: columnFacet('book', sql`lower(book.book_type)`),
  readStatus: readStatusFacet('book', viewer),
})

export interface BookTypes {
  readonly row: ListedBook
  readonly field: BookField
  readonly facet: BookFacet
}

export const books = listQueries<BookTypes>({
  content: 'book',
  overAll,
  ranks: (query, order) => statesOf(query.selection).map((state) => ranksOf({ ...query, state }, order)),
  fits: { all: inStates, some: inStates, lettered },
  facets: facetSources,
})

/** It limits a selection to books whose files are missing. */
export const missingOnly = (viewer: Viewer, selection: Selection): RawBuilder<boolean> =>
  inStates(viewer, selection, ['missing'])
