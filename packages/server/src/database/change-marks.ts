import { CompiledQuery, sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import type { WriteDb } from './db.ts'
import type { Concerned } from './whom-it-concerns.ts'

/** It has the mark of what concerns everybody. No reader has an empty id. */
export const everybody = ''

/** It comes last in a transaction: until the commit, others who change something for the same people wait for it. */
export const raiseMarks = async (db: WriteDb, concerned: Concerned): Promise<void> => {
  const readers = concerned.everybody ? [everybody] : [...concerned.readers].toSorted()
  if (readers.length === 0) return
  const value = newId()
  // All in the same order, so that no two wait for each other.
  const rows = readers.map((reader) => sql`(${reader}, ${value})`)
  await sql`insert into change_mark (reader, value) values ${sql.join(rows)}
    on conflict (reader) do update set value = excluded.value`.execute(db)
}

/** It reads what `markIn` is made of, on PostgreSQL. */
export const markQuery = (reader: string): CompiledQuery<MarkRow> =>
  CompiledQuery.raw('select reader, value from change_mark where reader in ($1, $2)', [everybody, reader])

export interface MarkRow {
  readonly reader: string
  readonly value: string
}

/** Two of the same text: nothing that this reader may be shown has changed in between. */
export const markIn = (rows: readonly MarkRow[]): string =>
  `${rows.find(({ reader }) => reader === everybody)?.value} ${rows.find(({ reader }) => reader !== everybody)?.value}`

/** What such a text says of everybody: while it is the same, no more than rows of readers has changed. */
export const everybodysIn = (mark: string): string => mark.slice(0, mark.indexOf(' '))
