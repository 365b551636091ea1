import type { Migration } from './migration.ts'

/** What files say of their books that are downloaded, for each user and each API key. */
export const metadataInDownloads: Migration = {
  version: 54,
  name: 'metadata in downloads',
  run: async ({ schema }, { text }) => {
    await schema
      .alterTable('user')
      .addColumn('download_metadata', text, (column) => column.notNull().defaultTo('original'))
      .execute()
    await schema.alterTable('api_key').addColumn('download_metadata', text).execute()
  },
}
