import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import type { ContentLabels, Audience } from '../../events/outbox.ts'
import { librariesInOrderMax, seesWholeSeries, type Sight, type Viewer } from './viewer.ts'

export const selectSeriesLabels = async (
  db: ReadDb,
  seriesIds: readonly string[],
): Promise<{ id: string; libraryId: string; content: ContentLabels }[]> => {
  if (seriesIds.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .select(['id', 'library_id', 'age_rating'])
    .where('id', 'in', seriesIds)
    .execute()
  const tags = await selectTags(db, seriesIds)
  return rows.map(({ id, library_id, age_rating }) => ({
    id,
    libraryId: library_id,
    content: { ageRating: age_rating, sharingTags: tags(id) },
  }))
}

interface BookLabels {
  readonly id: string
  readonly seriesId: string
  readonly libraryId: string
  readonly content: ContentLabels
  readonly series: ContentLabels
}

export const selectBookLabels = async (db: ReadDb, bookIds: readonly string[]): Promise<BookLabels[]> =>
  bookIds.length === 0
    ? []
    : labelled(db, await ratedBooks(db, bookIds).where('book.state', '<>', sql.lit('hidden')).execute())

/** The series of those among these books that somebody may see who does not see the series. */
export const labelsOfStricterSeries = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, ContentLabels>> => {
  if (bookIds.length === 0) return new Map()
  const isStricter = sql<boolean>`(series.age_rating > book.age_rating
    or (series.age_rating is null) <> (book.age_rating is null))`
  const books = await labelled(db, await ratedBooks(db, bookIds).where(isStricter).execute())
  return new Map(books.map(({ id, series }) => [id, series]))
}

const ratedBooks = (db: ReadDb, bookIds: readonly string[]) =>
  db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .select(['book.id', 'book.series_id', 'book.library_id', 'book.age_rating', 'series.age_rating as series_rating'])
    .where('book.id', 'in', bookIds)

const labelled = async (
  db: ReadDb,
  rows: Awaited<ReturnType<ReturnType<typeof ratedBooks>['execute']>>,
): Promise<BookLabels[]> => {
  const tags = await selectTags(db, [...new Set(rows.map(({ series_id }) => series_id))])
  return rows.map(({ id, series_id, library_id, age_rating, series_rating }) => ({
    id,
    seriesId: series_id,
    libraryId: library_id,
    content: { ageRating: age_rating, sharingTags: tags(series_id) },
    series: { ageRating: series_rating, sharingTags: tags(series_id) },
  }))
}

const selectTags = async (db: ReadDb, seriesIds: readonly string[]) => {
  const rows =
    seriesIds.length === 0
      ? []
      : await db.selectFrom('series_sharing_tag').selectAll().where('series_id', 'in', seriesIds).execute()
  const bySeries = Map.groupBy(rows, ({ series_id }) => series_id)
  return (seriesId: string): string[] => (bySeries.get(seriesId) ?? []).map(({ tag_id }) => tag_id)
}

/** Series that carry tags are told apart one by one. */
const taggedMax = 200

/**
 * Few labels that stand for all of these series or books in these states: whoever sees one of them sees something with one of
 * the labels, and the other way round. Of those without tags the lowest rating of a library stands for the rest.
 */
export const selectLabelsAmong = async (
  db: ReadDb,
  content: 'book' | 'series',
  ids: RawBuilder<unknown>,
  states: readonly ('present' | 'missing')[],
): Promise<readonly Audience[]> => {
  const isAmongIds = content === 'book' ? sql`book.id in (${ids})` : sql`series.id in (${ids})`
  const isOneOfThese = sql.join(states.map((state) => sql.lit(state)))
  const isTagged = sql`exists (select 1 from series_sharing_tag where series_sharing_tag.series_id = series.id)`
  const figures = sql`series.library_id, series.age_rating, min(book.age_rating) as lowest,
    max(case when book.age_rating is null then 1 else 0 end) as unrated`
  const there = sql`series join book on book.series_id = series.id and book.state in (${isOneOfThese})
    where ${isAmongIds}`
  const plain = await sql<LabelsRow>`
    select ${figures} from ${there} and not ${isTagged} group by series.library_id, series.age_rating`.execute(db)
  const tagged = await sql<LabelsRow & { readonly id: string }>`
    select series.id, ${figures} from ${there} and ${isTagged}
    group by series.id, series.library_id, series.age_rating order by series.id limit ${taggedMax}`.execute(db)
  const tags = await selectTags(
    db,
    tagged.rows.map(({ id }) => id),
  )
  const audiences = [
    ...plain.rows.flatMap((row) => audiencesOf(content, row, [])),
    ...tagged.rows.flatMap((row) => audiencesOf(content, row, tags(row.id).toSorted())),
  ]
  return [...new Map(audiences.map((each) => [JSON.stringify(each), each])).values()]
}

interface LabelsRow {
  readonly library_id: string
  readonly age_rating: number | null
  readonly lowest: number | null
  readonly unrated: number
}

/** A book in a list is seen whatever its series is rated; a series is not without a book that is seen. */
const audiencesOf = (content: 'book' | 'series', row: LabelsRow, sharingTags: readonly string[]): Audience[] => {
  const { library_id: libraryId, age_rating, lowest, unrated } = row
  const ofBooks = [...(lowest === null ? [] : [lowest]), ...(unrated === 1 ? [null] : [])]
  return ofBooks.map((ageRating) =>
    content === 'book'
      ? { libraryId, content: { ageRating, sharingTags } }
      : { libraryId, content: { ageRating: age_rating, sharingTags }, within: { ageRating, sharingTags } },
  )
}

// Who there is that sees less than others

/** It returns the tags by which somebody is let in, or kept out. */
export const selectGrantedTags = async (
  db: ReadDb,
  tagIds: readonly string[],
  modes: readonly ('allow' | 'deny')[],
): Promise<string[]> => {
  if (tagIds.length === 0) return []
  const granted = (table: 'user_grant' | 'access_group_grant') =>
    db.selectFrom(table).select('tag_id').where('mode', 'in', modes).where('tag_id', 'in', tagIds)
  const rows = await granted('user_grant').union(granted('access_group_grant')).execute()
  return rows.map(({ tag_id }) => tag_id)
}

/** Up to which age anybody sees what is rated, be it by a group. */
export const selectAgeCeilings = async (db: ReadDb): Promise<number[]> => {
  const ceilings = (table: 'user' | 'access_group') =>
    db.selectFrom(table).select('age_ceiling').where('age_ceiling', 'is not', null)
  const rows = await ceilings('user').union(ceilings('access_group')).execute()
  return rows.flatMap(({ age_ceiling }) => age_ceiling ?? [])
}

/** What the record of each user says of ages and libraries, and those of their groups. */
export const selectAccessRecords = (db: ReadDb) =>
  db
    .selectFrom('user')
    .select(['user.id as user_id', 'user.id as owner_id', 'user.all_libraries', 'user.age_ceiling'])
    .select('user.include_unrated')
    .unionAll(
      db
        .selectFrom('access_group_member as member')
        .innerJoin('access_group', 'access_group.id', 'member.group_id')
        .select(['member.user_id', 'access_group.id as owner_id', 'access_group.all_libraries'])
        .select(['access_group.age_ceiling', 'access_group.include_unrated']),
    )
    .execute()

/** The sharing tags that are granted to users, be it by a group. */
export const selectGrantsOfUsers = (db: ReadDb) =>
  db
    .selectFrom('user_grant')
    .select(['owner_id as user_id', 'tag_id', 'mode'])
    .union(
      db
        .selectFrom('access_group_grant as granted')
        .innerJoin('access_group_member as member', 'member.group_id', 'granted.owner_id')
        .select(['member.user_id', 'granted.tag_id', 'granted.mode']),
    )
    .execute()

/** The users and groups whose lists of libraries name this one. */
export const selectListing = async (db: ReadDb, libraryId: string): Promise<ReadonlySet<string>> => {
  const listing = (table: 'user_library' | 'access_group_library') =>
    db.selectFrom(table).select('owner_id').where('library_id', '=', libraryId)
  const rows = await listing('user_library').union(listing('access_group_library')).execute()
  return new Set(rows.map(({ owner_id }) => owner_id))
}

// What a viewer sees, as a condition of any query

/**
 * The one condition of every query that returns content of libraries (AUTH-7). `content` names the table, under its own
 * name, that the rows come from. What is hidden does not exist for this viewer (HTTP-3).
 */
export const visibleTo = (sight: Sight, content: 'book' | 'series'): RawBuilder<boolean> =>
  visibleIn(sight, content, sql.ref(`${content}.library_id`))

const visibleIn = (sight: Sight, content: 'book' | 'series', library: RawBuilder<unknown>): RawBuilder<boolean> => {
  const { ageCeiling, includeUnrated, allowTags, denyTags } = sight.rule
  const conditions: RawBuilder<unknown>[] = librariesOf(sight, library)
  const rating = sql.ref(`${content}.age_rating`)
  if (ageCeiling !== null) conditions.push(fitsAge({ ageCeiling, includeUnrated }, rating))
  if (allowTags.length > 0) conditions.push(carriesTag(content, allowTags))
  if (denyTags.length > 0) conditions.push(sql`not ${carriesTag(content, denyTags)}`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

interface AgeRule {
  readonly ageCeiling: number
  readonly includeUnrated: boolean
}

const fitsAge = ({ ageCeiling, includeUnrated }: AgeRule, rating: RawBuilder<unknown>): RawBuilder<boolean> => {
  const fits = sql<boolean>`${rating} <= ${ageCeiling}`
  return includeUnrated ? sql<boolean>`(${rating} is null or ${fits})` : fits
}

/**
 * Whether a book that this viewer sees may tell of its series, for statements that join the two. A book may be rated lower than its
 * series (W9), which does not exist then for who sees the book: not its id and not its name (HTTP-3). In all but their ages they are alike.
 */
export const tellsSeries = ({ rule }: Pick<Sight, 'rule'>, series = 'series'): RawBuilder<boolean> => {
  const { ageCeiling, includeUnrated } = rule
  return ageCeiling === null
    ? sql<boolean>`true`
    : fitsAge({ ageCeiling, includeUnrated }, sql.ref(`${series}.age_rating`))
}

/** The series of a book, where this viewer may be told of it. */
export const toldSeriesId = (viewer: Sight): RawBuilder<string | null> =>
  seesWholeSeries(viewer)
    ? sql`book.series_id`
    : sql`(select series.id from series where series.id = book.series_id and ${tellsSeries(viewer)})`

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

/**
 * What exists for this viewer: books that are missing too, but a series without a book to show only for those who manage
 * libraries (C23). It is kept for when its books come back.
 */
export const knownTo = (viewer: Viewer, content: 'book' | 'series'): RawBuilder<boolean> => {
  if (content === 'book') return sql`(book.state <> 'hidden' and ${visibleTo(viewer, 'book')})`
  return viewer.seesPaths ? visibleTo(viewer, 'series') : listedTo(viewer, 'series')
}

/** The same for libraries themselves: only the list of libraries decides. */
export const visibleLibraries = (viewer: Viewer): RawBuilder<boolean> => {
  const [condition] = librariesOf(viewer, sql.ref('library.id'))
  return condition ?? sql<boolean>`true`
}

const librariesOf = ({ rule, deletedLibraries }: Sight, column: RawBuilder<unknown>): RawBuilder<boolean>[] => {
  const { libraries } = rule
  if (libraries !== 'all') {
    const standing = libraries.filter((id) => !deletedLibraries.includes(id))
    // Hidden from the planner of SQLite, which would rather read all of these libraries and sort them.
    return [isOneOf(standing.length > librariesInOrderMax ? sql`(${column} || '')` : column, standing)]
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
