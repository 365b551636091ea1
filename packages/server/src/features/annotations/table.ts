interface Mark {
  id: string
  user_id: string
  book_id: string
  /** JSON: a Readium locator. */
  locator: string
  /** It is the position in the book, 0 to 1; 1 where the locator does not say. */
  place: number
  note: string
  created_at: string
  updated_at: string
}

export interface AnnotationTables {
  bookmark: Mark
  annotation: Mark & { quote: string; text_before: string; text_after: string; colour: string }
}
