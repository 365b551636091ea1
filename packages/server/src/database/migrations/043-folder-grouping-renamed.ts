import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * `folder` has come to mean every folder that holds books. Libraries that were grouped by the first level of folders go
 * on as they were, under the name that has now; nothing in them moves.
 */
export const folderGroupingRenamed: Migration = {
  version: 43,
  name: 'folder grouping renamed',
  run: async (db) => {
    const [before, after] = ['folder', 'top_folder'].map((policy) => JSON.stringify({ policy, config: {} }))
    for (const table of ['library', 'scan_preview'])
      await sql`update ${sql.table(table)} set grouping = ${after} where grouping = ${before}`.execute(db)
  },
}
