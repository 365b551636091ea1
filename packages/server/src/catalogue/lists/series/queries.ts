import { columnName, fieldsOfSeries, type MetadataField, type SeriesFacet, type seriesOrders } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import {
  columnFacet,
  type FacetSource,
  fieldFacets,
  isOneOf,
  nullsLast,
  type RankSource,
  type Ranks,
  readStatusFacet,
  shuffled,
} from '../../../filtering/filtering.ts'
import {
  narrowedTo,
  readerOf,
  seesWholeSeries,
  showsBooks,
  type Viewer,
  visibleTo,
} from '../../visibility/visibility.ts'
import type { ListedSeries } from '../kinds.ts'
import { isFiltered, type ListOrder, listQueries, type ListQuery, type Selection } from '../queries.ts'

type SeriesField = (typeof seriesOrders)[keyof typeof seriesOrders]
export type SeriesOrder = ListOrder<SeriesField>

/** What is filtered has no index of its order, and what is counted for each viewer neither. */
export const isInOrder = (viewer: Viewer, selection: Selection, { field }: Pick<SeriesOrder, 'field'>): boolean =>
  !isFiltered(selection) && ((field !== 'bookCount' && field !== 'released') || seesWholeSeries(viewer))

const conditionsOf = (
  everywhere: Viewer,
  selection: Selection,
  way: 'forAllRows' | 'forEachRow' = 'forAllRows',
): RawBuilder<unknown>[] => {
  const viewer = viewerWithin(everywhere, selection)
  const { narrowed, text, ids } = selection
  return [
    sql`series.book_count > 0`,
    visibleTo(viewer, 'series'),
    ...(seesWholeSeries(viewer) ? [] : [showsBooks(viewer)]),
    ...(narrowed ? [narrowed[way]] : []),
    ...(text ? [text.where] : []),
    ...(ids ? [isOneOf(sql`series.id`, ids)] : []),
  ]
}

/**
 * For all that fits, in no order. Where every row is read, SQLite would go through any index of series with books and pick
 * the rows up here and there: so that they have books is hidden from it, and the table read as it lies.
 */
const conditionsAnywhere = (viewer: Viewer, selection: Selection): RawBuilder<unknown>[] => {
  const conditions = conditionsOf(viewer, selection)
  const isEverywhere =
    selection.narrowed?.readsEveryRow && selection.libraryId === undefined && viewer.rule.libraries === 'all'
  return isEverywhere ? [sql`(series.book_count + 0) > 0`, ...conditions.slice(1)] : conditions
}

const viewerWithin = (viewer: Viewer, { libraryId }: Selection): Viewer =>
  libraryId === undefined ? viewer : narrowedTo(viewer, libraryId)

const ranksOf = ({ viewer: everywhere, selection }: ListQuery, order: SeriesOrder): Ranks => {
  const viewer = viewerWithin(everywhere, selection)
  // What is gathered has its ids, or a text; of the rest there are many.
  const way = selection.text ? 'forAllRows' : 'forEachRow'
  const part: RankSource = { from: sql`series`, where: conditionsOf(viewer, selection, way) }
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
const byField = (part: RankSource, name: FieldOrder): Ranks => {
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
  byName: RankSource,
  viewer: Viewer,
  { table, ...keys }: { table: 'series_progress' | 'series_rating' } & Pick<RankSource, 'number' | 'texts'>,
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

const every = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(conditions, sql` and `)}`

const facetsOfFields = fieldFacets('series', fieldsOfSeries)

const facetSources = (viewer: Viewer): Readonly<Record<SeriesFacet, FacetSource>> => ({
  ...(seesWholeSeries(viewer) ? facetsOfFields : fieldFacets('series', fieldsOfSeries, viewer)),
  libraryId: columnFacet('series', sql`series.library_id`),
  readStatus: readStatusFacet('series', viewer),
})

const plainly = (viewer: Viewer, selection: Selection): RawBuilder<boolean> => every(conditionsOf(viewer, selection))

/** They are in no list. */
export const absentSeries = [sql`series.book_count <= 0`]

export interface SeriesTypes {
  readonly row: ListedSeries
  readonly field: SeriesField
  readonly facet: SeriesFacet
}

export const series = listQueries<SeriesTypes>({
  content: 'series',
  overAll: new Set(['name', 'createdAt', 'updatedAt', 'lastRead', 'userRating']),
  ranks: (query, order) => [ranksOf(query, order)],
  fits: {
    all: (viewer, selection) => every(conditionsAnywhere(viewer, selection)),
    some: plainly,
    lettered: plainly,
  },
  facets: facetSources,
})
