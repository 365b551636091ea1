import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** What has an original title is found by it, as soon as a task has seen to that. */
export const foundByOriginalTitles: Migration = {
  version: 50,
  name: 'found by original titles',
  run: async (db) => {
    await sql`
      insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions, fence,
        created_at, scheduled_for)
      select '00000000-0000-7000-8000-000000000050', 'rebuild_search', 'rebuild_search ', '{}', 'pending',
        1, 50, 0, 3, 0, 0, '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'
      where (exists (select 1 from series where original_title is not null)
          or exists (select 1 from book where metadata like '%"originalTitle"%'))
        and not exists (select 1 from task where key = 'rebuild_search ' and status in ('pending', 'processing'))
    `.execute(db)
  },
}
