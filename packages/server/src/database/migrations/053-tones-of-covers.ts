import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The colours of covers. A task looks for those of the covers that are there. */
export const tonesOfCovers: Migration = {
  version: 53,
  name: 'tones of covers',
  run: async (db, { text }) => {
    await db.schema.alterTable('cover').addColumn('tone', text).execute()
    await db.schema.alterTable('book').addColumn('tone', text).execute()
    await sql`
      insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions, fence,
        created_at, scheduled_for)
      select '00000000-0000-7000-8000-000000000053', 'renew_covers', 'renew_covers ', '{}', 'pending',
        1, 15, 0, 3, 0, 0, '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z'
      where exists (select 1 from cover)
        and not exists (select 1 from task where key = 'renew_covers ' and status in ('pending', 'processing'))
    `.execute(db)
  },
}
