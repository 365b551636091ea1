import { sql } from 'kysely'
import { listedTo, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'

export interface FilesOfLibrary {
  readonly pages: number
  readonly bytes: number
}

/** It goes through all books: nobody should ask for it twice while they stay the same. */
export const selectFilesOfLibraries = async (
  db: ReadDb,
  viewer: Viewer,
): Promise<ReadonlyMap<string, FilesOfLibrary>> => {
  const rows = await db
    .selectFrom('book')
    .select([
      'library_id',
      sql<number | string>`sum(page_count)`.as('pages'),
      sql<number | string>`sum(size)`.as('bytes'),
    ])
    .where(listedTo(viewer, 'book'))
    .groupBy('library_id')
    .execute()
  return new Map(
    rows.map(({ library_id, pages, bytes }) => [library_id, { pages: Number(pages), bytes: Number(bytes) }]),
  )
}
