import type { Tables } from '../table-definition.ts'

export const covers: Tables = {
  cover: {
    columns: {
      id: 'text',
      entity: 'text',
      entity_id: 'text',
      source: 'text',
      page: 'integer?',
      width: 'integer?',
      height: 'integer?',
      placeholder: 'text?',
      // The name of its files.
      content_hash: 'text',
      created_at: 'text',
      by_user_id: 'text?',
    },
    primaryKey: ['id'],
    indexes: { cover_of: ['entity_id', 'created_at', 'id'] },
  },
  // The cover of each of these books is still to be made; a row goes when it is made or cannot be.
  cover_wanted: {
    columns: { book_id: 'text', priority: 'integer', at: 'text', tries: 'integer' },
    primaryKey: ['book_id'],
    foreignKeys: { cover_wanted_book: ['book_id', 'book', 'cascade'] },
    indexes: { cover_wanted_next: ['priority desc', 'at', 'book_id'] },
  },
  cover_fault: {
    columns: { book_id: 'text', code: 'text', message: 'text', at: 'text' },
    primaryKey: ['book_id'],
    foreignKeys: { cover_fault_book: ['book_id', 'book', 'cascade'] },
  },
  list_cover: {
    columns: { list_id: 'text', cover_id: 'text' },
    primaryKey: ['list_id'],
    foreignKeys: { list_cover_cover: ['cover_id', 'cover', 'cascade'] },
    indexes: { list_cover_of_cover: ['cover_id'] },
  },
}
