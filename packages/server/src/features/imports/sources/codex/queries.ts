import { recordLimits } from '../../records.ts'
import { gathered, gatheredRows } from '../gathered.ts'
import { cut, type StoreDatabase, type StoreRow } from '../sqlite.ts'

/** The tables of Codex. Ids are blobs of 16 bytes. Rows come in the order in which they were written, one at a time. */
type Rows = Iterable<StoreRow>

const prose = recordLimits.prose
const none = "'[]'"

const ifThere = (db: StoreDatabase, table: string, expression: string): string => (db.has(table) ? expression : none)

const unless = (db: StoreDatabase, table: string, column: string, alias: string): string =>
  db.has(table, column) ? `${alias}.${column}` : 'null'

export const selectSchema = (db: StoreDatabase, newestMigration: string): StoreRow | undefined =>
  db.first(
    `select ${cut('max(version)', 200)} as newest, sum(version > @newestMigration) as unknown from seaql_migrations`,
    {
      newestMigration,
    },
  )

export const countRows = (db: StoreDatabase, table: string, where = 'true'): number => {
  if (!db.has(table)) return 0
  const count = db.first(`select count(*) as count from ${table} where ${where}`)?.['count']
  return typeof count === 'number' ? count : 0
}

export const selectLibraries = (db: StoreDatabase): Rows =>
  db.rows(`
    select l.id, ${cut('l.name')} as name, ${cut('l.path')} as path, ${cut('l.series_strategy', 100)} as strategy,
      ${cut('l.series_config', prose)} as config, ${cut('l.default_reading_direction', 100)} as direction
    from libraries l order by l.rowid`)

/** A tag is allowed or denied to somebody by name, or to a group they are in. */
export const selectUsers = (db: StoreDatabase): Rows => {
  const own = `user_sharing_tags g join sharing_tags t on t.id = g.sharing_tag_id where g.user_id = u.id order by t.name`
  const ofGroups = `user_access_groups m join access_group_sharing_tags g on g.access_group_id = m.access_group_id
      join sharing_tags t on t.id = g.sharing_tag_id where m.user_id = u.id order by t.name`
  const grant = [cut('t.name', 200), 'g.access_mode']
  return db.rows(`
    select u.id, ${cut('u.username')} as name, ${cut('u.email')} as email, u.role, u.is_active as isActive,
      ${cut('u.permissions', prose)} as permissions,
      ${ifThere(db, 'user_sharing_tags', gatheredRows(grant, own))} as grants,
      ${ifThere(db, 'user_access_groups', gatheredRows(grant, ofGroups))} as grantsOfGroups
    from users u order by u.rowid`)
}

const textColumns = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `${cut(`${alias}.${column}`, prose)} as ${column}`).join(', ')

/** The metadata of a table, each column with its lock, as far as this version has them. */
const withLocks = (db: StoreDatabase, table: string, columns: readonly string[]): string =>
  columns
    .flatMap((column) => [
      `${db.has(table, column) ? cut(`m.${column}`, prose) : 'null'} as ${column}`,
      `${unless(db, table, `${column}_lock`, 'm')} as ${column}_lock`,
    ])
    .join(', ')

export const selectSeries = (db: StoreDatabase, columns: readonly string[]): Rows => {
  const labels = gathered(
    cut('t.name', 200),
    'series_sharing_tags l join sharing_tags t on t.id = l.sharing_tag_id where l.series_id = s.id',
  )
  return db.rows(`
    select s.id, s.library_id as library, ${textColumns('s', ['name', 'path'])},
      ${withLocks(db, 'series_metadata', columns)}, m.genres_lock, m.tags_lock,
      ${unless(db, 'series_metadata', 'alternate_titles_lock', 'm')} as alternate_titles_lock,
      ${gathered(cut('g.name', 500), 'series_genres l join genres g on g.id = l.genre_id where l.series_id = s.id order by g.name')} as genres,
      ${gathered(cut('t.name', 500), 'series_tags l join tags t on t.id = l.tag_id where l.series_id = s.id order by t.name')} as tags,
      ${ifThere(db, 'series_sharing_tags', labels)} as labels,
      ${ifThere(db, 'series_alternate_titles', gatheredRows([cut('a.label', 200), cut('a.title')], 'series_alternate_titles a where a.series_id = s.id order by a.rowid'))} as alternateTitles,
      ${ifThere(db, 'series_aliases', gathered(cut('a.alias'), 'series_aliases a where a.series_id = s.id order by a.rowid'))} as aliases,
      ${externalIds(db, 'series')} as externalIds, ${externalLinks(db, 'series')} as externalLinks,
      ${ifThere(db, 'series_external_ratings', gatheredRows([cut('r.source_name', 200), 'r.rating', 'r.vote_count'], 'series_external_ratings r where r.series_id = s.id order by r.rowid'))} as externalRatings
    from series s left join series_metadata m on m.series_id = s.id order by s.rowid`)
}

const externalIds = (db: StoreDatabase, what: 'series' | 'book'): string => {
  const table = `${what}_external_ids`
  const values = [cut('e.source', 200), cut('e.external_id'), cut('e.external_url')]
  return ifThere(db, table, gatheredRows(values, `${table} e where e.${what}_id = ${what[0]}.id order by e.source`))
}

const externalLinks = (db: StoreDatabase, what: 'series' | 'book'): string => {
  const table = `${what}_external_links`
  const values = [cut('e.source_name', 200), cut('e.url'), cut('e.external_id', 200)]
  return ifThere(db, table, gatheredRows(values, `${table} e where e.${what}_id = ${what[0]}.id order by e.rowid`))
}

export const selectBooks = (db: StoreDatabase, columns: readonly string[]): Rows =>
  db.rows(`
    select b.id, s.id as series, b.library_id as library, ${cut('b.path')} as path, b.file_size as size,
      ${cut('b.file_hash', 100)} as fileHash, ${cut('b.partial_hash', 100)} as partialHash,
      ${db.has('books', 'koreader_hash') ? cut('b.koreader_hash', 100) : 'null'} as koreaderHash,
      b.page_count as pages, b.deleted as isDeleted, ${cut('coalesce(sm.title, s.name)')} as seriesTitle,
      ${withLocks(db, 'book_metadata', columns)},
      ${ifThere(db, 'book_genres', gathered(cut('g.name', 500), 'book_genres l join genres g on g.id = l.genre_id where l.book_id = b.id order by g.name'))} as genres,
      ${ifThere(db, 'book_tags', gathered(cut('t.name', 500), 'book_tags l join tags t on t.id = l.tag_id where l.book_id = b.id order by t.name'))} as tags,
      ${externalIds(db, 'book')} as externalIds, ${externalLinks(db, 'book')} as externalLinks
    from books b left join series s on s.id = b.series_id left join series_metadata sm on sm.series_id = b.series_id
      left join book_metadata m on m.book_id = b.id
    order by b.rowid`)

/**
 * `updated_at` is when the server wrote the row. The log has the time on the reader's clock; its times have any number of digits, so that they
 * cannot be compared as text.
 */
export const selectProgress = (db: StoreDatabase): Rows => {
  // Beside a greatest value SQLite shows the row that has it.
  const lastRead = db.has('reading_sessions')
    ? `select user_id, book_id, ${cut('client_ended_at', 60)} as at, max(julianday(client_ended_at)) as day
        from reading_sessions group by user_id, book_id`
    : 'select null as user_id, null as book_id, null as at, null as day where false'
  return db.rows(`
    select p.id, u.id as user, b.id as book, b.format, b.page_count as pages, p.current_page as page,
      p.progress_percentage as fraction, p.completed as isCompleted, ${cut('p.started_at', 60)} as startedAt,
      ${cut('p.completed_at', 60)} as completedAt, ${cut('p.updated_at', 60)} as updatedAt,
      last.at as lastReadAt, ${db.has('read_progress', 'r2_progression') ? cut('p.r2_progression', prose) : 'null'} as progression
    from read_progress p left join users u on u.id = p.user_id left join books b on b.id = p.book_id
      left join (${lastRead}) last on last.user_id = p.user_id and last.book_id = p.book_id
    order by p.rowid`)
}

export const selectSessions = (db: StoreDatabase): Rows =>
  db.has('reading_sessions')
    ? db.rows(`
    select r.id, u.id as user, b.id as book, b.format, b.page_count as pages, r.kind, r.to_page as page,
      r.to_percentage as fraction, ${cut('r.r2_progression', prose)} as progression,
      r.active_duration_ms as activeMs, r.duration_source as durationSource, r.pages_read as pagesRead,
      ${cut('r.client_started_at', 60)} as startedAt, ${cut('r.client_ended_at', 60)} as endedAt,
      ${cut('coalesce(r.device_name, r.device_id)', 200)} as device
    from reading_sessions r left join users u on u.id = r.user_id left join books b on b.id = r.book_id order by r.rowid`)
    : []

/** Two milliseconds, as a part of a day: dates of one event are written with more or fewer digits. */
const sameInstant = 2 / 86_400_000

/** A completion that the log tells of is left to the log. */
export const selectCompletions = (db: StoreDatabase): Rows => {
  if (!db.has('read_completions')) return []
  const isTold = db.has('reading_sessions')
    ? `exists (select 1 from reading_sessions r where r.user_id = c.user_id and r.book_id = c.book_id and r.kind = 'completed'
        and abs(julianday(r.client_ended_at) - julianday(c.completed_at)) < ${sameInstant})`
    : 'false'
  return db.rows(`
    select c.id, u.id as user, b.id as book, ${cut('c.started_at', 60)} as startedAt, ${cut('c.completed_at', 60)} as completedAt,
      ${cut('c.finishedBefore', 60)} as finishedBefore
    from (
        select *, rowid as place, lag(completed_at) over (partition by user_id, book_id order by completed_at) as finishedBefore
        from read_completions
      ) c left join users u on u.id = c.user_id left join books b on b.id = c.book_id
    where not ${isTold} order by c.place`)
}

export const selectRatings = (db: StoreDatabase): Rows =>
  db.rows(`
    select u.id as user, s.id as series, r.rating, ${cut('r.notes', prose)} as review, ${cut('r.updated_at', 60)} as updatedAt
    from user_series_ratings r left join users u on u.id = r.user_id left join series s on s.id = r.series_id order by r.rowid`)

export const selectWants = (db: StoreDatabase): Rows =>
  db.has('want_to_read')
    ? db.rows(`
    select u.id as user, s.id as series, b.id as book, ${unless(db, 'want_to_read', 'position', 'w')} as position,
      ${cut('w.added_at', 60)} as addedAt
    from want_to_read w left join users u on u.id = w.user_id left join series s on s.id = w.series_id
      left join books b on b.id = w.book_id
    order by w.rowid`)
    : []

export const selectCollections = (db: StoreDatabase): Rows =>
  db.rows(`
    select c.id, ${cut('c.name')} as name, ${db.has('collections', 'summary') ? cut('c.summary', prose) : 'null'} as summary,
      c.ordered as isOrdered, ${db.has('collections', 'condition') ? 'c.condition is not null' : '0'} as isAutomatic
    from collections c order by c.rowid`)

export const selectReadLists = (db: StoreDatabase): Rows =>
  db.has('read_lists')
    ? db.rows(`
    select r.id, ${cut('r.name')} as name, ${cut('r.summary', prose)} as summary, r.ordered as isOrdered
    from read_lists r order by r.rowid`)
    : []

/** A list is named by the hexadecimal digits of its id: parameters are text and numbers. */
export const selectMembers = (db: StoreDatabase, what: 'collection' | 'readList', id: string, most: number): Rows =>
  db.rows(
    what === 'collection'
      ? `select l.series_id as member from collection_series l where l.collection_id = unhex(@id) order by l.position, l.rowid`
      : `select l.book_id as member from read_list_books l where l.read_list_id = unhex(@id) order by l.position, l.rowid`,
    { parameters: { id }, most },
  )

/** A picture is a choice when somebody has uploaded it and it is shown. */
export const selectChosenCovers = (db: StoreDatabase): Rows =>
  db.rows(
    (['series', 'book'] as const)
      .filter((what) => db.has(`${what}_covers`))
      .map(
        (what) => `select '${what}' as what, ${what}_id as id, ${cut('path')} as path from ${what}_covers
          where is_selected = 1 and source = 'custom'`,
      )
      .join(' union all ') || 'select 1 where false',
  )

export const selectPresets = (db: StoreDatabase): Rows =>
  db.has('filter_presets')
    ? db.rows(`
    select u.id as user, p.library_id as library, ${cut('p.name')} as name, ${cut('p.target', 20)} as target,
      ${cut('p.condition', prose)} as condition, ${cut('p.query')} as query, ${cut('p.sort', 200)} as sort
    from filter_presets p left join users u on u.id = p.user_id order by p.rowid`)
    : []

export const selectPlugins = (db: StoreDatabase): Rows =>
  db.has('plugins')
    ? db.rows(`select ${cut('name')} as name, ${cut('config', prose)} as config from plugins order by rowid`)
    : []
