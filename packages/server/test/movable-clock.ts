export interface MovableClock {
  readonly clock: () => Date
  /** It moves the clock forward. */
  pass(milliseconds: number): void
}

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** A clock that stands still until it is told how much time has passed. */
export const movableClock = (start = '2026-11-21T10:00:00.000Z'): MovableClock => {
  let now = Date.parse(start)
  return {
    clock: () => new Date(now),
    pass: (milliseconds) => {
      now += milliseconds
    },
  }
}
