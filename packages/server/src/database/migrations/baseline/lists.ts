import type { Tables } from '../table-definition.ts'

export const lists: Tables = {
  filter_preset: {
    columns: {
      id: 'text',
      user_id: 'text',
      name: 'text',
      name_key: 'text',
      sort_key: 'text',
      scope: 'text',
      target: 'text',
      condition: 'text',
      query: 'text?',
      sort: 'text?',
      library_id: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    primaryKey: ['id'],
    foreignKeys: {
      filter_preset_user: ['user_id', 'user', 'cascade'],
      filter_preset_library: ['library_id', 'library', 'cascade'],
    },
    indexes: {
      filter_preset_name: {
        columns: ['user_id', 'scope', 'target', 'name_key'],
        where: 'library_id is null',
        unique: true,
      },
      filter_preset_name_in_library: {
        columns: ['user_id', 'scope', 'target', 'name_key', 'library_id'],
        where: 'library_id is not null',
        unique: true,
      },
      filter_preset_by_name: ['user_id', 'sort_key', 'id'],
    },
  },
  collection: {
    columns: {
      id: 'text',
      name: 'text',
      name_key: 'text',
      sort_key: 'text',
      summary: 'text?',
      ordered: 'integer',
      created_at: 'text',
      updated_at: 'text',
      // With one it has no members of its own: they are whatever fulfils it.
      condition: 'text?',
    },
    primaryKey: ['id'],
    unique: { collection_name: ['name_key'] },
    indexes: { collection_by_name: ['sort_key', 'id'] },
  },
  collection_series: {
    columns: { collection_id: 'text', series_id: 'text', position: 'integer', added_at: 'text' },
    primaryKey: ['collection_id', 'series_id'],
    foreignKeys: {
      collection_series_in: ['collection_id', 'collection', 'cascade'],
      collection_series_of: ['series_id', 'series', 'cascade'],
    },
    indexes: {
      collection_series_in_order: ['collection_id', 'position', 'series_id'],
      collection_series_by_series: ['series_id', 'collection_id'],
    },
  },
  collection_series_change: {
    columns: { collection_id: 'text', series_id: 'text', changed_at: 'text' },
    primaryKey: ['collection_id', 'series_id'],
    foreignKeys: {
      collection_series_change_in: ['collection_id', 'collection', 'cascade'],
      collection_series_change_of: ['series_id', 'series', 'cascade'],
    },
    indexes: {
      collection_series_change_newest: ['collection_id', 'changed_at desc', 'series_id'],
      collection_series_change_by_series: ['series_id'],
    },
  },
  read_list: {
    columns: {
      id: 'text',
      name: 'text',
      name_key: 'text',
      sort_key: 'text',
      summary: 'text?',
      ordered: 'integer',
      created_at: 'text',
      updated_at: 'text',
    },
    primaryKey: ['id'],
    unique: { read_list_name: ['name_key'] },
    indexes: { read_list_by_name: ['sort_key', 'id'] },
  },
  // Without a book it keeps the place of one that is not there yet, by what the imported list calls it.
  read_list_book: {
    columns: {
      id: 'text',
      read_list_id: 'text',
      book_id: 'text?',
      position: 'integer',
      added_at: 'text',
      wanted_series: 'text?',
      wanted_series_key: 'text?',
      wanted_number: 'text?',
      wanted_volume: 'text?',
      wanted_year: 'text?',
    },
    primaryKey: ['id'],
    foreignKeys: {
      read_list_book_in: ['read_list_id', 'read_list', 'cascade'],
      read_list_book_of: ['book_id', 'book', 'cascade'],
    },
    indexes: {
      read_list_book_in_order: ['read_list_id', 'position', 'id'],
      read_list_book_by_book: { columns: ['book_id', 'read_list_id'], where: 'book_id is not null', unique: true },
      read_list_book_wanted: { columns: ['wanted_series_key', 'wanted_number'], where: 'book_id is null' },
    },
  },
  read_list_book_change: {
    columns: { read_list_id: 'text', book_id: 'text', changed_at: 'text' },
    primaryKey: ['read_list_id', 'book_id'],
    foreignKeys: {
      read_list_book_change_in: ['read_list_id', 'read_list', 'cascade'],
      read_list_book_change_of: ['book_id', 'book', 'cascade'],
    },
    indexes: {
      read_list_book_change_newest: ['read_list_id', 'changed_at desc', 'book_id'],
      read_list_book_change_by_book: ['book_id'],
    },
  },
  want_to_read: {
    columns: {
      id: 'text',
      user_id: 'text',
      series_id: 'text?',
      book_id: 'text?',
      position: 'integer',
      added_at: 'text',
    },
    primaryKey: ['id'],
    foreignKeys: {
      want_to_read_user: ['user_id', 'user', 'cascade'],
      want_to_read_series: ['series_id', 'series', 'cascade'],
      want_to_read_book: ['book_id', 'book', 'cascade'],
    },
    indexes: {
      want_to_read_in_order: ['user_id', 'position', 'id'],
      want_to_read_one_series: { columns: ['user_id', 'series_id'], where: 'series_id is not null', unique: true },
      want_to_read_one_book: { columns: ['user_id', 'book_id'], where: 'book_id is not null', unique: true },
    },
  },
}
