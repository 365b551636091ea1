import type { Tables } from '../table-definition.ts'

export const metadata: Tables = {
  metadata_layer: {
    columns: {
      entity_id: 'text',
      source: 'text',
      fields: 'text',
      at: 'text',
      by_user_id: 'text?',
      // JSON: when each field was said, and by whom; of layers that people and plugins write field by field.
      said: 'text?',
    },
    primaryKey: ['entity_id', 'source'],
  },
  metadata_change: {
    columns: {
      id: 'text',
      entity_id: 'text',
      at: 'text',
      by_user_id: 'text?',
      source: 'text',
      reason: 'text',
      // JSON: the fields with what was shown before and after.
      changes: 'text',
      // JSON: what the source itself said before.
      said_before: 'text',
      undone_by: 'text?',
    },
    primaryKey: ['id'],
    indexes: { metadata_change_of: ['entity_id', 'at desc', 'id desc'] },
  },
  term: {
    columns: { id: 'text', kind: 'text', name: 'text', key: 'text', sort_key: 'text', created_at: 'text' },
    primaryKey: ['id'],
    unique: { term_key: ['kind', 'key'] },
    indexes: { term_by_name: ['kind', 'sort_key', 'id'] },
  },
  // Whoever is known for several things stands there once for each.
  series_term: {
    columns: { series_id: 'text', term_id: 'text', role: 'text', place: 'integer' },
    primaryKey: ['series_id', 'term_id', 'role'],
    foreignKeys: {
      series_term_of: ['series_id', 'series', 'cascade'],
      series_term_term: ['term_id', 'term', 'cascade'],
    },
    indexes: {
      // What somebody has done is found without reading all they have done it for.
      series_term_by_role: ['term_id', 'role', 'series_id'],
    },
  },
  book_term: {
    columns: { book_id: 'text', term_id: 'text', role: 'text', place: 'integer' },
    primaryKey: ['book_id', 'term_id', 'role'],
    foreignKeys: { book_term_of: ['book_id', 'book', 'cascade'], book_term_term: ['term_id', 'term', 'cascade'] },
    indexes: { book_term_by_role: ['term_id', 'role', 'book_id'] },
  },
  external_id: {
    columns: { entity_id: 'text', entity: 'text', source: 'text', external_id: 'text', url: 'text?' },
    primaryKey: ['entity_id', 'source', 'external_id'],
    indexes: { external_id_by_id: ['entity', 'source', 'external_id', 'entity_id'] },
  },
  bulk_edit: {
    columns: {
      id: 'text',
      user_id: 'text',
      entity: 'text',
      status: 'text',
      task_id: 'text?',
      // JSON: what is to be changed, and the ids it is to be changed of.
      edit: 'text',
      ids: 'text',
      matched: 'integer',
      // How many have been dealt with, and of these taken back.
      done: 'integer',
      turned_back: 'integer',
      changed: 'integer',
      unchanged: 'integer',
      skipped_locked: 'integer',
      failed: 'integer',
      undone: 'integer',
      conflicts: 'integer',
      created_at: 'text',
      completed_at: 'text?',
    },
    primaryKey: ['id'],
    foreignKeys: { bulk_edit_user: ['user_id', 'user', 'cascade'] },
    indexes: { bulk_edit_by_age: ['created_at', 'id'], bulk_edit_of_user: ['user_id'] },
  },
  bulk_edit_item: {
    columns: {
      bulk_edit_id: 'text',
      place: 'integer',
      entity_id: 'text',
      outcome: 'text',
      // JSON: the fields that were locked, and those that had changed again when it was undone.
      skipped: 'text',
      conflicts: 'text',
      change_id: 'text?',
    },
    primaryKey: ['bulk_edit_id', 'place'],
    foreignKeys: { bulk_edit_item_of: ['bulk_edit_id', 'bulk_edit', 'cascade'] },
  },
}
