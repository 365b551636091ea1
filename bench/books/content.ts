import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../../packages/server/src/database/open.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import type { Installation } from '../installation.ts'

/** What is in the database of a server, past its doors. */
export interface Content extends AsyncDisposable {
  count(libraryId: string): Promise<CountedContent>
  /** When the last task of this kind was done; undefined while one waits or runs. */
  endOfTask(type: string, libraryId: string): Promise<number | undefined>
}

export interface CountedContent {
  readonly books: number
  readonly series: number
  readonly pages: number
  readonly damaged: number
  readonly sidecars: number
}

export const openContent = async ({ directory, environment }: Installation): Promise<Content> => {
  const url = environment.CARREL_DATABASE_URL
  const address = url
    ? ({ kind: 'postgres', url } as const)
    : ({ kind: 'sqlite', file: join(directory, 'carrel.db') } as const)
  const log = createLog({ level: 'warn', format: 'json' })
  const db = await openDatabase(address, log, (error) => {
    throw error
  })
  return {
    count: async (libraryId) => {
      const { rows } = await sql<CountedContent>`select
        (select count(*) from book where library_id = ${libraryId} and state = 'present') as books,
        (select count(*) from series where library_id = ${libraryId} and book_count > 0) as series,
        (select coalesce(sum(page_count), 0) from book where library_id = ${libraryId} and state = 'present') as pages,
        (select count(*) from file where library_id = ${libraryId} and state = 'present' and fault_code is not null)
          as damaged,
        (select count(*) from sidecar join library_root on library_root.id = sidecar.root_id
          where library_root.library_id = ${libraryId}) as sidecars`.execute(db.readSlowly)
      const [row] = rows
      if (!row) throw new Error('Nothing was counted')
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, Number(value)]),
      ) as unknown as CountedContent
    },
    endOfTask: async (type, libraryId) => {
      const { completed_at } = await db.readSlowly
        .selectFrom('task')
        .select('completed_at')
        .where('type', '=', type)
        .where('library_id', '=', libraryId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      return completed_at === null ? undefined : Date.parse(completed_at)
    },
    [Symbol.asyncDispose]: () => db.close(),
  }
}
