import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** How many numbers and volumes of a series are not there, and how many numbers there should be. */
export const gapsOfSeries: Migration = {
  version: 46,
  name: 'gaps of series',
  run: async (db, { integer }) => {
    const { schema } = db
    await schema
      .alterTable('series')
      .addColumn('missing_count', integer, (column) => column.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('series').addColumn('number_total', integer).execute()
    // The check of the catalogue counts them.
    await sql`
      insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions, fence,
        created_at, scheduled_for)
      select '00000000-0000-7000-8000-000000000046', 'verify_catalogue', 'verify_catalogue ', '{"byHand":false}', 'pending',
        1, 20, 0, 3, 0, 0, '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'
      where exists (select 1 from book)
        and not exists (select 1 from task where key = 'verify_catalogue ' and status in ('pending', 'processing'))`.execute(
      db,
    )
  },
}
