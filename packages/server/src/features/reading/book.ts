import type { ReadingTables } from './table.ts'

/** The log stores this of a book beside its id. */
export interface ReadBook {
  readonly id: string
  readonly seriesId: string
  readonly seriesName: string
  readonly libraryId: string
  readonly format: ReadingTables['reading_log']['format']
  readonly pageCount: number
  readonly isPresent: boolean
}
