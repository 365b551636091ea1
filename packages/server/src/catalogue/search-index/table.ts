import type { Generated } from 'kysely'

/** What something is found by. The database keeps an index of the words by itself. */
interface SearchDocument {
  /** Chosen by the database: its index knows the row by it. */
  number: Generated<number>
  /** Folded. */
  title: string
  /** Everything it is found by, each word once, with spaces between. */
  words: string
}

export interface SearchIndexTables {
  series_search: SearchDocument & { series_id: string }
  book_search: SearchDocument & {
    book_id: string
    /** What conditions look for parts in: the words of its texts, each with a sign of the text. Null: not made yet. */
    text_words: string | null
  }
  term_search: SearchDocument & { term_id: string }
  collection_search: SearchDocument & { collection_id: string }
  read_list_search: SearchDocument & { read_list_id: string }
  /** Words that are known, each as it is and, if it is long enough for a mistake, without each one of its letters. */
  search_word: { spelling: string; word: string }
  /** Words that are known of those, and each from each of its letters on. */
  text_word: { ending: string; word: string }
}
