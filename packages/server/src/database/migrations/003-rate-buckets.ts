import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Not logged: what a crash of the database empties is full again. Where there is one node, it counts in memory. */
export const rateBuckets: Migration = {
  name: 'buckets of the rate limiter that nodes share',
  run: async (db, { hasSeveralNodes, text }) => {
    if (!hasSeveralNodes) return
    await sql`
      create unlogged table rate_bucket (
        key ${text} primary key,
        tokens double precision not null,
        filled_at bigint not null,
        full_at bigint not null,
        given integer not null
      ) with (fillfactor = 50)`.execute(db)
  },
}
