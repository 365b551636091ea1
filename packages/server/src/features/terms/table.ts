export interface TermTables {
  /** What the catalogue can be looked up by: a genre, a tag, a person. Names that fold to the same are the same. */
  term: {
    id: string
    kind: 'genre' | 'tag' | 'person'
    /** As it was first written. */
    name: string
    /** Folded. */
    key: string
    sort_key: string
    created_at: string
  }
  /** Of what is shown of a series, whichever layer it comes from. */
  series_term: {
    series_id: string
    term_id: string
    /** Of a person; empty when it is not said, and for the other kinds. */
    role: string
    place: number
  }
  book_term: { book_id: string; term_id: string; role: string; place: number }
}
