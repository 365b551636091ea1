import type { ReadDb } from '../../../database/database.ts'
import { type Completion, isLater, nothingRead, type ReadingState, step } from './fold.ts'
import {
  type Pair,
  type LogPosition,
  selectEntriesAfter,
  selectSnapshotBefore,
  selectSnapshotsAfter,
  type Snapshot,
} from './queries.ts'

/** An entry that comes late costs at most about two of these, unless it changes all that comes after it. */
export const snapshotEvery = 256
const entriesAtOnce = 2 * snapshotEvery

export interface Refolded {
  /** The fold began here; undefined means at the beginning of the log. */
  readonly after: LogPosition | undefined
  /** From here on everything is as it was; undefined when the fold ran to the end. */
  readonly convergedAt: LogPosition | undefined
  readonly state: ReadingState
  readonly position: LogPosition
  readonly unsaved: number
  readonly completions: readonly Completion[]
  /** Entries on the way that are held back. */
  readonly held: ReadonlySet<string>
  readonly snapshots: readonly Snapshot[]
}

/**
 * Folds one log again from before the earliest of some new entries. It may end early: as soon as it is past the last of
 * them and comes upon a snapshot that is what it has come to itself, nothing later can be different.
 */
export const refoldFrom = async (
  db: ReadDb,
  pair: Pair,
  earliest: LogPosition,
  latest: LogPosition,
): Promise<Refolded> => {
  const base = await selectSnapshotBefore(db, pair, earliest)
  const later = await selectSnapshotsAfter(db, pair, earliest)
  return refold(db, pair, { base, later: new Map(later.map(({ position, state }) => [position.id, state])), latest })
}

/** The same over the whole log, whatever was known before; with a snapshot at each of some entries, and others between. */
export const refoldAll = (db: ReadDb, pair: Pair, entryIds: ReadonlySet<string> = new Set()): Promise<Refolded> =>
  refold(db, pair, { base: undefined, later: new Map([...entryIds].map((id) => [id, ''])), latest: undefined })

interface RefoldBase {
  readonly base: Snapshot | undefined
  /** Snapshots that the new entries may have made wrong, by the id of their entry. */
  readonly later: ReadonlyMap<string, string>
  readonly latest: LogPosition | undefined
}

const refold = async (db: ReadDb, pair: Pair, { base, later, latest }: RefoldBase): Promise<Refolded> => {
  let state = base ? (JSON.parse(base.state) as ReadingState) : nothingRead
  let position = base?.position
  let unsaved = 0
  const completions: Completion[] = []
  const held = new Set<string>()
  const snapshots: Snapshot[] = []
  const result = (convergedAt?: LogPosition): Refolded => {
    if (!position) throw new Error('There is no entry to fold')
    return { after: base?.position, convergedAt, state, position, unsaved, completions, held, snapshots }
  }
  for (;;) {
    const entries = await selectEntriesAfter(db, pair, position, entriesAtOnce)
    for (const entry of entries) {
      const { state: next, isHeld, released, completion } = step(state, entry)
      state = next
      if (isHeld) held.add(entry.id)
      for (const id of released) held.delete(id)
      position = { at: entry.at, id: entry.id }
      unsaved += 1
      if (completion) completions.push(completion)
      const laterId = later.get(entry.id)
      if (laterId === undefined && unsaved < snapshotEvery) continue
      const text = JSON.stringify(state)
      if (laterId === text && latest && !isLater(latest, position)) return result(position)
      if (laterId !== text) snapshots.push({ position, state: text })
      unsaved = 0
    }
    if (entries.length < entriesAtOnce) return result()
  }
}
