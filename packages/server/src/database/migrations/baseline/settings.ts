import type { Tables } from '../table-definition.ts'

export const settings: Tables = {
  setting: {
    columns: { key: 'text', value: 'text', updated_at: 'text', updated_by: 'text?', updated_by_name: 'text' },
    primaryKey: ['key'],
  },
  setting_change: {
    columns: {
      id: 'text',
      key: 'text',
      at: 'text',
      by_id: 'text?',
      by_name: 'text',
      old_value: 'text',
      new_value: 'text',
      reason: 'text?',
    },
    primaryKey: ['id'],
    indexes: { setting_change_by_key: ['key', 'id'] },
  },
  secret: {
    columns: { name: 'text', value: 'text' },
    primaryKey: ['name'],
  },
  revision: {
    columns: { name: 'text', value: 'integer' },
    primaryKey: ['name'],
  },
}
