import { recordLimits } from '../../records.ts'
import { gathered, gatheredRows } from '../gathered.ts'
import { cut, type StoreDatabase, type StoreRow } from '../sqlite.ts'

/** The tables of calibre, and those of calibre-web, which are in a database of their own and name books by their number. */
type Rows = Iterable<StoreRow>

const prose = recordLimits.prose

export const selectLibrary = (db: StoreDatabase): StoreRow | undefined =>
  db.first(
    `select ${cut('(select uuid from library_id limit 1)', 100)} as id, user_version as schema from pragma_user_version`,
  )

export const countRows = (db: StoreDatabase, table: string, where = 'true'): number => {
  if (!db.has(table)) return 0
  const count = db.first(`select count(*) as count from ${table} where ${where}`)?.['count']
  return typeof count === 'number' ? count : 0
}

export const selectColumns = (db: StoreDatabase, most: number): Rows =>
  db.rows(
    `select id, ${cut('label', 200)} as label, ${cut('datatype', 50)} as datatype, is_multiple as isMultiple, normalized as isNormalized
      from custom_columns where mark_for_delete = 0 order by id`,
    { most },
  )

export interface CustomColumn {
  readonly id: number
  readonly label: string
  readonly datatype: string
  readonly isMultiple: boolean
  readonly isNormalized: boolean
}

const columnTable = ({ id }: CustomColumn): string => `custom_column_${id}`
const linkTable = ({ id }: CustomColumn): string => `books_custom_column_${id}_link`

/** Whether its tables are there: a column that is worked out from others has none. */
export const hasValues = (db: StoreDatabase, column: CustomColumn): boolean =>
  db.has(columnTable(column)) && (!column.isNormalized || db.has(linkTable(column)))

const customValues = (db: StoreDatabase, column: CustomColumn): string => {
  const [values, links] = [columnTable(column), linkTable(column)]
  if (!column.isNormalized) return gatheredRows([cut('c.value', prose)], `${values} c where c.book = b.id`)
  // The number in a series stands with the link.
  const extra = db.has(links, 'extra') ? 'l.extra' : 'null'
  return gatheredRows(
    [cut('c.value', prose), extra],
    `${links} l join ${values} c on c.id = l.value where l.book = b.id order by l.id`,
  )
}

const named = (link: string, column: string, table: string): string =>
  gathered(cut('t.name'), `${link} l join ${table} t on t.id = l.${column} where l.book = b.id order by l.id`)

export const selectSeries = (db: StoreDatabase): Rows =>
  db.rows(`
    select s.id, ${cut('s.name')} as name,
      ${gathered(`distinct ${cut('t.name', 500)}`, 'books_series_link sl join books_tags_link tl on tl.book = sl.book join tags t on t.id = tl.tag where sl.series = s.id order by value')} as tags
    from series s order by s.id`)

export const selectBooks = (db: StoreDatabase, columns: readonly CustomColumn[]): Rows =>
  db.rows(`
    select b.id, ${cut('b.title')} as title, ${cut('b.sort')} as titleSort, ${cut('b.path')} as folder, b.series_index as seriesIndex,
      ${cut('b.pubdate', 50)} as published, b.has_cover as hasCover,
      (select l.series from books_series_link l where l.book = b.id order by l.id limit 1) as series,
      (select ${cut('s.name')} from books_series_link l join series s on s.id = l.series where l.book = b.id order by l.id limit 1) as seriesName,
      ${named('books_authors_link', 'author', 'authors')} as authors, ${named('books_tags_link', 'tag', 'tags')} as tags,
      ${named('books_publishers_link', 'publisher', 'publishers')} as publishers,
      ${gathered(cut('t.lang_code', 50), 'books_languages_link l join languages t on t.id = l.lang_code where l.book = b.id order by l.item_order, l.id')} as languages,
      ${gatheredRows([cut('i.type', 100), cut('i.val')], 'identifiers i where i.book = b.id order by i.type')} as identifiers,
      (select ${cut('c.text', prose)} from comments c where c.book = b.id limit 1) as comments,
      (select max(r.rating) from books_ratings_link l join ratings r on r.id = l.rating where l.book = b.id) as rating,
      ${gatheredRows([cut('d.format', 20), cut('d.name'), 'd.uncompressed_size'], 'data d where d.book = b.id order by d.id')} as formats
      ${columns.map((column) => `, ${customValues(db, column)} as custom${column.id}`).join('')}
    from books b order by b.id`)

export const selectReadFlags = (db: StoreDatabase, read: CustomColumn, date: CustomColumn | undefined): Rows =>
  db.rows(`
    select b.id as book, ${date === undefined ? 'null' : `(select ${cut('d.value', 50)} from ${columnTable(date)} d where d.book = b.id)`} as readAt
    from ${columnTable(read)} r join books b on b.id = r.book where r.value = 1 order by r.id`)

export const selectPositions = (db: StoreDatabase): Rows =>
  db.has('last_read_positions')
    ? db.rows(`
    select p.id, b.id as book, ${cut('p.user')} as user, ${cut('p.device')} as device, ${cut('p.cfi')} as cfi, p.epoch,
      p.pos_frac as fraction
    from last_read_positions p left join books b on b.id = p.book order by p.id`)
    : []

export const selectAnnotations = (db: StoreDatabase): Rows =>
  db.has('annotations')
    ? db.rows(`
    select a.id, b.id as book, ${cut('a.user_type', 50)} as userType, ${cut('a.user')} as user, a.timestamp,
      ${cut('a.annot_type', 50)} as type, ${cut('a.annot_data', prose)} as data
    from annotations a left join books b on b.id = a.book order by a.id`)
    : []

/** Named searches and parts of the library, as JSON. */
export const selectPreference = (db: StoreDatabase, key: string): StoreRow | undefined =>
  db.has('preferences')
    ? db.first(`select ${cut('val', prose)} as value from preferences where key = @key`, { key })
    : undefined

/** From here on it is the database of calibre-web. */
export const selectUsers = (db: StoreDatabase): Rows =>
  db.rows(`
    select id, ${cut('name')} as name, ${cut('email')} as email, role, ${cut('denied_tags', prose)} as deniedTags,
      ${cut('allowed_tags', prose)} as allowedTags, ${cut('denied_column_value || allowed_column_value')} as columnValues
    from user order by id`)

/** One row for each user and book of which it says anything. */
export const selectStates = (db: StoreDatabase): Rows => {
  const sources = [
    'select user_id, book_id from book_read_link',
    ...(db.has('bookmark') ? ['select user_id, book_id from bookmark'] : []),
    ...(db.has('kobo_reading_state') ? ['select user_id, book_id from kobo_reading_state'] : []),
  ]
  const kobo = (column: string): string =>
    db.has('kobo_bookmark')
      ? `(select ${column} from kobo_reading_state s join kobo_bookmark k on k.kobo_reading_state_id = s.id
          where s.user_id = p.user_id and s.book_id = p.book_id order by k.id desc limit 1)`
      : 'null'
  const minutes = db.has('kobo_statistics')
    ? `(select t.spent_reading_minutes from kobo_reading_state s join kobo_statistics t on t.kobo_reading_state_id = s.id
        where s.user_id = p.user_id and s.book_id = p.book_id order by t.id desc limit 1)`
    : 'null'
  const bookmark = db.has('bookmark')
    ? `(select ${cut('m.bookmark_key')} from bookmark m where m.user_id = p.user_id and m.book_id = p.book_id order by m.id desc limit 1)`
    : 'null'
  return db.rows(`
    select u.id as user, p.book_id as book, r.read_status as status, ${cut('r.last_modified', 50)} as modifiedAt,
      ${cut('r.last_time_started_reading', 50)} as startedAt, r.times_started_reading as timesStarted,
      ${bookmark} as cfi, ${kobo('k.progress_percent')} as percent, ${kobo(cut('k.location_source'))} as href,
      ${kobo(cut('k.last_modified', 50))} as koboAt, ${minutes} as minutes
    from (${sources.join(' union ')}) p left join user u on u.id = p.user_id
      left join (select user_id, book_id, max(id) as id from book_read_link group by user_id, book_id) latest
        on latest.user_id = p.user_id and latest.book_id = p.book_id
      left join book_read_link r on r.id = latest.id
    order by p.user_id, p.book_id`)
}

export const selectShelves = (db: StoreDatabase): Rows =>
  db.rows(`
    select s.id, u.id as owner, ${cut('s.name')} as name, s.is_public as isShared
    from shelf s left join user u on u.id = s.user_id order by s.id`)

export const selectBooksOfShelf = (db: StoreDatabase, shelf: number, most: number): Rows =>
  db.rows('select book_id as book from book_shelf_link where shelf = @shelf order by "order", id', {
    parameters: { shelf },
    most,
  })
