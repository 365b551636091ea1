import { join } from 'node:path'
import { sql } from 'kysely'
import { type DatabaseAddress, openDatabase } from '../../packages/server/src/database/open.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import type { Installation } from '../installation.ts'

/** It is direct access to the database of a server. */
export interface Content extends AsyncDisposable {
  count(libraryId: string): Promise<CountedContent>
  /** When the last task of this kind was done; undefined while one waits or runs. */
  endOfTask(type: string, libraryId: string | null): Promise<number | undefined>
  /** No cover is made any more: what is measured then is not measured beside that. */
  forgetCovers(): Promise<void>
  /** The ids of books by the paths of their files. */
  booksByPath(libraryId: string): Promise<ReadonlyMap<string, string>>
}

interface CountedContent {
  readonly books: number
  readonly series: number
  readonly pages: number
  readonly damaged: number
  readonly sidecars: number
}

export const databaseOf = ({ directory, environment }: Installation): DatabaseAddress => {
  const url = environment.CARREL_DATABASE_URL
  return url ? { kind: 'postgres', url } : { kind: 'sqlite', file: join(directory, 'carrel.db') }
}

export const openContent = async (installation: Installation): Promise<Content> => {
  const log = createLog({ level: 'warn', format: 'json' })
  const db = await openDatabase(databaseOf(installation), log, (error) => {
    throw error
  })
  return {
    count: async (libraryId) => {
      const { rows } = await sql<CountedContent>`select
        (select count(*) from book where library_id = ${libraryId} and state = 'present') as books,
        (select count(*) from series where library_id = ${libraryId} and book_count > 0) as series,
        (select coalesce(sum(page_count), 0) from book where library_id = ${libraryId} and state = 'present'
          and format <> 'epub') as pages,
        (select count(*) from file where library_id = ${libraryId} and state = 'present' and fault_code is not null)
          as damaged,
        (select count(*) from sidecar join library_root on library_root.id = sidecar.root_id
          where library_root.library_id = ${libraryId}) as sidecars`.execute(db.readSlowly)
      const [{ books, series, pages, damaged, sidecars }] = rows as [CountedContent]
      const [one, two, three, four, five] = [books, series, pages, damaged, sidecars].map(Number)
      return { books: one ?? 0, series: two ?? 0, pages: three ?? 0, damaged: four ?? 0, sidecars: five ?? 0 }
    },
    endOfTask: async (type, libraryId) => {
      const last = await db.readSlowly
        .selectFrom('task')
        .select('completed_at')
        .where('type', '=', type)
        .where('library_id', libraryId === null ? 'is' : '=', libraryId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return last?.completed_at ? Date.parse(last.completed_at) : undefined
    },
    booksByPath: async (libraryId) => {
      const rows = await db.readSlowly
        .selectFrom('file')
        .select(['book_id', 'folder', 'name'])
        .where('library_id', '=', libraryId)
        .execute()
      return new Map(rows.map(({ book_id, folder, name }) => [folder + name, book_id]))
    },
    forgetCovers: async () => {
      await db.write((db) => db.deleteFrom('cover_wanted').execute())
    },
    [Symbol.asyncDispose]: () => db.close(),
  }
}
