import { AppError } from './errors.ts'

/** It runs at most `inFlightMax` calls at once and lets `waitingMax` wait; any further caller is told to come back. */
export const limitConcurrency = ({
  inFlightMax,
  waitingMax,
  busy,
}: {
  inFlightMax: number
  waitingMax: number
  busy: string
}) => {
  let inFlight = 0
  const waiting: (() => void)[] = []

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inFlight >= inFlightMax) {
      if (waiting.length >= waitingMax) throw new AppError('unavailable', busy, { retryAfterSeconds: 1 })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      inFlight += 1
    }
    try {
      return await work()
    } finally {
      // The place is handed on, not given up and taken again: nobody who comes later can slip in between.
      const next = waiting.shift()
      if (next) next()
      else inFlight -= 1
    }
  }
}

/** It fails when `work` takes longer than it may; what it waits for goes on without us. */
export const withDeadline = async <Result>(
  work: Promise<Result>,
  milliseconds: number,
  message: string,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('unavailable', message, { retryAfterSeconds: 5 })), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
