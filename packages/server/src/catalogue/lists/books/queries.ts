import { type BookFacet, type bookOrders, type FacetValue, fieldsOfBooks } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import {
  type Anchor,
  anchorAt,
  byItself,
  columnFacet,
  countValues,
  type FacetSource,
  fieldFacets,
  isOneOf,
  merged,
  type Narrowed,
  nullsLast,
  orderedPage,
  type Part,
  type Ranks,
  readStatusFacet,
  shuffled,
  type Term,
  type TextMatch,
  wayOf,
} from '../../../filtering/filtering.ts'
import type { Order, Paging } from '../../../platform/paging.ts'
import { plainText } from '../../../platform/sort-key.ts'
import {
  libraryByLibrary,
  narrowedTo,
  readerOf,
  type Viewer,
  visibleLibraries,
  visibleTo,
} from '../../visibility/visibility.ts'
import { bookColumns, type ListedBook } from '../kinds.ts'

export interface BookSelection {
  readonly libraryId?: string | undefined
  readonly seriesId?: string | undefined
  /** Also those whose file is missing. */
  readonly includeDeleted?: boolean | undefined
  /** A condition, for this viewer. */
  readonly narrowed?: Narrowed | undefined
  readonly text?: TextMatch | undefined
  /** What was found of it, where that is little: it need not be looked for again. */
  readonly found?: readonly string[] | undefined
}

/** `place`: within a series. */
export type BookOrder = Order<(typeof bookOrders)[keyof typeof bookOrders] | 'place'> & {
  /** It says where in the order of chance a `random` list begins. */
  readonly from?: string | undefined
}

export const isFiltered = ({ narrowed, text, found }: BookSelection): boolean =>
  narrowed !== undefined || text !== undefined || found !== undefined

type State = 'present' | 'missing'

const statesOf = ({ includeDeleted }: BookSelection): readonly State[] =>
  includeDeleted ? ['present', 'missing'] : ['present']

/** The state stands in the statement itself, as it does in the indexes. */
const conditionsOf = (
  viewer: Viewer,
  selection: BookSelection,
  state: State,
  way: 'gathered' | 'walked' = 'gathered',
): RawBuilder<unknown>[] => [
  sql`book.state = ${sql.lit(state)}`,
  visibleTo(selection.libraryId === undefined ? viewer : narrowedTo(viewer, selection.libraryId), 'book'),
  ...(selection.seriesId === undefined ? [] : [sql`book.series_id = ${selection.seriesId}`]),
  ...(selection.narrowed ? [selection.narrowed[way]] : []),
  ...(selection.text ? [selection.text.where] : []),
  ...(selection.found ? [isOneOf(sql`book.id`, selection.found)] : []),
]

/**
 * For all that fits, in no order. Where every row is read, SQLite would go through any index of present books and pick the
 * rows up here and there: so the state is hidden from it, and the table read as it lies.
 */
const conditionsAnywhere = (viewer: Viewer, selection: BookSelection, state: State): RawBuilder<unknown>[] => {
  const conditions = conditionsOf(viewer, selection, state)
  const { narrowed, libraryId, seriesId } = selection
  const isEverywhere =
    narrowed?.looksIntoRows && (libraryId ?? seriesId) === undefined && viewer.rule.libraries === 'all'
  return isEverywhere ? [sql`coalesce(book.state, '') = ${sql.lit(state)}`, ...conditions.slice(1)] : conditions
}

/** More are not merged but sorted. */
const mergedMax = 200

/** These orders have an index over all libraries; for the others each library has its own. */
const overAll: ReadonlySet<BookOrder['field']> = new Set(['name', 'createdAt', 'updatedAt', 'lastRead', 'series'])

const sightsOf = (
  viewer: Viewer,
  selection: BookSelection,
  { order: { field }, libraryIds }: { order: BookOrder; libraryIds: readonly string[] },
): readonly Viewer[] => {
  const { libraryId, seriesId } = selection
  // What is filtered is not found in order, and a long condition need not stand there many times.
  if (libraryId !== undefined || seriesId !== undefined || isFiltered(selection)) return [viewer]
  if (overAll.has(field)) return libraryByLibrary(viewer)
  return libraryIds.length > mergedMax ? [viewer] : libraryIds.map((id) => narrowedTo(viewer, id))
}

interface Page {
  readonly order: BookOrder
  readonly paging: Pick<Paging, 'limit' | 'offset'>
  readonly total: number
  /** These libraries have something to list. */
  readonly libraryIds: readonly string[]
  readonly near?: Anchor | undefined
}

export const selectBooks = async (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
  page: Page,
): Promise<ListedBook[]> => {
  const ordered = orderedBooks(viewer, selection, page)
  if (!ordered) return []
  return (
    db
      .selectFrom(ordered.page)
      // Crossed, so that SQLite begins with the page however long it thinks that is.
      .crossJoin('book')
      .whereRef('book.id', '=', 'page.id')
      .select(bookColumns)
      .orderBy(ordered.order)
      .execute()
  )
}

const orderedBooks = (viewer: Viewer, selection: BookSelection, { order, paging, total, libraryIds, near }: Page) => {
  const lists = sightsOf(viewer, selection, { order, libraryIds }).flatMap((sight) =>
    statesOf(selection).map((state) => ranksOf({ viewer: sight, selection, state, total }, order)),
  )
  return orderedPage('book', merged(lists), { direction: wayOf(order), ...paging, total, near })
}

/** The row at one place of a list. */
export const selectBookAt = async (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
  page: Omit<Page, 'paging'> & { readonly offset: number },
): Promise<Anchor | undefined> => {
  const ordered = orderedBooks(viewer, selection, { ...page, paging: { offset: page.offset, limit: 1 } })
  return ordered && anchorAt(page.offset, await db.selectFrom(ordered.page).selectAll().executeTakeFirst())
}

interface BookListQuery {
  readonly viewer: Viewer
  readonly selection: BookSelection
  readonly state: State
  /** The total counts the whole list. */
  readonly total: number
}

/** Up to this many are found first and sorted then: on the way through all books in order they are far between. */
const gatheredMax = 5000

const conditionsInOrder = ({ viewer, selection, state, total }: BookListQuery): RawBuilder<unknown>[] => {
  if (!isFiltered(selection) || selection.text || selection.found) return conditionsOf(viewer, selection, state)
  if (total > gatheredMax) return conditionsOf(viewer, selection, state, 'walked')
  const conditions = conditionsAnywhere(viewer, selection, state)
  return [sql`book.id in (select book.id from book where ${sql.join(conditions, sql` and `)})`]
}

const ranksOf = (look: BookListQuery, order: BookOrder): Ranks => {
  const { viewer, selection } = look
  const part: Part = { from: sql`book`, where: conditionsInOrder(look) }
  const byName = { ...part, texts: [sql`book.sort_key`] }
  switch (order.field) {
    case 'name':
      return [[byName]]
    case 'place':
      return [[{ ...part, texts: [sql`book.position_key`] }]]
    case 'series':
      return [[bySeries(part, look)]]
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
const bySeries = (part: Part, { viewer, selection: { libraryId, seriesId }, state }: BookListQuery): Part => {
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
const ownFirst = (byName: Part, viewer: Viewer): Ranks => {
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

export interface Counted {
  readonly total: number
  readonly libraryIds: readonly string[]
  /** All of them, where they had to be looked for and are few. */
  readonly found?: readonly string[]
}

/** Each library keeps this count, of its present books. */
export const selectKeptCounts = async (db: ReadDb, viewer: Viewer, libraryId: string | undefined): Promise<Counted> => {
  const rows = await db
    .selectFrom('library')
    .select(['library.id', 'library.book_count'])
    .where(visibleLibraries(viewer))
    .$if(libraryId !== undefined, (query) => query.where('library.id', '=', libraryId ?? ''))
    .execute()
  return {
    total: rows.reduce((sum, { book_count }) => sum + book_count, 0),
    libraryIds: rows.map(({ id }) => id),
  }
}

export const selectKeptCountOfSeries = async (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
): Promise<number> => {
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

export const countBooks = async (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
  states = statesOf(selection),
): Promise<number> => {
  const row = await db
    .selectFrom('book')
    .where(inStates(viewer, selection, states))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

/**
 * For who sees everything: all that have it but those that are not present, who are few. Looking whether each one is present
 * takes fifty times as long.
 */
export const countBooksOfTerm = async (db: ReadDb, { kind, key }: Term): Promise<number> => {
  const itself = sql`term inner join book_term on book_term.term_id = term.id`
  const isIt = sql`term.kind = ${kind} and term.key = ${key}`
  // Only people can have done several things.
  const once = sql.raw(kind === 'person' ? 'distinct' : '')
  const absent = (state: 'missing' | 'hidden') => sql`(select count(*) from book where book.state = ${sql.lit(state)}
    and exists (select 1 from ${itself} where book_term.book_id = book.id and ${isIt}))`
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (select ${once} book_term.book_id from ${itself} where ${isIt}) as having_it)
      - ${absent('missing')} - ${absent('hidden')} as count`.execute(db)
  return rows[0]?.count ?? 0
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

/** Some of those that are bookColumns, in no order. */
export const selectSomeIds = async (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
  max: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('book.id')
    .where(inStates(viewer, selection, statesOf(selection)))
    .limit(max)
    .execute()
  return rows.map(({ id }) => id)
}

/** The same in each library, for those who do not see all of each. */
export const countBooksOfLibraries = async (db: ReadDb, viewer: Viewer, selection: BookSelection): Promise<Counted> => {
  const rows = await db
    .selectFrom('book')
    .where(inStates(viewer, selection, statesOf(selection)))
    .select(({ fn }) => ['book.library_id', fn.countAll<number>().as('count')])
    .groupBy('book.library_id')
    .execute()
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    libraryIds: rows.map(({ library_id }) => library_id),
  }
}

/** No further than this: of a search more are not counted (pins W11). */
export const countBooksUpTo = async (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
  max: number,
): Promise<number> => {
  const some = db
    .selectFrom('book')
    .where(inStates(viewer, selection, statesOf(selection)))
    .select('book.id')
    .limit(max)
  const row = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Where more is found than anybody looks through, it returns what begins with the text, and of the rest whatever is found first. */
export const someOf = (viewer: Viewer, selection: BookSelection, max: number): BookSelection => {
  const { text } = selection
  if (!text) return selection
  const part = (where: RawBuilder<boolean>) => sql`select id from (select book.id from book
    where ${inStates(viewer, { ...selection, text: { ...text, where } }, statesOf(selection))} limit ${max}) as part`
  const begins = part(sql`(${text.begins} and ${text.where})`)
  const others = part(sql`(${text.where} and not ${text.begins})`)
  // As many as were counted and no more: the last pages are read from the end.
  const where = sql<boolean>`book.id in (select id from (${begins} union all ${others}) as found limit ${max})`
  return { ...selection, narrowed: undefined, text: { ...text, where } }
}

const inStates = (
  viewer: Viewer,
  selection: BookSelection,
  [first, ...others]: readonly State[],
): RawBuilder<boolean> => {
  const [state, ...conditions] = conditionsAnywhere(viewer, selection, first ?? 'present')
  const states = [state, ...others.map((each) => sql`book.state = ${sql.lit(each)}`)]
  return sql<boolean>`(${sql.join(states, sql` or `)}) and ${sql.join(conditions, sql` and `)}`
}

/** How many sort keys begin with which letter, in their order. */
export const countFirstLetters = async (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
): Promise<{ first: string; count: number }[]> => {
  const first = sql<string>`substr(book.sort_key, 1, 1)`
  const [state = 'present', ...others] = statesOf(selection)
  const where =
    others.length > 0
      ? inStates(viewer, selection, [state, ...others])
      : sql<boolean>`${sql.join(conditionsOf(viewer, selection, state), sql` and `)}`
  return (
    db
      .selectFrom('book')
      .where(where)
      // All have one; the index by letters is for those who say so.
      .where(sql<boolean>`book.sort_key >= ''`)
      .select(({ fn }) => [first.as('first'), fn.countAll<number>().as('count')])
      .groupBy(first)
      .orderBy(first)
      .execute()
  )
}

/** The most frequent values of one facet. */
export const countFacet = (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
  { facet, limit }: { facet: BookFacet; limit: number },
): Promise<FacetValue[]> =>
  countValues(db, facetSources(viewer)[facet], [inStates(viewer, selection, statesOf(selection))], limit)

/** And of a series in this language: no list but that of OPDS asks for it, so that conditions know nothing of it. */
export const narrowedToLanguage = (narrowed: Narrowed | undefined, language: string): Narrowed => {
  const isIt = sql<boolean>`book.series_id in
    (select series.id from series where series.language_text = ${plainText(language)})`
  return byItself(narrowed ? sql<boolean>`(${narrowed.gathered} and ${isIt})` : isIt)
}

/** In which languages the series of these books are. */
export const countLanguages = (
  db: ReadDb,
  viewer: Viewer,
  selection: BookSelection,
  limit: number,
): Promise<FacetValue[]> => {
  const ofSeries: FacetSource = {
    from: sql`book inner join series on series.id = book.series_id`,
    value: sql`min(series.language)`,
    where: sql`series.language_text is not null`,
    group: sql`series.language_text`,
    each: sql`count(*)`,
  }
  return countValues(db, ofSeries, [inStates(viewer, selection, statesOf(selection))], limit)
}

const facetsOfFields = fieldFacets('book', fieldsOfBooks)

const facetSources = (viewer: Viewer): Readonly<Record<BookFacet, FacetSource>> => ({
  ...facetsOfFields,
  libraryId: columnFacet('book', sql`book.library_id`),
  format: columnFacet('book', sql`book.format`),
  bookType: columnFacet('book', sql`lower(book.book_type)`),
  readStatus: readStatusFacet('book', viewer),
})
