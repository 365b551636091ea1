import type { Migration } from './migration.ts'

/** Other servers are read by their address too, with a key. */
export const keysOfImports: Migration = {
  version: 56,
  name: 'keys of imports',
  run: async ({ schema }, { text }) => {
    await schema.alterTable('import_run').addColumn('secret', text).execute()
  },
}
