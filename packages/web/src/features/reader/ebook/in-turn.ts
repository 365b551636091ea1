/** Keys that are held down do not turn pages long after they were let go. */
const waitingMax = 8

/** What one asks for while a chapter is on its way waits for it. */
export const oneAfterTheOther = (isOpen: () => boolean) => {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    isFull: (): boolean => waiting >= waitingMax,
    run: (work: () => Promise<void>): Promise<void> => {
      waiting += 1
      const done = last.then(() => (isOpen() ? work() : undefined)).finally(() => (waiting -= 1))
      last = done.catch(() => undefined)
      return done
    },
  }
}
