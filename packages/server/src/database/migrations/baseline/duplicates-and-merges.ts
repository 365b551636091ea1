import type { Tables } from '../table-definition.ts'

export const duplicatesAndMerges: Tables = {
  // It is filled by the first search for duplicates.
  series_match_key: {
    columns: {
      series_id: 'text',
      match_type: 'text',
      scope: 'text',
      key: 'text',
      is_title: 'integer',
      seen_at: 'text',
    },
    primaryKey: ['series_id', 'match_type', 'key'],
    foreignKeys: { series_match_key_of: ['series_id', 'series', 'cascade'] },
    indexes: { series_match_key_by_key: ['match_type', 'scope', 'key', 'series_id'] },
  },
  duplicate_group: {
    columns: { id: 'text', match_type: 'text', scope: 'text', key: 'text', created_at: 'text' },
    primaryKey: ['id'],
    unique: { duplicate_group_key: ['match_type', 'scope', 'key'] },
  },
  duplicate_series: {
    columns: { group_id: 'text', series_id: 'text', dismissed: 'integer', joined_at: { type: 'text', default: '' } },
    primaryKey: ['group_id', 'series_id'],
    foreignKeys: {
      duplicate_series_in: ['group_id', 'duplicate_group', 'cascade'],
      duplicate_series_of: ['series_id', 'series', 'cascade'],
    },
    indexes: { duplicate_series_by_series: ['series_id', 'group_id'] },
  },
  duplicate_book: {
    columns: { group_id: 'text', book_id: 'text', dismissed: 'integer', joined_at: { type: 'text', default: '' } },
    primaryKey: ['group_id', 'book_id'],
    foreignKeys: {
      duplicate_book_in: ['group_id', 'duplicate_group', 'cascade'],
      duplicate_book_of: ['book_id', 'book', 'cascade'],
    },
    indexes: { duplicate_book_by_book: ['book_id', 'group_id'] },
  },
  series_merge: {
    columns: {
      library_id: 'text',
      key: 'text',
      into_series_id: 'text',
      at: 'text',
      by_user_id: 'text?',
      part_id: 'text?',
    },
    primaryKey: ['library_id', 'key'],
    foreignKeys: { series_merge_into: ['into_series_id', 'series', 'cascade'] },
    indexes: { series_merge_by_series: ['into_series_id'] },
  },
  merge: {
    columns: {
      id: 'text',
      // `series` or `book`.
      entity: 'text',
      library_id: 'text',
      into_id: 'text',
      at: 'text',
      by_user_id: 'text?',
      undone_at: 'text?',
    },
    primaryKey: ['id'],
    foreignKeys: { merge_library: ['library_id', 'library', 'cascade'] },
    indexes: {
      merge_into: ['into_id', 'at', 'id'],
      merge_by_age: ['entity', 'at', 'id'],
      merge_of_library: ['library_id'],
    },
  },
  // Things are kept as they were before, each as JSON; what was somebody's goes with them.
  merge_row: {
    columns: { merge_id: 'text', number: 'integer', kind: 'text', user_id: 'text?', content: 'text' },
    primaryKey: ['merge_id', 'number'],
    foreignKeys: { merge_row_of: ['merge_id', 'merge', 'cascade'], merge_row_user: ['user_id', 'user', 'cascade'] },
    indexes: { merge_row_of_user: { columns: ['user_id'], where: 'user_id is not null' } },
  },
  // These books came into a series with another one, which had this id.
  merged_series_book: {
    columns: { merge_id: 'text', book_id: 'text', series_id: 'text' },
    primaryKey: ['merge_id', 'book_id'],
    foreignKeys: {
      merged_series_book_by: ['merge_id', 'merge', 'cascade'],
      merged_series_book_of: ['book_id', 'book', 'cascade'],
    },
    indexes: { merged_series_book_by_book: ['book_id'] },
  },
  book_merge: {
    columns: { book_id: 'text', into_book_id: 'text', merge_id: 'text' },
    primaryKey: ['book_id'],
    foreignKeys: {
      book_merge_of: ['book_id', 'book', 'cascade'],
      book_merge_into: ['into_book_id', 'book', 'cascade'],
      book_merge_by: ['merge_id', 'merge', 'cascade'],
    },
    indexes: { book_merge_by_target: ['into_book_id'], book_merge_by_merge: ['merge_id'] },
  },
  // These entries of the log were said of another book, which has become part of the one they stand with now.
  refiled_entry: {
    columns: { merge_id: 'text', user_id: 'text', id: 'text', book_id: 'text' },
    primaryKey: ['merge_id', 'user_id', 'id'],
    foreignKeys: {
      refiled_entry_by: ['merge_id', 'merge', 'cascade'],
      refiled_entry_user: ['user_id', 'user', 'cascade'],
    },
    indexes: { refiled_entry_of_user: ['user_id'] },
  },
}
