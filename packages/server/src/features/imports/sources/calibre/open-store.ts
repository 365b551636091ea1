import { idText } from '../values.ts'
import type { PassedOver } from '../counted-rows.ts'
import type { StoreDatabase } from '../sqlite.ts'
import type { CustomColumn } from './queries.ts'

/** What is known of the store while it is read. */
export interface OpenStore {
  readonly db: StoreDatabase
  /** Calibre-web's own database, where there is one. */
  readonly web: StoreDatabase | undefined
  readonly passed: PassedOver
  /** The folder of the library; null: the database came alone, and there are no files to look into. */
  readonly folder: string | null
  readonly columns: readonly CustomColumn[]
  readonly people: People
  /** The numbers of all books, by which calibre-web names them: between two databases there are no foreign keys. */
  readonly books: Set<number>
}

export interface People {
  /** Whose library it is: ratings, flags and columns are theirs. */
  readonly owner: string
  /** The people of calibre-web, by name in lower case. */
  readonly byName: ReadonlyMap<string, string>
  /** Tags by which somebody's sight is restricted, in lower case. */
  readonly labels: ReadonlySet<string>
}

/** There is one library in a store. */
export const libraryId = 'library'

/** A book without a series is a series of its own here. */
export const ownSeriesOf = (book: unknown): string => `book ${idText(book)}`

export const namedUser = (name: string): string => `named ${name}`
