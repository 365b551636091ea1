import { type Migration, schemaChange } from './migration.ts'

export const pluginLog: Migration = {
  name: 'plugins: what they write to their logs',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable('plugin_line', { id: 'text', plugin_id: 'text', line: 'text', at: 'text' }, (table) =>
      table
        .addPrimaryKeyConstraint('plugin_line_pk', ['id'])
        .addForeignKeyConstraint('plugin_line_of', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex('plugin_line_of_plugin', 'plugin_line', ['plugin_id', 'id'])
  },
}
