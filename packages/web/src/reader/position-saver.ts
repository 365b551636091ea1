interface PositionSaverOptions {
  /** Whether it has arrived. */
  readonly send: (page: number, isLastWord: boolean) => Promise<boolean>
  /** Runs something later; answers what takes it back. */
  readonly later: (run: () => void, afterMs: number) => () => void
  readonly now: () => number
}

/** Tells the server where one is: soon after the first page turned, then now and then, and at last when one leaves. */
export interface PositionSaver {
  saw(page: number): void
  /** Sends what has not arrived, now. */
  flush(isLastWord: boolean): void
  stop(): void
}

export const restMs = 1500
export const betweenMs = 15_000

export const positionSaver = (startPage: number, { send, later, now }: PositionSaverOptions): PositionSaver => {
  let arrived = startPage
  let page = startPage
  let sentAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | undefined

  const flush = (isLastWord: boolean): void => {
    cancel?.()
    cancel = undefined
    if (page === arrived) return
    const sending = page
    const before = arrived
    arrived = sending
    sentAt = now()
    void send(sending, isLastWord).then((hasArrived) => {
      // Something later may be on its way by now.
      if (!hasArrived && arrived === sending) arrived = before
    })
  }
  return {
    saw: (next) => {
      page = next
      if (page === arrived) return
      cancel ??= later(() => flush(false), Math.max(restMs, sentAt + betweenMs - now()))
    },
    flush,
    stop: () => cancel?.(),
  }
}
