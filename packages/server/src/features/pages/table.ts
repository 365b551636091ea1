export interface PageTables {
  /** It holds the pages of a book and where their bytes stand, packed (`page-index.ts`). */
  page_index: { book_id: string; pages: Uint8Array }
}
