import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { afterFolder } from '../queries.ts'

/** Where the present books of these series lie. */
export const selectPlacesOf = async (db: ReadDb, seriesIds: readonly string[], after: string, limit: number) =>
  db
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .select(['book.id', 'book.series_id', 'file.folder', 'file.name'])
    .where('book.series_id', 'in', seriesIds)
    .where('book.state', '=', sql.lit('present'))
    .where('file.state', '=', sql.lit('present'))
    .where('book.id', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('series_override')
            .select('series_override.id')
            .whereRef('series_override.book_id', '=', 'book.id')
            .whereRef('series_override.library_id', '=', 'book.library_id'),
        ),
      ),
    )
    .orderBy('book.id')
    .limit(limit)
    .execute()

/** How many files are known in each of these folders of a library and below. */
export const countFilesBelow = async (
  db: ReadDb,
  rootIds: readonly string[],
  folders: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (rootIds.length === 0 || folders.length === 0) return new Map()
  const wanted = folders.map(
    (folder) => sql`select cast(${folder} as text) as folder, cast(${afterFolder(folder)} as text) as behind`,
  )
  const { rows } = await sql<{ folder: string; files: number }>`
    select below.folder, count(*) as files from (${sql.join(wanted, sql` union all `)}) as below
    join file on file.root_id in (${sql.join(rootIds)}) and file.state = 'present'
      and file.folder >= below.folder and file.folder < below.behind
    group by below.folder`.execute(db)
  return new Map(rows.map(({ folder, files }) => [folder, files]))
}
