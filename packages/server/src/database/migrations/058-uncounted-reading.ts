import { type Migration, schemaChange } from './migration.ts'

/**
 * Sessions and figures of reading, and those who are told of it, may follow a moment after the log: what they lack is noted
 * with the head of each book.
 */
export const uncountedReading: Migration = {
  version: 58,
  name: 'uncounted reading',
  run: async (db, dialect) => {
    for (const column of ['uncounted_from', 'uncounted_to'])
      await db.schema.alterTable('reading_head').addColumn(column, dialect.text).execute()
    await db.schema.alterTable('reading_head').addColumn('untold', dialect.integer).execute()
    const { createIndex } = schemaChange(db, dialect)
    await createIndex('reading_head_uncounted', 'reading_head', {
      columns: ['user_id', 'book_id'],
      where: 'uncounted_from is not null',
    })
  },
}
