import { sql } from 'kysely'
import { type Migration, schemaChange } from './migration.ts'

/** Behind a task that runs another one with the same key can wait. */
export const slotsOfTasks: Migration = {
  version: 61,
  name: 'slots of tasks',
  run: async (db, dialect) => {
    await db.schema
      .alterTable('task')
      .addColumn('slot', dialect.integer, (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`drop index task_live_key`.execute(db)
    const { createIndex } = schemaChange(db, dialect)
    await createIndex('task_live_key', 'task', {
      columns: ['key', 'slot'],
      where: "key is not null and status in ('pending', 'processing')",
      unique: true,
    })
  },
}
