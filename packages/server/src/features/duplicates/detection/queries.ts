import type { BookMatchType, SeriesMatchType } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import { newId } from '../../../platform/ids.ts'

/** One kind of match, and within what: a library, or everywhere. */
export interface Match {
  readonly type: SeriesMatchType | BookMatchType
  readonly scope: string
}

// Keys of series

export const selectLibraryIds = async (db: ReadDb): Promise<string[]> => {
  const rows = await db.selectFrom('library').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

interface SeriesPart {
  readonly libraryId: string
  readonly afterKey: string
  readonly limit: number
  /** Only series that have changed since the last search are read. */
  readonly changedOnly: boolean
}

/** The order is that of the key by which the grouping of their library knows them. */
export const selectSeriesToKey = (db: ReadDb, { libraryId, afterKey, limit, changedOnly }: SeriesPart) =>
  db
    .selectFrom('series')
    .select(['series.id', 'series.key', 'series.title', 'series.metadata', 'series.book_count', 'series.updated_at'])
    .where('series.library_id', '=', libraryId)
    .where('series.key', '>', afterKey)
    .$if(changedOnly, (query) => query.where(hasChanged))
    .orderBy('series.key')
    .limit(limit)
    .execute()

/** It returns whether a library has series that have never been compared with others. */
export const hasUncompared = async (db: ReadDb, libraryId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('series')
    .select('series.id')
    .where('series.library_id', '=', libraryId)
    .where('series.book_count', '>', sql.lit(0))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('series_match_key').select('key').whereRef('series_match_key.series_id', '=', 'series.id')),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The rows are looked up one by one, even when the planner guesses that there are few. */
const hasChanged = sql<boolean>`coalesce(
  (select seen_at from series_match_key where series_id = series.id and match_type = 'title' and is_title = 1), ''
) <> case when series.book_count > 0 then series.updated_at else '' end`

export const selectExternalIds = async (db: ReadDb, seriesIds: readonly string[]) =>
  seriesIds.length === 0
    ? []
    : db
        .selectFrom('external_id')
        .select(['entity_id', 'source', 'external_id'])
        .where('entity_id', 'in', seriesIds)
        .execute()

export const selectKeysOf = async (db: ReadDb, seriesIds: readonly string[]) =>
  seriesIds.length === 0
    ? []
    : db.selectFrom('series_match_key').selectAll().where('series_id', 'in', seriesIds).execute()

export type MatchKeyRow = Awaited<ReturnType<typeof selectKeysOf>>[number]

/** Series that are gone by now have none. */
export const replaceKeys = async (
  db: WriteDb,
  seriesIds: readonly string[],
  rows: readonly MatchKeyRow[],
): Promise<void> => {
  if (seriesIds.length === 0) return
  await db.deleteFrom('series_match_key').where('series_id', 'in', seriesIds).execute()
  const there = await db.selectFrom('series').select('id').where('id', 'in', seriesIds).execute()
  const ids = new Set(there.map(({ id }) => id))
  await insertMany(
    db,
    'series_match_key',
    rows.filter(({ series_id }) => ids.has(series_id)),
  )
}

// The rest of this file forms groups.

const columnOf = { file: 'file_hash', content: 'content_hash', pages: 'pages_hash' } as const
/** Books that match in the stronger way match in this way anyway. */
const strongerThan = { content: 'file_hash', pages: 'content_hash' } as const

const isOfBooks = (type: Match['type']): type is BookMatchType => type in columnOf

/** `key` and `member` of everything that could be in a group of this kind. */
const membersOf = ({ type, scope }: Match): RawBuilder<unknown> =>
  isOfBooks(type)
    ? sql`select book_fingerprint.value as key, book_fingerprint.book_id as member
        from book_fingerprint join file on file.book_id = book_fingerprint.book_id
          and ${sql.ref(`file.${columnOf[type]}`)} = book_fingerprint.value and file.state = 'present'
        where book_fingerprint.kind = ${type}`
    : sql`select key, series_id as member from series_match_key where match_type = ${type} and scope = ${scope}`

/** Keys alone, as an index has them: of books also those that no longer hold it. */
const keysOf = ({ type, scope }: Match): RawBuilder<unknown> =>
  isOfBooks(type)
    ? sql`select value as key from book_fingerprint where kind = ${type}`
    : sql`select key from series_match_key where match_type = ${type} and scope = ${scope}`

const memberTable = ({ type }: Match) =>
  isOfBooks(type)
    ? ({ table: 'duplicate_book', id: sql.ref('book_id'), entity: sql.table('book') } as const)
    : ({ table: 'duplicate_series', id: sql.ref('series_id'), entity: sql.table('series') } as const)

/** The last of the next so many keys; undefined: there are not that many. */
export const selectRangeEnd = async (
  db: ReadDb,
  match: Match,
  after: string,
  rows: number,
): Promise<string | undefined> => {
  const result = await sql<{ key: string }>`
    select key from (${keysOf(match)}) as keys where key > ${after}
    order by key limit 1 offset ${rows - 1}`.execute(db)
  return result.rows[0]?.key
}

/** Keys that stand more than once, up to and with `end`. */
export const selectSharedKeys = async (
  db: ReadDb,
  match: Match,
  { after, end }: { readonly after: string; readonly end: string | undefined },
): Promise<{ key: string; count: number }[]> => {
  const result = await sql<{ key: string; count: number }>`
    select key, count(*) as count from (${keysOf(match)}) as keys
    where key > ${after} and ${end === undefined ? sql`true` : sql`key <= ${end}`}
    group by key having count(*) > 1 order by key`.execute(db)
  return result.rows
}

/**
 * Keys that say nothing another does not say already: the same books are the same in a stronger sense, or the same series
 * share a better name.
 */
export const selectIdleKeys = async (
  db: ReadDb,
  match: Match,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { type } = match
  if (keys.length === 0 || type === 'external_id' || type === 'file') return new Set()
  const result = await (isOfBooks(type) ? idleFingerprints(match, keys, type) : idleTitles(match.scope, keys)).execute(
    db,
  )
  return new Set(result.rows.map(({ key }) => key))
}

const idleFingerprints = (match: Match, keys: readonly string[], type: keyof typeof strongerThan) => {
  const stronger = sql.ref(`stronger.${strongerThan[type]}`)
  return sql<{ key: string }>`
    select found.key from (${membersOf(match)}) as found join file as stronger on stronger.book_id = found.member
    where found.key in (${sql.join(keys)})
    group by found.key having count(distinct ${stronger}) = 1 and count(${stronger}) = count(*)`
}

const idleTitles = (scope: string, keys: readonly string[]) => {
  const all = (key: RawBuilder<unknown>): RawBuilder<number> => sql`(select count(*) from series_match_key
    where match_type = 'title' and scope = ${scope} and key = ${key})`
  return sql<{ key: string }>`
    select distinct key from (
      select one.key from series_match_key as one
      join series_match_key as better on better.series_id = one.series_id and better.match_type = 'title'
        and better.key <> one.key
      where one.match_type = 'title' and one.scope = ${scope} and one.key in (${sql.join(keys)})
      group by one.key, better.key
      having count(*) = ${all(sql`one.key`)} and count(*) = ${all(sql`better.key`)}
        and (max(better.is_title) > max(one.is_title)
          or (max(better.is_title) = max(one.is_title) and better.key < one.key))
    ) as idle`
}

/** It returns those of these keys that have a series in no group yet. */
export const selectKeysToJoin = async (db: ReadDb, match: Match, keys: readonly string[]): Promise<string[]> => {
  if (keys.length === 0) return []
  const { table, id } = memberTable(match)
  const result = await sql<{ key: string }>`
    select distinct found.key from (${membersOf(match)}) as found
    left join duplicate_group as known
      on known.match_type = ${match.type} and known.scope = ${match.scope} and known.key = found.key
    left join ${sql.table(table)} as joined on joined.group_id = known.id and joined.${id} = found.member
    where found.key in (${sql.join(keys)}) and joined.group_id is null
      and (select count(*) from (${membersOf(match)}) as others where others.key = found.key) > 1`.execute(db)
  return result.rows.map(({ key }) => key)
}

export const insertGroups = (
  db: WriteDb,
  { type, scope }: Match,
  keys: readonly string[],
  now: Date,
): Promise<void> => {
  const at = now.toISOString()
  return insertMany(
    db,
    'duplicate_group',
    keys.map((key) => ({ id: newId(now.getTime()), match_type: type, scope, key, created_at: at })),
    'is left as it is',
  )
}

/** It inserts at most this many, and returns the group of each. */
export const insertMembers = async (
  db: WriteDb,
  match: Match,
  keys: readonly string[],
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<string[]> => {
  const { table, id, entity } = memberTable(match)
  const { rows } = await sql<{ group_id: string }>`
    insert into ${sql.table(table)} (group_id, ${id}, dismissed, joined_at)
    select known.id, found.member, 0, cast(${now.toISOString()} as text) from duplicate_group as known
    join (${membersOf(match)}) as found on found.key = known.key
    join ${entity} as entity on entity.id = found.member
    where known.match_type = ${match.type} and known.scope = ${match.scope} and known.key in (${sql.join(keys)})
      and found.key in (${sql.join(keys)})
      and (select count(*) from ${sql.table(table)} as joined where joined.group_id = known.id and joined.${id} = found.member) = 0
    limit ${limit}
    returning group_id`.execute(db)
  return rows.map(({ group_id }) => group_id)
}

export const selectGroups = (db: ReadDb, { type, scope }: Match, after: string, limit: number) =>
  db
    .selectFrom('duplicate_group')
    .select(['id', 'key'])
    .where('match_type', '=', type)
    .where('scope', '=', scope)
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()

export interface Leaver {
  readonly group_id: string
  readonly member: string
  readonly dismissed: 0 | 1
}

/** Members that no longer belong to their group. Counted, so that each is looked up: a join would read all keys there are. */
export const selectLeavers = async (
  db: ReadDb,
  match: Match,
  groupIds: readonly string[],
  limit: number,
): Promise<Leaver[]> => {
  const { table, id } = memberTable(match)
  const { rows } = await sql<Leaver>`
    select joined.group_id, joined.${id} as member, joined.dismissed from ${sql.table(table)} as joined
    join duplicate_group as known on known.id = joined.group_id
    where known.id in (${sql.join(groupIds)}) and (
      select count(*) from (${membersOf(match)}) as found
      where found.key = known.key and found.member = joined.${id}) = 0
    limit ${limit}`.execute(db)
  return rows
}

/** Groups of one, or of nobody. */
export const selectSmallGroups = async (db: ReadDb, match: Match, groupIds: readonly string[]): Promise<string[]> => {
  const { table } = memberTable(match)
  const { rows } = await sql<{ id: string }>`
    select id from duplicate_group where id in (${sql.join(groupIds)})
      and (select count(*) from (select 1 from ${sql.table(table)} where group_id = duplicate_group.id limit 2) as few) < 2`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export const deleteMembers = async (db: WriteDb, match: Match, leavers: readonly Leaver[]): Promise<void> => {
  const { table, id } = memberTable(match)
  const pairs = leavers.map(({ group_id, member }) => sql`(${group_id}, ${member})`)
  await sql`delete from ${sql.table(table)} where (group_id, ${id}) in (values ${sql.join(pairs)})`.execute(db)
}

/** A dismissal holds only for the group as it was. */
export const updateNotDismissed = async (db: WriteDb, match: Match, groupIds: readonly string[]): Promise<void> => {
  if (groupIds.length === 0) return
  const { table } = memberTable(match)
  await sql`update ${sql.table(table)} set dismissed = 0 where group_id in (${sql.join(groupIds)}) and dismissed = 1`.execute(
    db,
  )
}

export const deleteGroups = async (db: WriteDb, groupIds: readonly string[]): Promise<void> => {
  if (groupIds.length > 0) await db.deleteFrom('duplicate_group').where('id', 'in', groupIds).execute()
}

/** It deletes the groups of libraries that have been deleted. */
export const deleteGroupsOfNoLibrary = async (db: WriteDb): Promise<void> => {
  await db
    .deleteFrom('duplicate_group')
    .where('match_type', '=', 'title')
    .where('scope', 'not in', ({ selectFrom }) => selectFrom('library').select('library.id'))
    .execute()
}

export const selectLibrariesOf = async (db: ReadDb, match: Match, groupIds: readonly string[]): Promise<string[]> => {
  if (groupIds.length === 0) return []
  const { table, id, entity } = memberTable(match)
  const { rows } = await sql<{ library_id: string }>`
    select distinct entity.library_id from ${sql.table(table)} as joined join ${entity} as entity on entity.id = joined.${id}
    where joined.group_id in (${sql.join(groupIds)})`.execute(db)
  return rows.map(({ library_id }) => library_id)
}

export const countGroups = async (db: ReadDb): Promise<Partial<Record<Match['type'], number>>> => {
  const rows = await db
    .selectFrom('duplicate_group')
    .select(({ fn }) => ['match_type', fn.countAll<number>().as('count')])
    .groupBy('match_type')
    .execute()
  return Object.fromEntries(rows.map(({ match_type, count }) => [match_type, count]))
}
