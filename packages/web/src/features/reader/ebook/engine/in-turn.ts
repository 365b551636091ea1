/** With more keys waiting, a key that was held down would turn pages long after it was released. */
const waitingMax = 8

/** Requests that come while a chapter is loading wait for it. */
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
