import type { Config } from '../../config.ts'
import type { Decoders } from '../../decoders/pool.ts'
import type { Settings } from '../settings/settings.ts'
import type { ScannedRoot } from './library.ts'
import type { SidecarChanges } from './sidecar-changes.ts'
import type { Spool } from './spool.ts'
import type { Known, WalkSummary } from './walker/messages.ts'

export interface ScanSurroundings {
  readonly config: Pick<Config, 'dataDir'>
  readonly settings: Pick<Settings, 'get'>
  readonly decoders: Decoders
  readonly settleMs: number
}

export interface ScanOptions {
  readonly scanId: string
  readonly libraryId: string
  readonly mode: 'changes' | 'full'
  readonly paths: readonly string[]
}

/** What one root looked like, and what was known and is not there. */
export interface WalkedRoot {
  readonly root: ScannedRoot
  /** Only a part of it was looked at. */
  readonly isPart: boolean
  readonly summary: WalkSummary
}

/** What the walk of all roots has brought to light. */
export interface Findings {
  readonly walked: WalkedRoot[]
  readonly added: Spool
  readonly changed: { readonly rootId: string; readonly known: Known }[]
  readonly vanished: { readonly rootId: string; readonly known: Known }[]
  readonly sidecars: SidecarChanges[]
}
