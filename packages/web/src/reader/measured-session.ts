/** One session with one book: from opening it, or coming back to it, until one leaves it or does nothing for long. */
export interface MeasuredSession {
  readonly id: string
  readonly startedAt: number
  /** Time is counted up to here. */
  readonly countedTo: number
  readonly lastSignAt: number
  readonly page: number
  /** They are in view together, the page among them. */
  readonly inView: readonly number[]
  /** Pages left behind, each once. */
  readonly turned: readonly number[]
  readonly isFinished: boolean
}

export const idleAfterMs = 5 * 60 * 1000
/** A shorter time without turning a page is a glance, which moves no position. */
const glanceMs = 5000

export const begin = (id: string, at: number, page: number, inView: readonly number[] = [page]): MeasuredSession => ({
  id,
  startedAt: at,
  countedTo: at,
  lastSignAt: at,
  page,
  inView,
  turned: [],
  isFinished: false,
})

/**
 * It counts the time that has passed: at most five minutes after the last sign of a reader, and nothing when the clock
 * was set back.
 */
export const counted = (measuredSession: MeasuredSession, at: number): MeasuredSession => {
  const to = Math.min(at, measuredSession.lastSignAt + idleAfterMs)
  return { ...measuredSession, countedTo: Math.max(to, measuredSession.countedTo) }
}

/** A user who comes back later begins another session. */
export const isIdle = ({ lastSignAt }: MeasuredSession, at: number): boolean => at >= lastSignAt + idleAfterMs

/** A key, a touch, a scroll. */
export const sign = (measuredSession: MeasuredSession, at: number): MeasuredSession => {
  const now = counted(measuredSession, at)
  return { ...now, lastSignAt: Math.max(now.lastSignAt, at) }
}

export const turn = (
  measuredSession: MeasuredSession,
  at: number,
  page: number,
  inView: readonly number[] = [page],
): MeasuredSession => {
  const now = sign(measuredSession, at)
  if (page === now.page) return { ...now, inView }
  return { ...now, page, inView, turned: [...new Set([...now.turned, ...now.inView])] }
}

export const finish = (measuredSession: MeasuredSession, at: number): MeasuredSession => ({
  ...sign(measuredSession, at),
  isFinished: true,
})

export const activeMsOf = ({ startedAt, countedTo }: MeasuredSession): number => countedTo - startedAt

export const isGlance = (measuredSession: MeasuredSession): boolean =>
  activeMsOf(measuredSession) < glanceMs && measuredSession.turned.length === 0 && !measuredSession.isFinished
