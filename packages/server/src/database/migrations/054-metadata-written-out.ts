import type { Migration } from './migration.ts'

/** What files say of their books that are downloaded, for each user and each API key, and which libraries have sidecars. */
export const metadataWrittenOut: Migration = {
  version: 54,
  name: 'metadata written out',
  run: async ({ schema }, { text }) => {
    await schema
      .alterTable('user')
      .addColumn('download_metadata', text, (column) => column.notNull().defaultTo('original'))
      .execute()
    await schema.alterTable('api_key').addColumn('download_metadata', text).execute()
    await schema
      .alterTable('library')
      .addColumn('sidecars', text, (column) => column.notNull().defaultTo('none'))
      .execute()
    await schema.alterTable('library').addColumn('sidecars_at', text).execute()
  },
}
