import type { BookMatchType, FileFormat, SeriesMatchType } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import {
  seesWholeSeries,
  showsBooks,
  shownOfOneSeries,
  tellsSeries,
  type Viewer,
  visibleTo,
} from '../../catalogue/visibility/visibility.ts'

// This part restricts groups to what a viewer sees (pins W9).

/** Members of groups of series, as far as this viewer sees them: `group_id`, `id`, `dismissed`, `joined_at`. */
const seenSeries = (viewer: Viewer): RawBuilder<unknown> => sql`
  select duplicate_series.group_id, series.id, duplicate_series.dismissed, duplicate_series.joined_at
  from duplicate_series join series on series.id = duplicate_series.series_id
  where series.book_count > 0 and ${visibleTo(viewer, 'series')} and ${showsBooks(viewer)}`

const seenBooks = (viewer: Viewer): RawBuilder<unknown> => sql`
  select duplicate_book.group_id, book.id, duplicate_book.dismissed, duplicate_book.joined_at
  from duplicate_book join book on book.id = duplicate_book.book_id
  where book.state = 'present' and ${visibleTo(viewer, 'book')}`

/** A group counts when the viewer sees at least two of its members, unless all of these are dismissed. */
const seenGroups = (seen: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select group_id, count(*) as members, max(joined_at) as updated_at from (${seen}) as seen
  group by group_id having count(*) > 1 and min(dismissed) = 0`

type SeenGroup = {
  id: string
  match_type: SeriesMatchType | BookMatchType
  scope: string
  key: string
  created_at: string
  /** When the last came of those that are seen. */
  updated_at: string
  members: number
}

const selectGroups = async (
  db: ReadDb,
  seen: RawBuilder<unknown>,
  matchType: string | undefined,
  { limit, offset }: Paging,
): Promise<SeenGroup[]> => {
  const { rows } = await sql<SeenGroup>`
    select duplicate_group.id, match_type, scope, key, created_at, shown.updated_at, shown.members
    from (${seenGroups(seen)}) as shown join duplicate_group on duplicate_group.id = shown.group_id
    where ${ofType(matchType)}
    order by match_type, key, scope, duplicate_group.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

const ofType = (matchType: string | undefined): RawBuilder<unknown> =>
  matchType === undefined ? sql`true` : sql`match_type = ${matchType}`

export interface GroupCounts {
  readonly groups: Readonly<Record<string, number>>
  readonly members: number
}

const countAll = async (db: ReadDb, seen: RawBuilder<unknown>, matchType: string | undefined): Promise<GroupCounts> => {
  const shown = sql`select shown.group_id, match_type from (${seenGroups(seen)}) as shown
    join duplicate_group on duplicate_group.id = shown.group_id where ${ofType(matchType)}`
  const counted = await sql<{ match_type: string; count: number }>`
    select match_type, count(*) as count from (${shown}) as groups group by match_type`.execute(db)
  const members = await sql<{ count: number }>`
    select count(distinct seen.id) as count from (${seen}) as seen
    where seen.group_id in (select group_id from (${shown}) as groups)`.execute(db)
  return {
    groups: Object.fromEntries(counted.rows.map(({ match_type, count }) => [match_type, count])),
    members: members.rows[0]?.count ?? 0,
  }
}

export const selectSeriesGroups = (db: ReadDb, viewer: Viewer, matchType: string | undefined, paging: Paging) =>
  selectGroups(db, seenSeries(viewer), matchType, paging)

export const countSeriesGroups = (db: ReadDb, viewer: Viewer, matchType: string | undefined) =>
  countAll(db, seenSeries(viewer), matchType)

export const selectBookGroups = (db: ReadDb, viewer: Viewer, matchType: string | undefined, paging: Paging) =>
  selectGroups(db, seenBooks(viewer), matchType, paging)

export const countBookGroups = (db: ReadDb, viewer: Viewer, matchType: string | undefined) =>
  countAll(db, seenBooks(viewer), matchType)

/** The first so many of each group, in the order in which they came into the house. */
const firstOfEach = (seen: RawBuilder<unknown>, groupIds: readonly string[], limit: number): RawBuilder<unknown> => sql`
  select group_id, id from (
    select group_id, id, row_number() over (partition by group_id order by id) as place from (${seen}) as seen
    where group_id in (${sql.join(groupIds)})
  ) as placed where place <= ${limit}`

export interface SeriesMember {
  readonly group_id: string
  readonly id: string
  readonly library_id: string
  readonly library_name: string
  readonly title: string
  readonly books: number
  readonly updated_at: string
}

export const selectSeriesMembers = async (
  db: ReadDb,
  viewer: Viewer,
  groupIds: readonly string[],
  limit: number,
): Promise<SeriesMember[]> => {
  if (groupIds.length === 0) return []
  const books = seesWholeSeries(viewer)
    ? sql`series.book_count`
    : sql`(select count(*) from book
        where book.series_id = series.id and book.state = 'present' and ${visibleTo(viewer, 'book')})`
  const { rows } = await sql<SeriesMember>`
    select first.group_id, series.id, series.library_id, library.name as library_name,
      ${shownOfOneSeries(viewer, 'title')} as title,
      ${books} as books, series.updated_at
    from (${firstOfEach(seenSeries(viewer), groupIds, limit)}) as first
    join series on series.id = first.id join library on library.id = series.library_id
    order by first.group_id, series.id`.execute(db)
  return rows
}

export interface BookMember {
  readonly group_id: string
  readonly id: string
  readonly title: string
  readonly series_id: string | null
  readonly series_title: string | null
  readonly number: number | null
  readonly volume: number | null
  readonly chapter: number | null
  readonly library_id: string
  readonly library_name: string
  readonly format: FileFormat
  readonly size: number
  readonly page_count: number
}

export const selectBookMembers = async (
  db: ReadDb,
  viewer: Viewer,
  groupIds: readonly string[],
  limit: number,
): Promise<BookMember[]> => {
  if (groupIds.length === 0) return []
  const { rows } = await sql<BookMember>`
    select first.group_id, book.id, book.title, series.id as series_id,
      ${shownOfOneSeries(viewer, 'title')} as series_title, book.number,
      book.volume, book.chapter, book.library_id, library.name as library_name, book.format, book.size, book.page_count
    from (${firstOfEach(seenBooks(viewer), groupIds, limit)}) as first
    join book on book.id = first.id left join series on series.id = book.series_id and ${tellsSeries(viewer)}
    join library on library.id = book.library_id
    order by first.group_id, book.id`.execute(db)
  return rows
}

// One group

/** The members of one group that this viewer sees; fewer than two: there is no such group. */
export const selectMemberIds = async (
  db: ReadDb,
  viewer: Viewer,
  of: 'series' | 'book',
  groupId: string,
): Promise<string[]> => {
  const seen = of === 'series' ? seenSeries(viewer) : seenBooks(viewer)
  const { rows } = await sql<{ id: string }>`
    select id from (${seen}) as seen where group_id = ${groupId} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** It dismisses only the members this viewer sees; about hidden ones they have said nothing. */
export const updateDismissed = async (
  db: WriteDb,
  viewer: Viewer,
  { of, groupId, dismissed }: { of: 'series' | 'book'; groupId: string; dismissed: boolean },
): Promise<void> => {
  const [seen, table, id] =
    of === 'series'
      ? [seenSeries(viewer), 'duplicate_series' as const, sql.ref('series_id')]
      : [seenBooks(viewer), 'duplicate_book' as const, sql.ref('book_id')]
  await sql`update ${sql.table(table)} set dismissed = ${dismissed ? 1 : 0}
    where group_id = ${groupId} and ${id} in (select id from (${seen}) as seen where seen.group_id = ${groupId})`.execute(
    db,
  )
}

// Series that are no more

/**
 * It removes series from all groups, and groups that are too small without them. A dismissal by somebody else is void
 * after that, because the group is another one.
 */
export const deleteFromGroups = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  const groups = await db
    .selectFrom('duplicate_series')
    .select(['group_id', 'dismissed'])
    .where('series_id', 'in', seriesIds)
    .execute()
  const ids = [...new Set(groups.map(({ group_id }) => group_id))]
  if (ids.length === 0) return
  await db.deleteFrom('duplicate_series').where('series_id', 'in', seriesIds).execute()
  const dismissed = groups.flatMap((each) => (each.dismissed === 1 ? each.group_id : []))
  if (dismissed.length > 0)
    await db.updateTable('duplicate_series').set({ dismissed: 0 }).where('group_id', 'in', dismissed).execute()
  await db
    .deleteFrom('duplicate_group')
    .where('id', 'in', ids)
    .where(
      ({ selectFrom }) =>
        selectFrom('duplicate_series')
          .whereRef('duplicate_series.group_id', '=', 'duplicate_group.id')
          .select(({ fn }) => fn.countAll<number>().as('count')),
      '<',
      2,
    )
    .execute()
}

export const selectLibrariesOfMembers = async (
  db: ReadDb,
  of: 'series' | 'book',
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await db.selectFrom(of).select(`${of}.library_id`).distinct().where(`${of}.id`, 'in', ids).execute()
  return rows.map(({ library_id }) => library_id)
}
