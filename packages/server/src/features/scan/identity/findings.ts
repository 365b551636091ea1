import type { GroupedSeries } from '../../../naming/grouping/grouping-policy.ts'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { Config } from '../../../config.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import type { RunLimited } from '../../../platform/storage/root-limiter.ts'
import type { Context } from '../../../context.ts'
import type { ScannedRoot } from '../library.ts'
import type { SidecarChanges } from '../analysis/sidecar-changes.ts'
import type { Spool } from '../walker/spool.ts'
import type { StoredFile, WalkSummary } from '../walker/messages.ts'

export interface ScanMerge {
  readonly id: string
  readonly intoId: string
  /** They came into the series with the one that has become part of it. */
  readonly bookIds: ReadonlySet<string>
}

interface TakingBack {
  readonly libraryId: string
  /** Where the one that comes back lies now. */
  readonly goesTo: GroupedSeries
  /** Where the one that stays lies now. Absent: it goes by the key and the name that it has. */
  readonly staysAt?: { readonly oldKey: string; readonly grouped: GroupedSeries } | undefined
  readonly now: Date
}

/** What becomes of series whose folders become one, and part again. */
interface ScanMerges {
  /** Makes one series of two, or answers that this is for people to decide. */
  merge(db: WriteDb, merge: { readonly fromId: string; readonly intoId: string; readonly now: Date }): Promise<boolean>
  /** It returns the merges that scans have made and nobody has taken back, the newest first. */
  list(db: ReadDb, libraryId: string): Promise<readonly ScanMerge[]>
  /** It throws a conflict where something else stands in the way. */
  takeBack(db: WriteDb, merge: ScanMerge, options: TakingBack): Promise<void>
}

/** What becomes of books whose files lie beside each other in several formats, and apart again (C21). */
export interface BookFormats {
  /** Files that never were books. */
  readonly add: (
    db: WriteDb,
    added: {
      readonly libraryId: string
      readonly parts: readonly { readonly bookId: string; readonly intoId: string }[]
      readonly now: Date
    },
  ) => Promise<void>
  /** Two books, or answers that these are for people to join. */
  readonly join: (
    db: WriteDb,
    joining: { readonly fromId: string; readonly intoId: string; readonly now: Date },
  ) => Promise<boolean>
  /** What is part of another book is one of its own. */
  readonly separate: (db: WriteDb, bookId: string, now: Date) => Promise<void>
}

export interface ScanResources {
  readonly config: Pick<Config, 'dataDir'>
  readonly settings: Pick<Context['settings'], 'get'>
  readonly decoders: Decoders
  readonly settleMs: number
  readonly runLimited: RunLimited
  readonly scanMerges?: ScanMerges | undefined
  readonly formats?: BookFormats | undefined
  /** What others make of it that a library has been read; in the transaction that ends it. */
  readonly afterScan?: ((db: WriteDb, libraryId: string, now: Date) => Promise<void>) | undefined
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
  /** Only what lies below it was looked at, with a slash at its end; empty for all of the root. */
  readonly folder: string
  readonly summary: WalkSummary
}

/** What the walk of all roots has brought to light. */
export interface Findings {
  readonly walked: WalkedRoot[]
  readonly added: Spool
  readonly changed: { readonly rootId: string; readonly stored: StoredFile }[]
  readonly vanished: { readonly rootId: string; readonly stored: StoredFile }[]
  readonly sidecars: SidecarChanges[]
}

/** What a walk has said of a root before it was given up is half of the truth: none of it counts. */
export const withoutUnseen = (findings: Findings): Findings => {
  const unseen = new Set(findings.walked.flatMap(({ root, summary }) => (summary.rootError ? root.id : [])))
  if (unseen.size === 0) return findings
  findings.added.leaveOut(unseen)
  const isSeen = ({ rootId }: { readonly rootId: string }): boolean => !unseen.has(rootId)
  return {
    ...findings,
    changed: findings.changed.filter(isSeen),
    vanished: findings.vanished.filter(isSeen),
    sidecars: findings.sidecars.filter(isSeen),
  }
}
