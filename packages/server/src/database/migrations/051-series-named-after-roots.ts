import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Books whose names are numbers, in a root, are one series from now on. A task puts those that are there into it. */
export const seriesNamedAfterRoots: Migration = {
  version: 51,
  name: 'series named after roots',
  run: async (db) => {
    await sql`
      insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions, fence,
        created_at, scheduled_for, library_id)
      select '00000051' || substr(id, 9), 'regroup_library', 'regroup_library ' || id, '{"libraryId":"' || id || '"}',
        'pending', 1, 200, 0, 3, 0, 0, '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z', id
      from library
      where deleted_at is null
        and exists (select 1 from library_root join file on file.root_id = library_root.id and file.folder = ''
          where library_root.library_id = library.id and file.state = 'present')
        and not exists (select 1 from task where task.key = 'regroup_library ' || library.id
          and task.status in ('pending', 'processing'))`.execute(db)
  },
}
