/** It is for work that reads much of one root. */
export interface StorageWatch extends Disposable {
  /** The signal is aborted when the storage is found to be away, and when the work is over for another reason. */
  readonly signal: AbortSignal
  isAway(): boolean
  /** It checks at once, because something has gone wrong. */
  check(): Promise<void>
}

const checkEveryMs = 5000

/**
 * It checks now and then whether the storage still answers while others read from it: whoever hangs there cannot say so,
 * and must not be waited for as long as for a difficult book.
 */
export const watchStorage = (isThere: () => Promise<boolean>, over: AbortSignal): StorageWatch => {
  const controller = new AbortController()
  const end = (): void => controller.abort()
  let isAway = false
  const check = async (): Promise<void> => {
    if (controller.signal.aborted || (await isThere())) return
    isAway = true
    end()
  }
  over.addEventListener('abort', end)
  if (over.aborted) end()
  const timer = setInterval(() => void check(), checkEveryMs)
  return {
    signal: controller.signal,
    isAway: () => isAway,
    check,
    [Symbol.dispose]: () => {
      clearInterval(timer)
      over.removeEventListener('abort', end)
    },
  }
}
