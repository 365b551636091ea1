import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from './viewer.ts'

export type { Viewer, ViewRule } from './viewer.ts'
export { readerOf } from '../../filtering/filtering.ts'
export { selectAgeCeilings, selectBookLabels as labelsOfBooks, selectGrantedTags } from './queries.ts'
export { keptAnswers } from './kept-answers.ts'
export { type KeptLists, keptLists, type ListView } from './kept-lists.ts'
export {
  announceBooks,
  announceCovers,
  announceEdits,
  announceSeries,
  type Edit,
  type ListSights,
  newsOfChange,
  newsOfList,
  sightsIn,
} from './news.ts'

/** Whether this viewer sees all of every library that is visible at all: what is kept of a library needs no counting. */
export const seesWholeLibraries = (viewer: Viewer): boolean =>
  seesWholeSeries(viewer) && viewer.rule.allowTags.length === 0 && viewer.rule.denyTags.length === 0

/** Whether nothing at all is hidden from this viewer. */
export const seesEverything = (viewer: Viewer): boolean =>
  viewer.rule.libraries === 'all' && viewer.deletedLibraries.length === 0 && seesWholeLibraries(viewer)

/** The same of series: only ages tell books of one series apart. */
export const seesWholeSeries = ({ rule }: Viewer): boolean => rule.ageCeiling === null

/**
 * The one condition of every query that returns content of libraries (AUTH-7). `content` names the table, under its own
 * name, that the rows come from. What is hidden does not exist for this viewer (HTTP-3).
 */
export const visibleTo = (viewer: Viewer, content: 'book' | 'series'): RawBuilder<boolean> =>
  visibleIn(viewer, content, sql.ref(`${content}.library_id`))

const visibleIn = (viewer: Viewer, content: 'book' | 'series', library: RawBuilder<unknown>): RawBuilder<boolean> => {
  const { ageCeiling, includeUnrated, allowTags, denyTags } = viewer.rule
  const conditions: RawBuilder<unknown>[] = librariesOf(viewer, library)
  if (ageCeiling !== null) {
    const rating = sql.ref(`${content}.age_rating`)
    const fits = sql`${rating} <= ${ageCeiling}`
    conditions.push(includeUnrated ? sql`(${rating} is null or ${fits})` : fits)
  }
  if (allowTags.length > 0) conditions.push(carriesTag(content, allowTags))
  if (denyTags.length > 0) conditions.push(sql`not ${carriesTag(content, denyTags)}`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** A series is visible when this viewer sees one of its books. One whose ages hide every book is in no list and no count. */
export const showsBooks = (viewer: Viewer): RawBuilder<boolean> =>
  seesWholeSeries(viewer)
    ? sql<boolean>`true`
    : // The library is hidden from the planner of SQLite, which would rather look for each series among all its books.
      sql<boolean>`exists (select 1 from book where book.series_id = series.id and book.state = 'present'
        and ${visibleIn(viewer, 'book', sql`(book.library_id || '')`)})`

/** What stands in lists and counts: what is missing does not, and no series without a book to show. */
export const listedTo = (viewer: Viewer, content: 'book' | 'series'): RawBuilder<boolean> =>
  content === 'book'
    ? sql<boolean>`(book.state = 'present' and ${visibleTo(viewer, 'book')})`
    : sql<boolean>`(series.book_count > 0 and ${visibleTo(viewer, 'series')} and ${showsBooks(viewer)})`

/** The same viewer, looking at one library only. */
export const narrowedTo = (viewer: Viewer, libraryId: string): Viewer => {
  const { libraries } = viewer.rule
  const isTheirs = libraries === 'all' || libraries.includes(libraryId)
  return { ...viewer, rule: { ...viewer.rule, libraries: isTheirs ? [libraryId] : [] } }
}

/** The same viewer, looking at some libraries only. */
export const amongLibraries = (viewer: Viewer, libraryIds: readonly string[]): Viewer => {
  const { libraries } = viewer.rule
  const theirs = libraries === 'all' ? libraryIds : libraryIds.filter((id) => libraries.includes(id))
  return { ...viewer, rule: { ...viewer.rule, libraries: [...new Set(theirs)] } }
}

/** With more a list is read in its order, and passes over what is hidden. */
const mergedMax = 8

/**
 * Somebody who sees a few libraries, as somebody who looks at each: a list in order is then merged from the indexes of
 * those libraries, however little they are beside the others.
 */
export const libraryByLibrary = (viewer: Viewer): readonly Viewer[] => {
  const { libraries } = viewer.rule
  if (libraries === 'all' || libraries.length < 2 || libraries.length > mergedMax) return [viewer]
  return libraries.map((id) => narrowedTo(viewer, id))
}

/** The same for libraries themselves: only the list of libraries decides. */
export const visibleLibraries = (viewer: Viewer): RawBuilder<boolean> => {
  const [condition] = librariesOf(viewer, sql.ref('library.id'))
  return condition ?? sql<boolean>`true`
}

const librariesOf = ({ rule, deletedLibraries }: Viewer, column: RawBuilder<unknown>): RawBuilder<boolean>[] => {
  const { libraries } = rule
  if (libraries !== 'all') {
    const standing = libraries.filter((id) => !deletedLibraries.includes(id))
    // Hidden from the planner of SQLite, which would rather read all of these libraries and sort them.
    return [isOneOf(standing.length > mergedMax ? sql`(${column} || '')` : column, standing)]
  }
  return deletedLibraries.length === 0 ? [] : [sql<boolean>`not ${isOneOf(column, deletedLibraries)}`]
}

const carriesTag = (content: 'book' | 'series', tags: readonly string[]): RawBuilder<boolean> => {
  const seriesId = sql.ref(content === 'book' ? 'book.series_id' : 'series.id')
  return sql<boolean>`exists (select 1 from series_sharing_tag
    where series_sharing_tag.series_id = ${seriesId} and ${isOneOf(sql.ref('series_sharing_tag.tag_id'), tags)})`
}

const isOneOf = (column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> =>
  values.length === 0 ? sql<boolean>`false` : sql<boolean>`${column} in (${sql.join(values)})`
