export interface BulkEditSearch {
  readonly of: 'series' | 'books'
  /** Which ones: by their ids, with commas between; else all that fulfil the condition and are found by the words. */
  readonly ids?: string | undefined
  readonly where?: string | undefined
  readonly q?: string | undefined
}
