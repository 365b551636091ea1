export interface TermTables {
  /** What the catalogue can be looked up by: a genre, a tag, a person. Names that fold to the same are the same. */
  term: {
    id: string
    kind: 'genre' | 'tag' | 'person'
    /** The spelling is the one that came first. */
    name: string
    /** Folded. */
    key: string
    sort_key: string
    created_at: string
  }
  /** The terms are those shown of a series, whichever layer they come from. */
  series_term: {
    series_id: string
    term_id: string
    /** The role is that of a person; it is empty when nobody says it, and for the other kinds. */
    role: string
    place: number
    /** From which rating books that are seen have it, where that is above the series'. Null: whoever sees the series sees it. */
    from_rating: number | null
  }
  book_term: { book_id: string; term_id: string; role: string; place: number }
}
