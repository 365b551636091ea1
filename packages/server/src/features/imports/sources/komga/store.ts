import type { StoreDatabase } from '../sqlite.ts'
import type { countPassedOver } from '../values.ts'

/** What a reading of Komga's store has in hand. */
export interface KomgaStore {
  readonly db: StoreDatabase
  readonly passedOver: ReturnType<typeof countPassedOver>
  /** The roots of libraries, by id. */
  readonly roots: ReadonlyMap<string, string>
}
