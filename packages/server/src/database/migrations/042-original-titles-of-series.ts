import type { Migration } from './migration.ts'

/** What a series was called before it was translated. */
export const originalTitlesOfSeries: Migration = {
  version: 42,
  name: 'original titles of series',
  run: async (db, { text }) => {
    await db.schema.alterTable('series').addColumn('original_title', text).execute()
    await db.schema.alterTable('series').addColumn('original_title_text', text).execute()
  },
}
