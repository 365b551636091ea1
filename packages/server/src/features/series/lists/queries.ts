import type { FacetValue, ReadStatus, SeriesFacet, seriesOrders } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import {
  holds,
  merged,
  nullsLast,
  orderedPage,
  type Part,
  type Ranks,
  shuffled,
  type TextMatch,
} from '../../../filtering/filtering.ts'
import type { Order, Paging } from '../../../platform/paging.ts'
import {
  libraryByLibrary,
  narrowedTo,
  seesWholeSeries,
  showsBooks,
  type Viewer,
  visibleLibraries,
  visibleTo,
} from '../../visibility/visibility.ts'
import { listed, type ListedSeries } from '../queries.ts'

export interface SeriesSelection {
  readonly libraryId?: string | undefined
  /** A condition, for this viewer. */
  readonly narrowed?: RawBuilder<boolean> | undefined
  readonly text?: TextMatch | undefined
}

export type SeriesOrder = Order<(typeof seriesOrders)[keyof typeof seriesOrders]> & {
  /** Of `random`: where in the order of chance it begins. */
  readonly from?: string | undefined
}

export const isFiltered = ({ narrowed, text }: SeriesSelection): boolean => narrowed !== undefined || text !== undefined

const conditionsOf = (viewer: Viewer, { narrowed, text }: SeriesSelection): RawBuilder<unknown>[] => [
  sql`series.book_count > 0`,
  visibleTo(viewer, 'series'),
  ...(seesWholeSeries(viewer) ? [] : [showsBooks(viewer)]),
  ...(narrowed ? [narrowed] : []),
  ...(text ? [text.where] : []),
]

const looksAt = (viewer: Viewer, { libraryId }: SeriesSelection): Viewer =>
  libraryId === undefined ? viewer : narrowedTo(viewer, libraryId)

/** More are not merged but sorted. */
const mergedMax = 200

/** Of these orders there is an index over all libraries; of the others each library has its own. */
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
  /** Those that have anything to list. */
  readonly libraryIds: readonly string[]
}

export const selectManySeries = async (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
  { order, paging: { limit, offset }, total, libraryIds }: Page,
): Promise<ListedSeries[]> => {
  const lists = sightsOf(viewer, selection, { order, libraryIds }).map((sight) => ranksOf(sight, selection, order))
  const ordered = orderedPage('series', merged(lists), { direction: wayOf(order), limit, offset, total })
  if (!ordered) return []
  return (
    db
      .selectFrom(ordered.page)
      // Crossed, so that SQLite begins with the page however long it thinks that is.
      .crossJoin('series')
      .whereRef('series.id', '=', 'page.id')
      .select(listed)
      .orderBy(ordered.order)
      .execute()
  )
}

/** The best is what stands first when it is sorted downwards. */
const wayOf = ({ field, direction }: SeriesOrder): 'asc' | 'desc' =>
  field === 'relevance' ? (direction === 'desc' ? 'asc' : 'desc') : direction

const ranksOf = (viewer: Viewer, selection: SeriesSelection, order: SeriesOrder): Ranks => {
  const part: Part = { from: sql`series`, where: conditionsOf(viewer, selection) }
  const byName = { ...part, texts: [sql`series.sort_key`] }
  switch (order.field) {
    case 'name':
      return [[byName]]
    case 'createdAt':
      return [[{ ...part, texts: [sql`series.created_at`] }]]
    case 'updatedAt':
      return [[{ ...part, texts: [sql`series.updated_at`] }]]
    case 'bookCount':
      return [[{ ...part, number: booksSeen(viewer) }]]
    case 'year':
      return nullsLast(part, sql`series.year`, 'number')
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

const booksSeen = (viewer: Viewer): RawBuilder<unknown> =>
  seesWholeSeries(viewer)
    ? sql`(series.book_count + 0)`
    : sql`(select count(*) from book
        where book.series_id = series.id and book.state = 'present' and ${visibleTo(viewer, 'book')})`

/** Those of which this viewer has a row of their own, by what it says, and behind them the others by name. */
const ownFirst = (
  byName: Part,
  { userId }: Viewer,
  { table, ...keys }: { table: 'series_progress' | 'series_rating' } & Pick<Part, 'number' | 'texts'>,
): Ranks => {
  const own = sql.table(table)
  const id = sql.ref(`${table}.series_id`)
  const isOwn = sql`${sql.ref(`${table}.user_id`)} = ${userId} and ${id} = series.id`
  return [
    // Crossed, so that SQLite begins with the few rows that are in order already.
    [{ from: sql`${own} cross join series`, where: [isOwn, ...byName.where], id, ...keys }],
    [{ ...byName, where: [...byName.where, sql`not exists (select 1 from ${own} where ${isOwn})`] }],
  ]
}

export interface Counted {
  readonly total: number
  readonly libraryIds: readonly string[]
}

/** As kept for each library. */
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
    .where(every(conditionsOf(looksAt(viewer, selection), selection)))
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
export const countFacet = async (
  db: ReadDb,
  viewer: Viewer,
  selection: SeriesSelection,
  { facet, limit }: { facet: SeriesFacet; limit: number },
): Promise<FacetValue[]> => {
  const { from, value, where, group, each } = facetSources(viewer)[facet]
  const conditions = [...conditionsOf(looksAt(viewer, selection), selection), ...where]
  const { rows } = await sql<{ value: string | number; count: number }>`
    select ${value} as value, ${each} as count from ${from} where ${every(conditions)}
    group by ${group} order by count desc, value limit ${limit}`.execute(db)
  return rows.map(({ value, count }) => ({ value, count }))
}

interface FacetSource {
  readonly from: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
  readonly where: readonly RawBuilder<unknown>[]
  readonly group: RawBuilder<unknown>
  /** What is counted. */
  readonly each: RawBuilder<unknown>
}

const facetSources = (viewer: Viewer): Readonly<Record<SeriesFacet, FacetSource>> => ({
  genre: termSource('genre'),
  tag: termSource('tag'),
  author: termSource('person'),
  publisher: textSource(sql`series.publisher`, sql`series.publisher_text`),
  language: textSource(sql`series.language`, sql`series.language_text`),
  status: columnSource(sql`series.status`),
  year: columnSource(sql`series.year`),
  libraryId: columnSource(sql`series.library_id`),
  readStatus: columnSource(readStatusOf(viewer)),
})

const readStatusOf = (viewer: Viewer): RawBuilder<unknown> => {
  const is = (value: ReadStatus) => holds({ readStatus: { operator: 'is', value } }, { target: 'series', viewer })
  return sql`case when ${is('unread')} then 'unread' when ${is('read')} then 'read' else 'in_progress' end`
}

const termSource = (kind: 'genre' | 'tag' | 'person'): FacetSource => ({
  from: sql`series inner join series_term on series_term.series_id = series.id
    inner join term on term.id = series_term.term_id`,
  value: sql`term.name`,
  where: [sql`term.kind = ${sql.lit(kind)}`],
  group: sql`term.id, term.name`,
  // Somebody may be known for several things in one.
  each: kind === 'person' ? sql`count(distinct series.id)` : sql`count(*)`,
})

const columnSource = (column: RawBuilder<unknown>): FacetSource => ({
  from: sql`series`,
  value: column,
  where: [sql`${column} is not null`],
  group: sql`1`,
  each: sql`count(*)`,
})

/** Spelled in several ways it is still one value: that of the first of them. */
const textSource = (column: RawBuilder<unknown>, folded: RawBuilder<unknown>): FacetSource => ({
  from: sql`series`,
  value: sql`min(${column})`,
  where: [sql`${column} is not null`],
  group: folded,
  each: sql`count(*)`,
})
