import type { CarryRule } from '../../database/carry-over.ts'
import type { Database, WriteDb } from '../../database/database.ts'
import type { Viewer } from '../visibility/visibility.ts'

/** One series, as it was and as it is once everything has followed from a change. */
export interface SeriesChange {
  readonly id: string
  readonly libraryId: string
  readonly ageRating: number | null
  readonly ageRatingBefore: number | null
  readonly bookCount: number
  readonly bookCountBefore: number
  /** Books of it may have come, gone or been arranged anew; false: only what is said of it or of its books has changed. */
  readonly hasOtherBooks: boolean
}

/** A series that is about to go for good, with its row still there. */
export interface GoingSeries {
  readonly id: string
  readonly libraryId: string
}

/** What a line of the history tells of, taken back by somebody. */
export interface UndoRequest {
  readonly historyId: string
  /** The series or book from whose history it is taken back; the line may be that of another one which was part of the same. */
  readonly entityId: string
  /** Also what has changed again since. */
  readonly force: boolean
  readonly viewer: Viewer
  readonly now: Date
}

export interface UndoneChange {
  /** The line of the same history that tells of it. */
  readonly undoneBy: string | null
  /** What has changed again since, and stays. */
  readonly conflicts: readonly string[]
}

/**
 * Who owns rows that follow from those of the catalogue, or from a user. They are told in the transaction of the change, so that
 * whoever makes it needs to know none of them; `listeners.ts` of the server is the list.
 */
export interface Listeners {
  readonly seriesChanged: readonly ((db: WriteDb, series: readonly SeriesChange[], now: Date) => Promise<void>)[]
  readonly seriesGo: readonly ((db: WriteDb, series: readonly GoingSeries[], now: Date) => Promise<void>)[]
  /** What these libraries count is not what their series come to. */
  readonly librariesMiscounted: readonly ((db: WriteDb, libraryIds: readonly string[], now: Date) => Promise<void>)[]
  /** How rows of books and series that become part of others go over to these, and back. */
  readonly merged: readonly CarryRule[]
  /** What else than words a line of the history stands for is taken back by whoever has written it; undefined: it is not theirs. */
  readonly changeUndone: readonly ((db: WriteDb, taking: UndoRequest) => Promise<UndoneChange | undefined>)[]
  /** One who is about to go for good, with all that goes with their row. */
  readonly userGoes: readonly ((db: WriteDb, userId: string) => Promise<void>)[]
}

const listening = new WeakMap<WriteDb, Listeners>()

/** The same database, each of whose transactions knows who is to be told. */
export const withListeners = (database: Database, listeners: Listeners): Database => ({
  ...database,
  write: (work) =>
    database.write((db) => {
      listening.set(db, listeners)
      return work(db)
    }),
})

export const listenersOf = (db: WriteDb): Listeners => {
  const listeners = listening.get(db)
  if (!listeners) throw new Error('Nobody listens to this transaction: it was begun on a database without listeners')
  return listeners
}
