/** One sitting with one book: from opening it, or coming back to it, until one leaves it or does nothing for long. */
export interface Sitting {
  readonly id: string
  readonly startedAt: number
  /** Up to when time is counted. */
  readonly countedTo: number
  readonly lastSignAt: number
  readonly page: number
  /** Pages left behind, each once. */
  readonly turned: readonly number[]
  readonly isFinished: boolean
}

export const idleAfterMs = 5 * 60 * 1000
/** Less than this without turning a page is a glance, which moves no position. */
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

/** Counts what has passed: no longer than five minutes after the last sign of a reader, and a clock that is put back counts nothing. */
export const counted = (sitting: Sitting, at: number): Sitting => {
  const to = Math.min(at, sitting.lastSignAt + idleAfterMs)
  return { ...sitting, countedTo: Math.max(to, sitting.countedTo) }
}

/** Whoever comes back later begins another sitting. */
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
