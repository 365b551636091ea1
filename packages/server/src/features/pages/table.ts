export interface PageTables {
  /** What the pages of a book are and where their bytes stand, packed (`page-index.ts`). */
  page_index: { book_id: string; pages: Uint8Array }
}
