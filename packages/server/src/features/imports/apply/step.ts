import type { ImportChoice, ImportPart } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { Context } from '../../../context.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import type { BookShape } from '../../reading/reading.ts'
import type { RunRow } from '../queries.ts'
import type { SourceReader } from '../sources/start-reader.ts'
import type { Staged, StagedType } from '../staging.ts'

export type ApplyResources = Pick<Context, 'config' | 'settings' | 'runLimited' | 'secret'> & {
  readonly decoders: Decoders
}

/** What the steps of one import have in hand. */
export interface Applying {
  readonly run: RunRow
  readonly task: TaskContext
  readonly resources: ApplyResources
  readonly now: Date
  readonly chosen: ImportChoice
  /** Ours by theirs. */
  readonly books: ReadonlyMap<string, string>
  readonly series: ReadonlyMap<string, string>
  readonly libraries: ReadonlyMap<string, string>
  readonly users: ReadonlyMap<string, string>
  /** Users and books of which the store has a log: their last state says nothing more. */
  readonly logged: ReadonlyMap<string, ReadonlySet<'session' | 'completion'>>
  /** Books of theirs that are not here, by their series and number. */
  readonly absentBooks: () => Promise<ReadonlyMap<string, AbsentBook>>
  /** The store is open for what was not staged. */
  readonly reader: () => Promise<SourceReader>
  /** The parts of a book of ours in their order; none where its text does not flow, or where it cannot be read. */
  readonly spineOf: (bookId: string) => Promise<BookShape['spine']>
}

export interface AbsentBook {
  readonly series: string
  readonly number: string | null
  readonly volume: string | null
}

export interface Taken {
  /** What is needed to take it back; absent: nothing was done. */
  readonly done?: unknown
  /** How much was taken or left, by its name in the report. */
  readonly counts: Counts
}

/** What is known of an import while it is only looked at. */
export interface Foreseeing extends Pick<Applying, 'books' | 'series' | 'logged' | 'now'> {
  readonly kind: RunRow['kind']
  /** Ours by theirs; null: one who is yet to be made. */
  readonly users: ReadonlyMap<string, string | null>
  /** Sharing tags that one of the steps would make: each is made once. */
  readonly tagsToCome: Set<string>
}

export type Counts = Readonly<Record<string, number>>

/** One kind of thing that is taken over, some at a time, each time in one transaction together with how to take it back. */
export interface Step<Type extends StagedType = StagedType, Prepared = unknown> {
  readonly name: string
  /** It is taken where this part is chosen. */
  readonly part: ImportPart
  readonly reads: Type
  /** Others wait for a transaction: it is to take a few milliseconds. */
  readonly atOnce: number
  /** What needs no transaction: opening pictures. */
  readonly prepare?: (applying: Applying, records: readonly Staged<Type>[]) => Promise<Prepared>
  readonly take: (
    db: WriteDb,
    applying: Applying,
    records: readonly Staged<Type>[],
    prepared: Prepared,
  ) => Promise<Taken>
  /** How much `take` would bring, by the same names. It reads alone, and for a whole row of records at once. */
  readonly foresee: (db: ReadDb, foreseeing: Foreseeing, records: readonly Staged<Type>[]) => Promise<Counts>
  /** It gets what `take` said it had done. */
  readonly undo: (db: WriteDb, undoing: Undoing, done: never) => Promise<void>
}

export type Undoing = Pick<Applying, 'run' | 'now' | 'resources'>

/** A step among others: what it reads and prepares is its own affair. */
export type AnyStep = Omit<Step, 'prepare' | 'take' | 'foresee'> & {
  readonly prepare?: (applying: Applying, records: never) => Promise<unknown>
  readonly take: (db: WriteDb, applying: Applying, records: never, prepared: never) => Promise<Taken>
  readonly foresee: (db: ReadDb, foreseeing: Foreseeing, records: never) => Promise<Counts>
}

/** Somebody for whom things are brought: what they may not see any more is theirs all the same. */
export const seeingAll = (userId: string): Viewer => ({
  userId,
  rule: { libraries: 'all', ageCeiling: null, includeUnrated: true, allowTags: [], denyTags: [] },
  deletedLibraries: [],
  seesPaths: true,
})

export const added = (counts: Counts, more: Counts): Counts => {
  const sum: Record<string, number> = { ...counts }
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

export const countsOf = (entries: Counts): Counts =>
  Object.fromEntries(Object.entries(entries).filter(([, count]) => count > 0))
