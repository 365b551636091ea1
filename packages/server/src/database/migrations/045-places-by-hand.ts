import type { Tables } from './table-definition.ts'
import { type Migration, schemaChange } from './migration.ts'

const tables: Tables = {
  series_override: {
    columns: {
      id: 'text',
      library_id: 'text',
      book_id: 'text?',
      folder: 'text?',
      folder_before: 'text?',
      series_id: 'text',
      through_id: 'text?',
      at: 'text',
      by_user_id: 'text?',
    },
    primaryKey: ['id'],
    foreignKeys: {
      series_override_library: ['library_id', 'library', 'cascade'],
      series_override_book: ['book_id', 'book', 'cascade'],
      series_override_series: ['series_id', 'series', 'cascade'],
    },
    indexes: {
      series_override_of_book: { columns: ['book_id', 'library_id'], unique: true, where: 'book_id is not null' },
      series_override_of_folders: { columns: ['library_id'], where: 'folder is not null' },
      series_override_of_library: ['library_id', 'at', 'id'],
      series_override_of_series: ['series_id'],
      series_override_through: { columns: ['through_id'], where: 'through_id is not null' },
    },
  },
  series_move: {
    columns: {
      id: 'text',
      library_id: 'text',
      at: 'text',
      by_user_id: 'text?',
      is_back: 'integer',
      undone_by: 'text?',
      kept: 'text',
    },
    primaryKey: ['id'],
    foreignKeys: { series_move_library: ['library_id', 'library', 'cascade'] },
    indexes: {
      series_move_of_library: ['library_id', 'id'],
      series_move_undone_by: { columns: ['undone_by'], where: 'undone_by is not null' },
    },
  },
  series_move_book: {
    columns: {
      move_id: 'text',
      book_id: 'text',
      from_series_id: 'text',
      into_series_id: 'text?',
      override_before: 'text?',
      carried_before: 'integer?',
      carried_after: 'integer?',
    },
    primaryKey: ['move_id', 'book_id'],
    foreignKeys: {
      series_move_book_by: ['move_id', 'series_move', 'cascade'],
      series_move_book_of: ['book_id', 'book', 'cascade'],
    },
    indexes: { series_move_book_by_book: ['book_id'] },
  },
  history_act: {
    columns: { history_id: 'text', merge_id: 'text?', move_id: 'text?' },
    primaryKey: ['history_id'],
    foreignKeys: {
      history_act_merge: ['merge_id', 'merge', 'cascade'],
      history_act_move: ['move_id', 'series_move', 'cascade'],
    },
    indexes: {
      history_act_by_merge: { columns: ['merge_id'], where: 'merge_id is not null' },
      history_act_by_move: { columns: ['move_id'], where: 'move_id is not null' },
    },
  },
}

/** Where people have put books, and what they have moved, so that it can be taken back. */
export const placesByHand: Migration = {
  version: 45,
  name: 'places by hand',
  run: async (db, dialect) => {
    const { createTable } = schemaChange(db, dialect)
    for (const [name, table] of Object.entries(tables)) await createTable(name, table)
  },
}
