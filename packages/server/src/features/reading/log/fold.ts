/** It is a position in a book. What a client cannot say is null. */
export interface Position {
  readonly page: number | null
  /** 0 to 1. */
  readonly percentage: number | null
}

/** An entry of the log, as the fold needs it. */
export interface LogEntry extends Position {
  readonly id: string
  readonly kind: 'progress' | 'completed' | 'reset'
  /** ISO, with milliseconds. */
  readonly startedAt: string
  readonly at: string
  readonly deviceId: string
  readonly pageCount: number | null
  readonly finishes: boolean
  readonly outright: boolean
}

interface Standing extends Position {
  readonly entryId: string
  readonly at: string
  readonly deviceId: string
  readonly pageCount: number | null
}

/** A position that may have been an accident, until its device goes on from it. */
interface HeldPosition {
  readonly entryId: string
  readonly at: string
  readonly deviceId: string
  readonly last: Position
  readonly forward: number
}

/** One reading from the first page towards the last. */
interface Pass {
  readonly startedAt: string
  readonly lowest: number
  readonly isFinished: boolean
}

/** It is the result of the entries so far. It can be stored as JSON. */
export interface ReadingState {
  readonly standing: Standing | null
  readonly startedAt: string | null
  /** It is null unless the book is completed. */
  readonly completedAt: string | null
  readonly isRereading: boolean
  readonly pass: Pass | null
  readonly held: readonly HeldPosition[]
}

export interface Completion {
  readonly entryId: string
  readonly startedAt: string
  readonly completedAt: string
}

export interface Step {
  readonly state: ReadingState
  readonly isHeld: boolean
  /** Entries that were held back and are so no longer. */
  readonly released: readonly string[]
  readonly completion?: Completion
}

export const nothingRead: ReadingState = {
  standing: null,
  startedAt: null,
  completedAt: null,
  isRereading: false,
  pass: null,
  held: [],
}

const startMax = 0.02
const farMin = 0.1
const farPagesMin = 5
/** A position may still be released this long after it was held back. */
export const heldMs = 60 * 60 * 1000
const forwardNeeded = 2
/** Nobody needs more than these: the newest count. */
const heldMax = 16
/** A book counts as read again if the reader has gone back at least this far; else they have only leafed back. */
const rereadBelow = 0.5

/** Ids are of one length and one case, so that both databases and we compare alike. */
export const isLater = (one: { at: string; id: string }, other: { at: string; id: string }): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id)

export const inOrder = <Entry extends { readonly at: string; readonly id: string }>(
  entries: readonly Entry[],
): Entry[] => entries.toSorted((one, other) => (isLater(one, other) ? 1 : -1))

/** It applies one more entry, later than all before it, to the state (C12). */
export const step = (state: ReadingState, entry: LogEntry): Step => {
  if (entry.kind === 'reset') return { state: nothingRead, isHeld: false, released: [] }
  if (!saysWhere(entry)) return { state, isHeld: false, released: [] }
  if (entry.outright) return { state: setOutright(state, entry), isHeld: false, released: [] }
  const { held, released } = advance(state.held, entry)
  const next = { ...state, held }
  if (released.length === 0 && mayBeAccident(state, entry)) {
    return { state: { ...next, held: [...held, heldFrom(entry)].slice(-heldMax) }, isHeld: true, released }
  }
  return { ...settle(next, entry), isHeld: false, released }
}

export const fold = (entries: readonly LogEntry[]): ReadingState =>
  inOrder(entries).reduce((state, entry) => step(state, entry).state, nothingRead)

const saysWhere = ({ page, percentage, finishes }: LogEntry): boolean =>
  page !== null || percentage !== null || finishes

/** The first page, from a device that is not where the reader is, while the reader is far into the book. */
const mayBeAccident = ({ standing, completedAt, isRereading }: ReadingState, entry: LogEntry): boolean => {
  if (!standing || standing.deviceId === entry.deviceId || entry.finishes || !isAtStart(entry)) return false
  const percentage = completedAt !== null && !isRereading ? 1 : (standing.percentage ?? 1)
  return percentage >= farMin && (standing.page ?? farPagesMin) >= farPagesMin
}

const isAtStart = ({ page, percentage }: Position): boolean =>
  (page !== null && page <= 1) || (percentage !== null && percentage <= startMax)

const isPastStart = ({ page, percentage }: Position): boolean =>
  percentage === null ? page !== null && page > 1 : percentage > startMax

const heldFrom = ({ id, at, deviceId, page, percentage }: LogEntry): HeldPosition => ({
  entryId: id,
  at,
  deviceId,
  last: { page, percentage },
  forward: 0,
})

/** A device that twice goes forward from where it was held back meant it, and so did all it said on the way. */
const advance = (
  held: readonly HeldPosition[],
  entry: LogEntry,
): { readonly held: readonly HeldPosition[]; readonly released: readonly string[] } => {
  if (held.length === 0) return { held, released: [] }
  const openAfter = new Date(Date.parse(entry.at) - heldMs).toISOString()
  const open = held.filter(({ at }) => at >= openAfter)
  const moved = open.map((each) =>
    each.deviceId === entry.deviceId && isForward(each.last, entry)
      ? { ...each, last: { page: entry.page, percentage: entry.percentage }, forward: each.forward + 1 }
      : each,
  )
  if (!moved.some(({ forward }) => forward >= forwardNeeded)) return { held: moved, released: [] }
  return {
    held: moved.filter(({ deviceId }) => deviceId !== entry.deviceId),
    released: moved.filter(({ deviceId }) => deviceId === entry.deviceId).map(({ entryId }) => entryId),
  }
}

const isForward = (from: Position, to: Position): boolean => {
  if (from.percentage !== null && to.percentage !== null) return to.percentage > from.percentage
  return from.page !== null && to.page !== null && to.page > from.page
}

const settle = (state: ReadingState, entry: LogEntry): Pick<Step, 'state' | 'completion'> => {
  if (entry.finishes) return finish(state, entry)
  if (state.completedAt === null || state.isRereading) return { state: moveTo(state, entry) }
  if (!isPastStart(entry)) return { state }
  return { state: { ...moveTo({ ...state, pass: null }, entry), isRereading: true } }
}

const moveTo = (state: ReadingState, entry: LogEntry): ReadingState => ({
  ...state,
  standing: standingFrom(entry),
  startedAt: state.startedAt ?? entry.startedAt,
  pass: {
    startedAt: state.pass?.startedAt ?? entry.startedAt,
    lowest: Math.min(state.pass?.lowest ?? 1, entry.percentage ?? 0),
    isFinished: state.pass?.isFinished ?? false,
  },
})

/** The first time stays; another completion counts only for another reading. */
const finish = (state: ReadingState, entry: LogEntry): Pick<Step, 'state' | 'completion'> => {
  const { pass } = state
  const counts = !pass?.isFinished && (state.completedAt === null || (pass?.lowest ?? 1) <= rereadBelow)
  const startedAt = pass?.startedAt ?? entry.startedAt
  const next: ReadingState = {
    ...state,
    standing: standingFrom(entry),
    startedAt: state.startedAt ?? entry.startedAt,
    completedAt: state.completedAt ?? entry.at,
    isRereading: false,
    pass: { startedAt, lowest: pass?.lowest ?? 1, isFinished: true },
  }
  return counts ? { state: next, completion: { entryId: entry.id, startedAt, completedAt: entry.at } } : { state: next }
}

const setOutright = (state: ReadingState, entry: LogEntry): ReadingState => ({
  standing: standingFrom(entry),
  startedAt: state.startedAt ?? entry.startedAt,
  completedAt: entry.finishes ? (state.completedAt ?? entry.at) : null,
  isRereading: false,
  pass: {
    startedAt: state.pass?.startedAt ?? entry.startedAt,
    lowest: entry.percentage ?? 0,
    isFinished: entry.finishes || (state.pass?.isFinished ?? false),
  },
  held: [],
})

const standingFrom = ({ id, at, deviceId, page, percentage, pageCount }: LogEntry): Standing => ({
  entryId: id,
  at,
  deviceId,
  page,
  percentage,
  pageCount,
})
