import type Sqlite from 'better-sqlite3'
import { BookFault } from '../formats/book-format.ts'

/** It says how long one page of a document was looked at. */
export interface PageTime {
  readonly document: string
  /** Times are in seconds. */
  readonly startTime: number
  readonly page: number
  readonly duration: number
  readonly totalPages: number
}

const partRows = 2000
const dayS = 24 * 60 * 60
const pageMax = 10_000_000
const magic = 'SQLite format 3\0'

/**
 * It reads KOReader's figures out of its own database: nothing of it is run, and tables that are not KOReader's are not
 * read.
 */
export const koreaderStatistics = async (
  { bytes, rowsMax }: { readonly bytes: Uint8Array; readonly rowsMax: number },
  emit: (rows: readonly PageTime[]) => void,
): Promise<{ readonly rows: number }> => {
  const file = Buffer.from(bytes)
  if (file.length < 100 || file.toString('latin1', 0, magic.length) !== magic)
    throw new BookFault('unknown_format', 'It is no SQLite database.')
  // A database with a log beside it cannot be read without one; what had been written is in this file.
  file.fill(1, 18, 20)
  // Most decoders never need it, and each would load it when it starts.
  const { default: Sqlite } = await import('better-sqlite3')
  const db = new Sqlite(file, { readonly: true })
  try {
    db.pragma('trusted_schema = off')
    db.pragma('cell_size_check = on')
    requireTables(db)
    let rows = 0
    let part: PageTime[] = []
    for (const row of db.prepare<[object], PageTime>(pageTimes).iterate({ dayS, pageMax, rowsMax })) {
      part.push(row)
      rows += 1
      if (part.length === partRows) {
        emit(part)
        part = []
      }
    }
    emit(part)
    return { rows }
  } finally {
    db.close()
  }
}

const requireTables = (db: Sqlite.Database): void => {
  const { count } = db
    .prepare<[], { count: number }>(
      `select count(*) as count from sqlite_schema where type = 'table' and name in ('book', 'page_stat_data')
        and sql not like 'create virtual%'`,
    )
    .get() ?? { count: 0 }
  if (count !== 2) throw new BookFault('unknown_format', 'These are no statistics of KOReader.')
}

const isCount = (column: string, least: number, most: string): string =>
  `typeof(${column}) = 'integer' and ${column} between ${least} and ${most}`

/** The newest, where there are too many. */
const pageTimes = `
  select book.md5 as document, start_time as startTime, page, duration, total_pages as totalPages
  from page_stat_data join book on book.id = page_stat_data.id_book
  where typeof(book.md5) = 'text' and length(book.md5) between 1 and 128
    and ${isCount('start_time', 1, '99999999999')} and ${isCount('duration', 1, '@dayS')}
    and ${isCount('page', 1, '@pageMax')} and ${isCount('total_pages', 1, '@pageMax')}
  order by start_time desc limit @rowsMax`
