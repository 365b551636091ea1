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

/** It is a map that drops the entry used longest ago once it is full. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #sizeMax: number
  /** The entry used last need not be moved. */
  #newest: string | undefined

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined || key === this.#newest) return value
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    return value
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    if (this.#entries.size <= this.#sizeMax) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string): void {
    this.#entries.delete(key)
    if (key === this.#newest) this.#newest = undefined
  }

  values(): IterableIterator<Value> {
    return this.#entries.values()
  }

  clear(): void {
    this.#entries.clear()
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
