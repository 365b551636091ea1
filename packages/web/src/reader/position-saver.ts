interface PositionSaverOptions<Position> {
  /** It returns whether the position has arrived. */
  readonly send: (position: Position, isLastWord: boolean) => Promise<boolean>
  /** It runs something later; it returns a function that cancels it. */
  readonly later: (run: () => void, afterMs: number) => () => void
  readonly now: () => number
}

/**
 * It tells the server where one is: soon after the first page turned, then now and then, and at last when one leaves.
 */
export interface PositionSaver<Position> {
  saw(position: Position): void
  /** It sends what has not arrived, now; it returns when that has been answered, and what was on its way already. */
  flush(isLastWord: boolean): Promise<void>
  stop(): void
}

export const restMs = 1500
export const betweenMs = 15_000

export const positionSaver = <Position>(
  start: Position,
  { send, later, now }: PositionSaverOptions<Position>,
): PositionSaver<Position> => {
  let arrived: Position = start
  let position: Position = start
  let sentAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | undefined
  let onItsWay: Promise<unknown> | undefined

  const flush = async (isLastWord: boolean): Promise<void> => {
    cancel?.()
    cancel = undefined
    // Two at once may arrive in either order; but what is said on leaving cannot wait.
    if (onItsWay && !isLastWord) return onItsWay.then(() => flush(false))
    if (position === arrived) return void (await onItsWay)
    const sending = Promise.all([onItsWay, sendNow(isLastWord)]).finally(() => {
      if (onItsWay === sending) onItsWay = undefined
    })
    onItsWay = sending
    await sending
    return undefined
  }
  const sendNow = async (isLastWord: boolean): Promise<void> => {
    const [sending, before] = [position, arrived]
    arrived = sending
    sentAt = now()
    const hasArrived = await send(sending, isLastWord)
    // Something later may be on its way by now.
    if (!hasArrived && arrived === sending) arrived = before
  }
  return {
    saw: (next) => {
      position = next
      if (position === arrived) return
      cancel ??= later(() => void flush(false), Math.max(restMs, sentAt + betweenMs - now()))
    },
    flush,
    stop: () => cancel?.(),
  }
}
