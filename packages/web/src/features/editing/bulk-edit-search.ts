export interface BulkEditSearch {
  readonly of: 'series' | 'books'
  /**
   * The target is either ids, with commas between them, or everything that fulfils the condition and matches the search
   * text.
   */
  readonly ids?: string | undefined
  readonly where?: string | undefined
  readonly q?: string | undefined
}
