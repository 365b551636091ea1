import { recordLimits } from '../../records.ts'
import { gathered } from '../gathered.ts'
import { cut, type StoreDatabase, type StoreRow } from '../sqlite.ts'

/** The tables of Stump, up to 0.0.11. Those of Prisma between two models have the columns A and B, A for the first in the alphabet. */
type Rows = Iterable<StoreRow>

const prose = recordLimits.prose

/** Whole milliseconds since 1970, or text where the database has filled in its default: both stand in one column. */
const time = (column: string): string =>
  `case when typeof(${column}) = 'text' then ${cut(column, 50)} else ${column} end`

/** Both by which they are in order. */
const inMilliseconds = (column: string): string =>
  `case when typeof(${column}) = 'text' then (julianday(${column}) - 2440587.5) * 86400000 else ${column} end`

const optional = (db: StoreDatabase, table: string, column: string, expression: string): string =>
  db.has(table, column) ? expression : 'null'

export const selectSchema = (db: StoreDatabase): StoreRow | undefined =>
  db.first(`select ${cut('max(migration_name)', 200)} as newest from _prisma_migrations`)

export const countRows = (db: StoreDatabase, table: string, where = 'true'): number => {
  if (!db.has(table)) return 0
  const count = db.first(`select count(*) as count from "${table}" where ${where}`)?.['count']
  return typeof count === 'number' ? count : 0
}

export const selectLibraries = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('l.id', 200)} as id, ${cut('l.name')} as name, ${cut('l.path')} as path,
      ${optional(db, 'library_configs', 'default_reading_dir', cut('c.default_reading_dir', 50))} as direction,
      ${optional(db, 'library_configs', 'default_reading_mode', cut('c.default_reading_mode', 50))} as mode,
      ${optional(db, 'library_configs', 'library_pattern', cut('c.library_pattern', 50))} as pattern
    from libraries l left join library_configs c on c.id = l.config_id order by l.rowid`)

export const selectUsers = (db: StoreDatabase): Rows => {
  const hidden = db.has('_LibraryToUser')
    ? gathered(cut('h.A', 200), '_LibraryToUser h where h.B = u.id order by h.A')
    : "'[]'"
  return db.rows(`
    select ${cut('u.id', 200)} as id, ${cut('u.username')} as name, u.is_server_owner as isOwner, u.is_locked as isLocked,
      u.deleted_at is not null as isDeleted, ${cut('u.permissions')} as permissions, a.age, a.restrict_on_unset as restrictsUnset,
      ${hidden} as hidden
    from users u left join age_restrictions a on a.user_id = u.id group by u.id order by u.rowid`)
}

const tags = (db: StoreDatabase, table: string, key: string): string =>
  db.has(table)
    ? gathered(cut('t.name', 500), `${table} l join tags t on t.id = l.B where l.A = ${key} order by t.name`)
    : "'[]'"

export const selectSeries = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('s.id', 200)} as id, ${cut('s.library_id', 200)} as library, ${cut('s.name')} as name, ${cut('s.path')} as path,
      ${cut('m.title')} as title, ${cut('m.summary', prose)} as summary, ${cut('m.publisher')} as publisher,
      ${cut('m.imprint')} as imprint, m.age_rating as ageRating, ${cut('m.status', 50)} as status,
      ${tags(db, '_SeriesToTag', 's.id')} as tags
    from series s left join series_metadata m on m.series_id = s.id order by s.rowid`)

export const selectBooks = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('b.id', 200)} as id, ${cut('b.series_id', 200)} as series, ${cut('s.library_id', 200)} as library,
      ${cut('b.name')} as name, ${cut('b.path')} as path, b.size, b.pages, ${cut('b.hash', 100)} as hash,
      ${optional(db, 'media', 'koreader_hash', cut('b.koreader_hash', 100))} as koreaderHash,
      ${cut('b.status', 50)} as status, ${optional(db, 'media', 'deleted_at', 'b.deleted_at is not null')} as isDeleted,
      ${cut('coalesce(sm.title, s.name)')} as seriesTitle, ${cut('m.title')} as title, m.number, m.volume,
      ${cut('m.summary', prose)} as summary, m.year, m.month, m.day, ${cut('m.publisher')} as publisher,
      ${optional(db, 'media_metadata', 'age_rating', 'm.age_rating')} as ageRating,
      ${['genre', 'writers', 'pencillers', 'inkers', 'colorists', 'letterers', 'cover_artists', 'editors', 'characters'].map((column) => `${cut(`m.${column}`, prose)} as ${column}`).join(', ')},
      ${tags(db, '_MediaToTag', 'b.id')} as tags
    from media b left join series s on s.id = b.series_id left join series_metadata sm on sm.series_id = s.id
      left join media_metadata m on m.media_id = b.id
    order by b.rowid`)

const device = (db: StoreDatabase, alias: string): string =>
  db.has('registered_reading_devices')
    ? `(select ${cut('d.name')} from registered_reading_devices d where d.id = ${alias}.device_id)`
    : 'null'

const isThere = (alias: string): string =>
  `u.id is not null and b.id is not null and ${alias}.id is not null as isThere`

export const selectProgress = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('r.id', 200)} as id, ${cut('r.user_id', 200)} as user, ${cut('r.media_id', 200)} as book, ${isThere('r')},
      r.page, r.percentage_completed as fraction, ${cut('r.epubcfi')} as cfi, b.pages, ${cut('lower(b.extension)', 20)} as extension,
      ${time('r.started_at')} as startedAt, ${time('r.updated_at')} as updatedAt,
      ${optional(db, 'reading_sessions', 'elapsed_seconds', 'r.elapsed_seconds')} as seconds,
      ${optional(db, 'reading_sessions', 'device_id', device(db, 'r'))} as device, d.finishedAt
    from reading_sessions r left join users u on u.id = r.user_id left join media b on b.id = r.media_id
      left join (
        select user_id, media_id, max(${time('completed_at')}) as finishedAt from finished_reading_sessions group by user_id, media_id
      ) d on d.user_id = r.user_id and d.media_id = r.media_id
    order by r.rowid`)

export const selectFinished = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('f.id', 200)} as id, ${cut('f.user_id', 200)} as user, ${cut('f.media_id', 200)} as book, ${isThere('f')}, b.pages,
      ${time('f.started_at')} as startedAt, ${time('f.completed_at')} as completedAt,
      lag(${time('f.completed_at')}) over (
        partition by f.user_id, f.media_id order by ${inMilliseconds('f.completed_at')}, f.rowid
      ) as finishedBefore,
      ${optional(db, 'finished_reading_sessions', 'elapsed_seconds', 'f.elapsed_seconds')} as seconds,
      ${optional(db, 'finished_reading_sessions', 'device_id', device(db, 'f'))} as device
    from finished_reading_sessions f left join users u on u.id = f.user_id left join media b on b.id = f.media_id
    order by f.rowid`)

export const selectReviews = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('r.user_id', 200)} as user, ${cut('r.media_id', 200)} as book, ${isThere('r')}, r.rating,
      ${cut('r.content', prose)} as review, r.is_private as isPrivate
    from reviews r left join users u on u.id = r.user_id left join media b on b.id = r.media_id order by r.rowid`)

export const selectBookmarks = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('r.user_id', 200)} as user, ${cut('r.media_id', 200)} as book, ${isThere('r')}, r.page,
      ${cut('r.epubcfi')} as cfi, ${cut('r.preview_content', prose)} as note
    from bookmarks r left join users u on u.id = r.user_id left join media b on b.id = r.media_id order by r.rowid`)

export const selectAnnotations = (db: StoreDatabase): Rows =>
  db.rows(`
    select ${cut('r.user_id', 200)} as user, ${cut('r.media_id', 200)} as book, ${isThere('r')}, r.page,
      ${cut('r.epubcfi')} as cfi, ${cut('r.highlighted_text', prose)} as quote, ${cut('r.notes', prose)} as note
    from media_annotations r left join users u on u.id = r.user_id left join media b on b.id = r.media_id order by r.rowid`)

/** A row for each member; those of a list follow each other. No index finds the members of one list. */
export const selectReadingLists = (db: StoreDatabase): Rows =>
  db.rows(`
    select l.rowid as list, ${cut('l.id', 200)} as id, ${cut('l.name')} as name, ${cut('l.description', prose)} as summary,
      ${cut('l.visibility', 50)} as visibility, ${cut('u.id', 200)} as owner, ${cut('i.media_id', 200)} as member
    from reading_lists l left join users u on u.id = l.creating_user_id
      left join reading_list_items i on i.reading_list_id = l.id
    order by l.rowid, i.display_order, i.rowid`)
