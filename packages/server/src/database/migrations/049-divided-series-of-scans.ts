import type { Migration } from './migration.ts'

/** Which series a scan has divided, until what they have left behind is placed: a scan may be interrupted in between. */
export const dividedSeriesOfScans: Migration = {
  version: 49,
  name: 'divided series of scans',
  run: async (db, { text }) => {
    await db.schema.alterTable('scan').addColumn('divided', text).execute()
  },
}
