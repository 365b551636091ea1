import type { ScannedRoot } from '../library.ts'
import type { SidecarChanges } from '../analysis/sidecar-changes.ts'
import type { Spool } from '../walker/spool.ts'
import type { StoredFile, WalkSummary } from '../walker/messages.ts'

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
