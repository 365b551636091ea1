import type { Tables } from '../table-definition.ts'

/** What is one reader's own: how they read, what they think of things, what they note. */
export const readers: Tables = {
  // What it is for stands in `subject`; that of a library or series goes with it.
  reader_setting: {
    columns: {
      user_id: 'text',
      level: 'text',
      subject: 'text',
      library_id: 'text?',
      series_id: 'text?',
      settings: 'text',
      updated_at: 'text',
    },
    primaryKey: ['user_id', 'level', 'subject'],
    foreignKeys: {
      reader_setting_user: ['user_id', 'user', 'cascade'],
      reader_setting_library: ['library_id', 'library', 'cascade'],
      reader_setting_series: ['series_id', 'series', 'cascade'],
    },
    indexes: {
      reader_setting_by_library: { columns: ['library_id'], where: 'library_id is not null' },
      reader_setting_by_series: { columns: ['series_id'], where: 'series_id is not null' },
    },
  },
  series_status: {
    columns: { user_id: 'text', series_id: 'text', status: 'text', updated_at: 'text' },
    primaryKey: ['user_id', 'series_id'],
    foreignKeys: {
      series_status_user: ['user_id', 'user', 'cascade'],
      series_status_series: ['series_id', 'series', 'cascade'],
    },
    indexes: {
      series_status_of_series: ['series_id'],
      series_status_newest: ['user_id', 'updated_at desc', 'series_id desc'],
    },
  },
  series_rating: {
    columns: {
      user_id: 'text',
      series_id: 'text',
      id: 'text',
      rating: 'integer',
      notes: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    primaryKey: ['user_id', 'series_id'],
    foreignKeys: {
      series_rating_user: ['user_id', 'user', 'cascade'],
      series_rating_of: ['series_id', 'series', 'cascade'],
    },
    indexes: { series_rating_of_series: ['series_id'], series_rating_best: ['user_id', 'rating', 'series_id'] },
  },
  book_rating: {
    columns: {
      user_id: 'text',
      book_id: 'text',
      id: 'text',
      rating: 'integer',
      notes: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    primaryKey: ['user_id', 'book_id'],
    foreignKeys: { book_rating_user: ['user_id', 'user', 'cascade'], book_rating_of: ['book_id', 'book', 'cascade'] },
    indexes: { book_rating_of_book: ['book_id'], book_rating_best: ['user_id', 'rating', 'book_id'] },
  },
  bookmark: {
    columns: {
      id: 'text',
      user_id: 'text',
      book_id: 'text',
      locator: 'text',
      place: 'real',
      note: 'text',
      created_at: 'text',
      updated_at: 'text',
    },
    primaryKey: ['id'],
    foreignKeys: { bookmark_user: ['user_id', 'user', 'cascade'], bookmark_book: ['book_id', 'book', 'cascade'] },
    indexes: { bookmark_in_order: ['user_id', 'book_id', 'place', 'id'], bookmark_of_book: ['book_id'] },
  },
  annotation: {
    columns: {
      id: 'text',
      user_id: 'text',
      book_id: 'text',
      locator: 'text',
      place: 'real',
      quote: 'text',
      text_before: 'text',
      text_after: 'text',
      colour: 'text',
      note: 'text',
      created_at: 'text',
      updated_at: 'text',
    },
    primaryKey: ['id'],
    foreignKeys: { annotation_user: ['user_id', 'user', 'cascade'], annotation_book: ['book_id', 'book', 'cascade'] },
    indexes: { annotation_in_order: ['user_id', 'book_id', 'place', 'id'], annotation_of_book: ['book_id'] },
  },
  user_font: {
    columns: {
      id: 'text',
      user_id: 'text',
      name: 'text',
      name_key: 'text',
      format: 'text',
      size: 'integer',
      bytes: 'bytes',
      created_at: 'text',
    },
    primaryKey: ['id'],
    unique: { user_font_name: ['user_id', 'name_key'] },
    foreignKeys: { user_font_user: ['user_id', 'user', 'cascade'] },
  },
}
