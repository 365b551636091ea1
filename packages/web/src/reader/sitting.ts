/** One sitting with one book: from opening it, or coming back to it, until one leaves it or does nothing for long. */
export interface Sitting {
  readonly id: string
  readonly startedAt: number
  /** Time is counted up to here. */
  readonly countedTo: number
  readonly lastSignAt: number
  readonly page: number
  /** Pages left behind, each once. */
  readonly turned: readonly number[]
  readonly isFinished: boolean
}

export const idleAfterMs = 5 * 60 * 1000
/** A shorter time without turning a page is a glance, which moves no position. */
const glanceMs = 5000

export const begin = (id: string, at: number, page: number): Sitting => ({
  id,
  startedAt: at,
  countedTo: at,
  lastSignAt: at,
  page,
  turned: [],
  isFinished: false,
})

/**
 * It counts the time that has passed: at most five minutes after the last sign of a reader, and nothing when the clock
 * was set back.
 */
export const counted = (sitting: Sitting, at: number): Sitting => {
  const to = Math.min(at, sitting.lastSignAt + idleAfterMs)
  return { ...sitting, countedTo: Math.max(to, sitting.countedTo) }
}

/** A user who comes back later begins another session. */
export const isIdle = ({ lastSignAt }: Sitting, at: number): boolean => at >= lastSignAt + idleAfterMs

/** A key, a touch, a scroll. */
export const sign = (sitting: Sitting, at: number): Sitting => {
  const now = counted(sitting, at)
  return { ...now, lastSignAt: Math.max(now.lastSignAt, at) }
}

export const turn = (sitting: Sitting, at: number, page: number): Sitting => {
  const now = sign(sitting, at)
  if (page === now.page) return now
  return { ...now, page, turned: now.turned.includes(now.page) ? now.turned : [...now.turned, now.page] }
}

export const finish = (sitting: Sitting, at: number): Sitting => ({ ...sign(sitting, at), isFinished: true })

export const activeMsOf = ({ startedAt, countedTo }: Sitting): number => countedTo - startedAt

export const isGlance = (sitting: Sitting): boolean =>
  activeMsOf(sitting) < glanceMs && sitting.turned.length === 0 && !sitting.isFinished
