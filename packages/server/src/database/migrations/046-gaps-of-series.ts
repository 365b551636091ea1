import { enqueueCatalogueCheck, type Migration } from './migration.ts'

/** How many numbers and volumes of a series are not there, and how many numbers there should be. */
export const gapsOfSeries: Migration = {
  version: 46,
  name: 'gaps of series',
  run: async (db, { integer }) => {
    const { schema } = db
    await schema
      .alterTable('series')
      .addColumn('missing_count', integer, (column) => column.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('series').addColumn('number_total', integer).execute()
    // The check of the catalogue counts them.
    await enqueueCatalogueCheck(db, 46)
  },
}
