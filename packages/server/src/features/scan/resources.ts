import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { WriteDb } from '../../database/database.ts'
import type { Decoders } from '../../decoders/pool.ts'
import type { RunLimited } from '../../platform/storage/root-limiter.ts'

export interface ScanResources {
  readonly config: Pick<Config, 'dataDir'>
  readonly settings: Pick<Context['settings'], 'get'>
  readonly decoders: Decoders
  readonly settleMs: number
  readonly runLimited: RunLimited
  /** What others make of it that a library has been read; in the transaction that ends it. */
  readonly afterScan?: ((db: WriteDb, libraryId: string, now: Date) => Promise<void>) | undefined
}

export interface ScanOptions {
  readonly scanId: string
  readonly libraryId: string
  readonly mode: 'changes' | 'full'
  readonly paths: readonly string[]
}
