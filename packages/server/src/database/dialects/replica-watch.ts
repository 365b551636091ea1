import { setTimeout as delay } from 'node:timers/promises'
import type { ReplicaState } from '../replica.ts'

const everyMs = 1000
/** One that was away is left alone for so long. */
const pauseMs = 5000

/** How far a server has come. */
export interface ReplicationProgress {
  /** That of the schema. */
  readonly version: number
  /** A position in the write-ahead log; undefined where the server does not tell. */
  readonly position: number | undefined
}

/** What a server says that is no replica, or none that can be used. */
export class UnfitError extends Error {
  override readonly name = 'UnfitError'
}

interface WatchOptions {
  /** A replica that has lacked something for longer is not asked, and again when it has caught up with half of that. */
  readonly lagMs: number
  readonly askPrimary: () => Promise<ReplicationProgress>
  /** It fails with `UnfitError` where something else than a replica answers. */
  readonly askReplica: () => Promise<ReplicationProgress>
  /** It hears of every other status. */
  readonly onChange: (state: ReplicaState) => void
}

interface ReplicaWatch {
  state(): ReplicaState
  /** The version of the schema at the database itself. */
  version(): number | undefined
  begin(): void
  /** Somebody has asked the replica in vain. */
  noteAway(error: unknown): void
  close(): Promise<void>
}

/** It looks once in a while whether the replica can be asked, so that no request has to find that out. */
export const watchReplica = ({ lagMs, askPrimary, askReplica, onChange }: WatchOptions): ReplicaWatch => {
  const closing = new AbortController()
  const lackedFor = measureLag()
  let state: ReplicaState = { status: 'unknown' }
  let version: number | undefined
  let asideUntil = 0
  let watching: Promise<void> | undefined

  const set = (next: ReplicaState): void => {
    const isNew = next.status !== state.status
    state = next
    if (isNew && !closing.signal.aborted) onChange(next)
  }

  const noteAway = (error: unknown): void => {
    asideUntil = performance.now() + pauseMs
    const status = error instanceof UnfitError ? 'unfit' : 'away'
    set({ status, detail: error instanceof Error ? error.message : String(error) })
  }

  const check = async (): Promise<void> => {
    // What is known of the replica still holds while the database itself is away.
    const primary = await askPrimary().catch(() => undefined)
    if (!primary) return
    version = primary.version
    const seenAt = performance.now()
    const replica = await askReplica().catch((error: unknown) => noteAway(error))
    if (!replica || performance.now() < asideUntil) return
    const behindMs = lackedFor(primary.position, replica.position, seenAt)
    // What came since the last look is not counted yet.
    const maxMs = (state.status === 'behind' ? lagMs / 2 : lagMs) - everyMs / 2
    const isBehind = replica.version < primary.version || (behindMs ?? 0) > maxMs
    set({ status: isBehind ? 'behind' : 'follows', behindMs })
  }

  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await check()
      await delay(everyMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    state: () => state,
    version: () => version,
    begin: () => {
      watching ??= watch()
    },
    noteAway,
    close: async () => {
      closing.abort()
      await watching
    },
  }
}

/**
 * For how long something has been missing at the replica, as far as was seen: nothing is missing while nothing is written, however
 * long ago the last change was.
 */
export const measureLag = () => {
  let missing: { readonly position: number; readonly at: number }[] = []
  return (primary: number | undefined, replica: number | undefined, at: number): number | undefined => {
    if (primary === undefined || replica === undefined) return undefined
    // Another server may have taken over with less.
    missing = [...missing, { position: primary, at }].filter(
      ({ position }) => position > replica && position <= primary,
    )
    // The oldest is what counts, and the newest are compared with it.
    if (missing.length > 600) missing.splice(1, 1)
    return missing[0] ? at - missing[0].at : 0
  }
}
