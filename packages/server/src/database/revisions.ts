import type { ReadDb, WriteDb } from './db.ts'
import { cachedStatement } from './cached-statement.ts'
import type { Revisions } from './table.ts'
import { wakeAfterCommit } from './transaction.ts'

export const selectRevisions = async (db: ReadDb): Promise<Revisions> => {
  const rows = await allRevisions(db, {}, undefined)
  const valueOf = (name: keyof Revisions) => rows.find((row) => row.name === name)?.value ?? 0
  return { access: valueOf('access'), settings: valueOf('settings') }
}

const allRevisions = cachedStatement((db) => db.selectFrom('revision').select(['name', 'value']), [])

/**
 * Call it first in a transaction that changes such a thing: the row it locks also makes these transactions follow one
 * another on PostgreSQL, as all do on SQLite, so that two cannot each remove the other's last administrator.
 */
export const raiseRevision = async (db: WriteDb, name: keyof Revisions): Promise<void> => {
  await db
    .updateTable('revision')
    .set(({ eb }) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', name)
    .execute()
  wakeAfterCommit(db, 'revisions')
}
