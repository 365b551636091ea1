import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'

export interface LibraryFigures {
  readonly id: string
  readonly series: number
  readonly books: number
}

export const selectLibraryFigures = (db: ReadDb): Promise<LibraryFigures[]> =>
  db
    .selectFrom('library')
    .select(['id', 'series_count as series', 'book_count as books'])
    .where('deleted_at', 'is', null)
    .orderBy('sort_key')
    .orderBy('id')
    .execute()

export const selectBytesOfLibraries = async (db: ReadDb): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('book')
    .select(['library_id', sql<number | string>`sum(size)`.as('bytes')])
    .where('state', '=', sql.lit('present'))
    .groupBy('library_id')
    .execute()
  return new Map(rows.map(({ library_id, bytes }) => [library_id, Number(bytes)]))
}

export const selectSidecarsOfLibraries = async (db: ReadDb): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('sidecar')
    .innerJoin('library_root', 'library_root.id', 'sidecar.root_id')
    .select(({ fn }) => ['library_root.library_id', fn.countAll<number>().as('count')])
    .groupBy('library_root.library_id')
    .execute()
  return new Map(rows.map(({ library_id, count }) => [library_id, count]))
}

export const countLists = async (db: ReadDb, table: 'collection' | 'read_list'): Promise<number> => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
