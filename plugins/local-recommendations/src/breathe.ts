const millisecondsAtOnce = 10

/** It lets other calls in after a while, and ends the work when nobody waits for it any longer. */
export const breather = (signal: AbortSignal): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < millisecondsAtOnce) return
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    since = performance.now()
  }
}
