import type { PassedOver } from '../counted-rows.ts'
import type { StoreDatabase } from '../sqlite.ts'

/** What is known of the store while it is read. */
export interface OpenStore {
  readonly db: StoreDatabase
  readonly passed: PassedOver
  /** The folder of each library. */
  readonly roots: Map<string, string>
}
