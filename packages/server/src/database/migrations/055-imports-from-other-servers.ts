import { type Migration, schemaChange } from './migration.ts'
import type { Tables } from './table-definition.ts'

const tables: Tables = {
  import_run: {
    columns: {
      id: 'text',
      kind: 'text',
      by_user_id: 'text',
      state: 'text',
      busy: 'integer?',
      source: 'text',
      libraries: 'text',
      version: 'text?',
      task_id: 'text?',
      fault_code: 'text?',
      fault_message: 'text?',
      choose: 'text?',
      report: 'text',
      cursor: 'text?',
      taken: 'text',
      created_at: 'text',
      ready_at: 'text?',
      applied_at: 'text?',
      undone_at: 'text?',
    },
    primaryKey: ['id'],
    indexes: { import_run_busy: { columns: ['busy'], where: 'busy is not null', unique: true } },
  },
  import_part: {
    columns: { import_id: 'text', type: 'text', place: 'integer', records: 'text' },
    primaryKey: ['import_id', 'type', 'place'],
    foreignKeys: { import_part_of: ['import_id', 'import_run', 'cascade'] },
  },
  import_effect: {
    columns: { import_id: 'text', place: 'integer', step: 'text', done: 'text' },
    primaryKey: ['import_id', 'place'],
    foreignKeys: { import_effect_of: ['import_id', 'import_run', 'cascade'] },
  },
  import_link: {
    columns: { kind: 'text', key: 'text', ours: 'text', import_id: 'text', held: 'text?' },
    primaryKey: ['kind', 'key'],
    indexes: { import_link_of: ['import_id'] },
  },
  import_upload: {
    columns: { id: 'text', name: 'text', size: 'integer', created_at: 'text', changed_at: 'text' },
    primaryKey: ['id'],
  },
}

/** What other servers hold, on its way in, and what was made of it. */
export const importsFromOtherServers: Migration = {
  version: 55,
  name: 'imports from other servers',
  run: async (db, dialect) => {
    const { createTable } = schemaChange(db, dialect)
    for (const [name, table] of Object.entries(tables)) await createTable(name, table)
  },
}
