import { type Migration, schemaChange } from './migration.ts'
import type { Tables } from './table-definition.ts'

const tables: Tables = {
  change_mark: {
    columns: { reader: 'text', value: 'text' },
    primaryKey: ['reader'],
  },
}

/** Processes see by them whether what they keep in memory still holds. */
export const changeMarks: Migration = {
  version: 57,
  name: 'change marks',
  run: async (db, dialect) => {
    const { createTable } = schemaChange(db, dialect)
    for (const [name, table] of Object.entries(tables)) await createTable(name, table)
  },
}
