import {
  columnName,
  type FacetValue,
  fieldsOfSeries,
  type MetadataField,
  type SeriesFacet,
  type seriesOrders,
} from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import {
  type Anchor,
  anchorAt,
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
  type TextMatch,
  wayOf,
} from '../../../filtering/filtering.ts'
import type { Order, Paging } from '../../../platform/paging.ts'
import {
  libraryByLibrary,
  narrowedTo,
  readerOf,
  seesWholeSeries,
  showsBooks,
  type Viewer,
  visibleLibraries,
  visibleTo,
} from '../../visibility/visibility.ts'
import { seriesColumns, type ListedSeries } from '../kinds.ts'

export interface SeriesSelection {
  readonly libraryId?: string | undefined
  /** A condition, for this viewer. */
  readonly narrowed?: Narrowed | undefined
  readonly text?: TextMatch | undefined
  /** What was found of it, where that is little: it need not be looked for again. */
  readonly found?: readonly string[] | undefined
}

export type SeriesOrder = Order<(typeof seriesOrders)[keyof typeof seriesOrders]> & {
  /** It says where in the order of chance a `random` list begins. */
  readonly from?: string | undefined
}

export const isFiltered = ({ narrowed, text, found }: SeriesSelection): boolean =>
  narrowed !== undefined || text !== undefined || found !== undefined

/** What is filtered has no index of its order, and what is counted for each viewer neither. */
export const isInOrder = (viewer: Viewer, selection: SeriesSelection, { field }: SeriesOrder): boolean =>
  !isFiltered(selection) && ((field !== 'bookCount' && field !== 'released') || seesWholeSeries(viewer))

const conditionsOf = (
  viewer: Viewer,
  { narrowed, text, found }: SeriesSelection,
  way: 'gathered' | 'walked' = 'gathered',
): RawBuilder<unknown>[] => [
  sql`series.book_count > 0`,
  visibleTo(viewer, 'series'),
  ...(seesWholeSeries(viewer) ? [] : [showsBooks(viewer)]),
  ...(narrowed ? [narrowed[way]] : []),
  ...(text ? [text.where] : []),
  ...(found ? [isOneOf(sql`series.id`, found)] : []),
]

/**
 * For all that fits, in no order. Where every row is read, SQLite would go through any index of series with books and pick
 * the rows up here and there: so that they have books is hidden from it, and the table read as it lies.
 */
const conditionsAnywhere = (viewer: Viewer, selection: SeriesSelection): RawBuilder<unknown>[] => {
  const conditions = conditionsOf(looksAt(viewer, selection), selection)
  const isEverywhere =
    selection.narrowed?.looksIntoRows && selection.libraryId === undefined && viewer.rule.libraries === 'all'
  return isEverywhere ? [sql`(series.book_count + 0) > 0`, ...conditions.slice(1)] : conditions
}

const looksAt = (viewer: Viewer, { libraryId }: SeriesSelection): Viewer =>
  libraryId === undefined ? viewer : narrowedTo(viewer, libraryId)

/** More are not merged but sorted. */
const mergedMax = 200

/** These orders have an index over all libraries; for the others each library has its own. */
const overAll: ReadonlySet<SeriesOrder['field']> = new Set(['name', 'createdAt', 'updatedAt', 'lastRead', 'userRating'])

const sightsOf = (
  viewer: Viewer,
  selection: SeriesSelection,
  { order: { field }, libraryIds }: { order: SeriesOrder; libraryIds: readonly string[] },
): readonly Viewer[] => {
  if (selection.libraryId !== undefined) return [narrowedTo(viewer, selection.libraryId)]
  // What is filtered is not found in order, and a long condition need not stand there many times.
  if (isFiltered(selection)) return [viewer]
  if (overAll.has(field)) return libraryByLibrary(viewer)
  return libraryIds.length > mergedMax ? [viewer] : libraryIds.map((id) => narrowedTo(viewer, id))
}

interface Page {
  readonly order: SeriesOrder
  readonly paging: Pick<Paging, 'limit' | 'offset'>
  readonly total: number
  /** These libraries have something to list. */
  readonly libraryIds: readonly string[]
  readonly near?: Anchor | undefined
}

export const selectManySeries = async (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
  page: Page,
): Promise<ListedSeries[]> => {
  const ordered = orderedSeries(viewer, selection, page)
  if (!ordered) return []
  return (
    db
      .selectFrom(ordered.page)
      // Crossed, so that SQLite begins with the page however long it thinks that is.
      .crossJoin('series')
      .whereRef('series.id', '=', 'page.id')
      .select(seriesColumns)
      .orderBy(ordered.order)
      .execute()
  )
}

const orderedSeries = (
  viewer: Viewer,
  selection: SeriesSelection,
  { order, paging, total, libraryIds, near }: Page,
) => {
  const lists = sightsOf(viewer, selection, { order, libraryIds }).map((sight) => ranksOf(sight, selection, order))
  return orderedPage('series', merged(lists), { direction: wayOf(order), ...paging, total, near })
}

/** The row at one place of a list. */
export const selectSeriesAt = async (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
  page: Omit<Page, 'paging'> & { readonly offset: number },
): Promise<Anchor | undefined> => {
  const ordered = orderedSeries(viewer, selection, { ...page, paging: { offset: page.offset, limit: 1 } })
  return ordered && anchorAt(page.offset, await db.selectFrom(ordered.page).selectAll().executeTakeFirst())
}

const ranksOf = (viewer: Viewer, selection: SeriesSelection, order: SeriesOrder): Ranks => {
  // What is gathered has its ids, or a text; of the rest there are many.
  const way = selection.text ? 'gathered' : 'walked'
  const part: Part = { from: sql`series`, where: conditionsOf(viewer, selection, way) }
  const byName = { ...part, texts: [sql`series.sort_key`] }
  if (isFieldOrder(order.field)) return byField(part, order.field)
  switch (order.field) {
    case 'name':
      return [[byName]]
    case 'createdAt':
      return [[{ ...part, texts: [sql`series.created_at`] }]]
    case 'updatedAt':
      return [[{ ...part, texts: [sql`series.updated_at`] }]]
    case 'bookCount':
      return [[{ ...part, number: booksSeen(viewer), leading: 1 }]]
    case 'released':
      return nullsLast(part, firstReleased(viewer), 'text')
    case 'communityRating':
      return nullsLast(part, sql`series.community_rating`, 'number')
    case 'externalRating':
      return nullsLast(part, sql`series.external_rating`, 'number')
    case 'lastRead':
      return ownFirst(byName, viewer, { table: 'series_progress', texts: [sql`series_progress.last_read_at`] })
    case 'userRating':
      return ownFirst(byName, viewer, { table: 'series_rating', number: sql`series_rating.rating` })
    case 'random':
      return shuffled('series', part, { from: order.from ?? '', direction: order.direction })
    case 'relevance':
      return [[selection.text ? { ...byName, number: selection.text.relevance } : byName]]
  }
}

type FieldOrder = keyof typeof fieldsOfSeries & SeriesOrder['field']
const isFieldOrder = (field: SeriesOrder['field']): field is FieldOrder => Object.hasOwn(fieldsOfSeries, field)

/** By the column of a field of metadata. */
const byField = (part: Part, name: FieldOrder): Ranks => {
  const field: MetadataField = fieldsOfSeries[name]
  return nullsLast(part, sql.ref(`series.${columnName(name)}`), field.kind === 'number' ? 'number' : 'text')
}

const booksSeen = (viewer: Viewer): RawBuilder<unknown> =>
  seesWholeSeries(viewer)
    ? sql`(series.book_count + 0)`
    : sql`(select count(*) from book
        where book.series_id = series.id and book.state = 'present' and ${visibleTo(viewer, 'book')})`

const firstReleased = (viewer: Viewer): RawBuilder<unknown> =>
  seesWholeSeries(viewer)
    ? sql`series.first_released`
    : sql`(select min(book.released) from book
        where book.series_id = series.id and book.state = 'present' and ${visibleTo(viewer, 'book')})`

/** The series of which this viewer has a row of their own come first, by what it says, and the others follow by name. */
const ownFirst = (
  byName: Part,
  viewer: Viewer,
  { table, ...keys }: { table: 'series_progress' | 'series_rating' } & Pick<Part, 'number' | 'texts'>,
): Ranks => {
  const own = sql.table(table)
  const id = sql.ref(`${table}.series_id`)
  const isOwn = sql`${sql.ref(`${table}.user_id`)} = ${readerOf(viewer)} and ${id} = series.id`
  return [
    // Crossed, so that SQLite begins with the few rows that are in order already.
    [{ from: sql`${own} cross join series`, where: [isOwn, ...byName.where], id, ...keys }],
    [{ ...byName, where: [...byName.where, sql`not exists (select 1 from ${own} where ${isOwn})`] }],
  ]
}

export interface Counted {
  readonly total: number
  readonly libraryIds: readonly string[]
  /** All of them, where they had to be looked for and are few. */
  readonly found?: readonly string[]
}

/** Each library keeps this count. */
export const selectKeptCounts = async (db: ReadDb, viewer: Viewer, libraryId: string | undefined): Promise<Counted> => {
  const rows = await db
    .selectFrom('library')
    .select(['library.id', 'library.series_count'])
    .where(visibleLibraries(viewer))
    .where('library.series_count', '>', 0)
    .$if(libraryId !== undefined, (query) => query.where('library.id', '=', libraryId ?? ''))
    .execute()
  return {
    total: rows.reduce((sum, { series_count }) => sum + series_count, 0),
    libraryIds: rows.map(({ id }) => id),
  }
}

export const countSeries = async (db: ReadDb, viewer: Viewer, selection: SeriesSelection): Promise<number> => {
  const row = await db
    .selectFrom('series')
    .where(every(conditionsAnywhere(viewer, selection)))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

/** The same in each library, for those who do not see all of each. */
export const countSeriesOfLibraries = async (db: ReadDb, viewer: Viewer): Promise<Counted> => {
  const rows = await db
    .selectFrom('series')
    .where(every(conditionsOf(viewer, {})))
    .select(({ fn }) => ['series.library_id', fn.countAll<number>().as('count')])
    .groupBy('series.library_id')
    .execute()
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    libraryIds: rows.map(({ library_id }) => library_id),
  }
}

/** Some of those that are seriesColumns, in no order. */
export const selectSomeIds = async (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
  max: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('series')
    .select('series.id')
    .where(every(conditionsAnywhere(viewer, selection)))
    .limit(max)
    .execute()
  return rows.map(({ id }) => id)
}

/** No further than this: of a search more are not counted (pins W11). */
export const countSeriesUpTo = async (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
  max: number,
): Promise<number> => {
  const some = db
    .selectFrom('series')
    .where(every(conditionsOf(looksAt(viewer, selection), selection)))
    .select('series.id')
    .limit(max)
  const row = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Where more is found than anybody looks through, it returns what begins with the text, and of the rest whatever is found first. */
export const someOf = (viewer: Viewer, selection: SeriesSelection, max: number): SeriesSelection => {
  const { text } = selection
  if (!text) return selection
  const part = (where: RawBuilder<boolean>) => sql`select id from (select series.id from series
    where ${every(conditionsOf(looksAt(viewer, selection), { ...selection, text: { ...text, where } }))}
    limit ${max}) as part`
  const begins = part(sql`(${text.begins} and ${text.where})`)
  const others = part(sql`(${text.where} and not ${text.begins})`)
  // As many as were counted and no more: the last pages are read from the end.
  const where = sql<boolean>`series.id in (select id from (${begins} union all ${others}) as found limit ${max})`
  return { ...selection, narrowed: undefined, text: { ...text, where } }
}

const every = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(conditions, sql` and `)}`

/** How many sort keys begin with which letter, in their order. */
export const countFirstLetters = async (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
): Promise<{ first: string; count: number }[]> => {
  const first = sql<string>`substr(series.sort_key, 1, 1)`
  return db
    .selectFrom('series')
    .where(every(conditionsOf(looksAt(viewer, selection), selection)))
    .select(({ fn }) => [first.as('first'), fn.countAll<number>().as('count')])
    .groupBy(first)
    .orderBy(first)
    .execute()
}

/** The most frequent values of one facet. */
export const countFacet = (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
  { facet, limit }: { facet: SeriesFacet; limit: number },
): Promise<FacetValue[]> =>
  countValues(db, facetSources(viewer)[facet], conditionsOf(looksAt(viewer, selection), selection), limit)

const facetsOfFields = fieldFacets('series', fieldsOfSeries)

const facetSources = (viewer: Viewer): Readonly<Record<SeriesFacet, FacetSource>> => ({
  ...facetsOfFields,
  libraryId: columnFacet('series', sql`series.library_id`),
  readStatus: readStatusFacet('series', viewer),
})
