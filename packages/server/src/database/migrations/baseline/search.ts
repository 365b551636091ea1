import type { Tables } from '../table-definition.ts'

/** Each is found by its column `words` too, which the text index of the database follows. */
export const searchDocuments: Tables = {
  series_search: {
    columns: { number: 'integer', series_id: 'text', title: 'text', words: 'text' },
    primaryKey: ['number'],
    unique: { series_search_one: ['series_id'] },
    foreignKeys: { series_search_of: ['series_id', 'series', 'cascade'] },
    indexes: { series_search_by_title: ['title', 'series_id'] },
  },
  book_search: {
    columns: { number: 'integer', book_id: 'text', title: 'text', words: 'text' },
    primaryKey: ['number'],
    unique: { book_search_one: ['book_id'] },
    foreignKeys: { book_search_of: ['book_id', 'book', 'cascade'] },
    indexes: { book_search_by_title: ['title', 'book_id'] },
  },
  term_search: {
    columns: { number: 'integer', term_id: 'text', title: 'text', words: 'text' },
    primaryKey: ['number'],
    unique: { term_search_one: ['term_id'] },
    foreignKeys: { term_search_of: ['term_id', 'term', 'cascade'] },
    indexes: { term_search_by_title: ['title', 'term_id'] },
  },
  collection_search: {
    columns: { number: 'integer', collection_id: 'text', title: 'text', words: 'text' },
    primaryKey: ['number'],
    unique: { collection_search_one: ['collection_id'] },
    foreignKeys: { collection_search_of: ['collection_id', 'collection', 'cascade'] },
    indexes: { collection_search_by_title: ['title', 'collection_id'] },
  },
  read_list_search: {
    columns: { number: 'integer', read_list_id: 'text', title: 'text', words: 'text' },
    primaryKey: ['number'],
    unique: { read_list_search_one: ['read_list_id'] },
    foreignKeys: { read_list_search_of: ['read_list_id', 'read_list', 'cascade'] },
    indexes: { read_list_search_by_title: ['title', 'read_list_id'] },
  },
}

export const searchWords: Tables = {
  search_word: {
    columns: { spelling: 'text', word: 'text' },
    primaryKey: ['spelling', 'word'],
  },
}
