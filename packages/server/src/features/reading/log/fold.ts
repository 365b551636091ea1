/** It is a position in a book. What a client cannot say is null. */
export interface Position {
  readonly page: number | null
  /** 0 to 1. */
  readonly percentage: number | null
}

/** A fact of the log, as the fold needs it. */
export interface ReadingFact extends Position {
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
  readonly factId: string
  readonly at: string
  readonly deviceId: string
  readonly pageCount: number | null
}

/** A position that may have been an accident, until its device goes on from it. */
interface HeldPosition {
  readonly factId: string
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

/** It is the result of the facts so far. It can be stored as JSON. */
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
  readonly factId: string
  readonly startedAt: string
  readonly completedAt: string
}

export interface Step {
  readonly state: ReadingState
  readonly isHeld: boolean
  /** Facts that were held back and are so no longer. */
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
const heldMs = 60 * 60 * 1000
const forwardNeeded = 2
/** Nobody needs more than these: the newest count. */
const heldMax = 16
/** A book counts as read again if the reader has gone back at least this far; else they have only leafed back. */
const rereadBelow = 0.5

/** Ids are of one length and one case, so that both databases and we compare alike. */
export const isLater = (one: { at: string; id: string }, other: { at: string; id: string }): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id)

export const inOrder = <Fact extends { readonly at: string; readonly id: string }>(facts: readonly Fact[]): Fact[] =>
  facts.toSorted((one, other) => (isLater(one, other) ? 1 : -1))

/** It applies one more fact, later than all before it, to the state (C12). */
export const step = (state: ReadingState, fact: ReadingFact): Step => {
  if (fact.kind === 'reset') return { state: nothingRead, isHeld: false, released: [] }
  if (!saysWhere(fact)) return { state, isHeld: false, released: [] }
  if (fact.outright) return { state: setOutright(state, fact), isHeld: false, released: [] }
  const { held, released } = advance(state.held, fact)
  const next = { ...state, held }
  if (released.length === 0 && mayBeAccident(state, fact)) {
    return { state: { ...next, held: [...held, heldFrom(fact)].slice(-heldMax) }, isHeld: true, released }
  }
  return { ...settle(next, fact), isHeld: false, released }
}

export const fold = (facts: readonly ReadingFact[]): ReadingState =>
  inOrder(facts).reduce((state, fact) => step(state, fact).state, nothingRead)

const saysWhere = ({ page, percentage, finishes }: ReadingFact): boolean =>
  page !== null || percentage !== null || finishes

/** The first page, from a device that is not where the reader is, while the reader is far into the book. */
const mayBeAccident = ({ standing, completedAt, isRereading }: ReadingState, fact: ReadingFact): boolean => {
  if (!standing || standing.deviceId === fact.deviceId || fact.finishes || !isAtStart(fact)) return false
  const percentage = completedAt !== null && !isRereading ? 1 : (standing.percentage ?? 1)
  return percentage >= farMin && (standing.page ?? farPagesMin) >= farPagesMin
}

const isAtStart = ({ page, percentage }: Position): boolean =>
  (page !== null && page <= 1) || (percentage !== null && percentage <= startMax)

const isPastStart = ({ page, percentage }: Position): boolean =>
  percentage === null ? page !== null && page > 1 : percentage > startMax

const heldFrom = ({ id, at, deviceId, page, percentage }: ReadingFact): HeldPosition => ({
  factId: id,
  at,
  deviceId,
  last: { page, percentage },
  forward: 0,
})

/** A device that twice goes forward from where it was held back meant it, and so did all it said on the way. */
const advance = (
  held: readonly HeldPosition[],
  fact: ReadingFact,
): { readonly held: readonly HeldPosition[]; readonly released: readonly string[] } => {
  if (held.length === 0) return { held, released: [] }
  const openAfter = new Date(Date.parse(fact.at) - heldMs).toISOString()
  const open = held.filter(({ at }) => at >= openAfter)
  const moved = open.map((each) =>
    each.deviceId === fact.deviceId && isForward(each.last, fact)
      ? { ...each, last: { page: fact.page, percentage: fact.percentage }, forward: each.forward + 1 }
      : each,
  )
  if (!moved.some(({ forward }) => forward >= forwardNeeded)) return { held: moved, released: [] }
  return {
    held: moved.filter(({ deviceId }) => deviceId !== fact.deviceId),
    released: moved.filter(({ deviceId }) => deviceId === fact.deviceId).map(({ factId }) => factId),
  }
}

const isForward = (from: Position, to: Position): boolean => {
  if (from.percentage !== null && to.percentage !== null) return to.percentage > from.percentage
  return from.page !== null && to.page !== null && to.page > from.page
}

const settle = (state: ReadingState, fact: ReadingFact): Pick<Step, 'state' | 'completion'> => {
  if (fact.finishes) return finish(state, fact)
  if (state.completedAt === null || state.isRereading) return { state: moveTo(state, fact) }
  if (!isPastStart(fact)) return { state }
  return { state: { ...moveTo({ ...state, pass: null }, fact), isRereading: true } }
}

const moveTo = (state: ReadingState, fact: ReadingFact): ReadingState => ({
  ...state,
  standing: standingFrom(fact),
  startedAt: state.startedAt ?? fact.startedAt,
  pass: {
    startedAt: state.pass?.startedAt ?? fact.startedAt,
    lowest: Math.min(state.pass?.lowest ?? 1, fact.percentage ?? 0),
    isFinished: state.pass?.isFinished ?? false,
  },
})

/** The first time stays; another completion counts only for another reading. */
const finish = (state: ReadingState, fact: ReadingFact): Pick<Step, 'state' | 'completion'> => {
  const { pass } = state
  const counts = !pass?.isFinished && (state.completedAt === null || (pass?.lowest ?? 1) <= rereadBelow)
  const startedAt = pass?.startedAt ?? fact.startedAt
  const next: ReadingState = {
    ...state,
    standing: standingFrom(fact),
    startedAt: state.startedAt ?? fact.startedAt,
    completedAt: state.completedAt ?? fact.at,
    isRereading: false,
    pass: { startedAt, lowest: pass?.lowest ?? 1, isFinished: true },
  }
  return counts ? { state: next, completion: { factId: fact.id, startedAt, completedAt: fact.at } } : { state: next }
}

const setOutright = (state: ReadingState, fact: ReadingFact): ReadingState => ({
  standing: standingFrom(fact),
  startedAt: state.startedAt ?? fact.startedAt,
  completedAt: fact.finishes ? (state.completedAt ?? fact.at) : null,
  isRereading: false,
  pass: {
    startedAt: state.pass?.startedAt ?? fact.startedAt,
    lowest: fact.percentage ?? 0,
    isFinished: fact.finishes || (state.pass?.isFinished ?? false),
  },
  held: [],
})

const standingFrom = ({ id, at, deviceId, page, percentage, pageCount }: ReadingFact): Standing => ({
  factId: id,
  at,
  deviceId,
  page,
  percentage,
  pageCount,
})
