import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../platform/errors.ts'
import type { WriteDb } from './db.ts'

type Write = <Result>(work: (db: WriteDb) => Promise<Result>) => Promise<Result>

interface WaitingWrite {
  readonly work: (db: WriteDb) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** It is run as its caller would have run it. */
  readonly inContext: <Result>(run: () => Result) => Result
}

const waitingMax = 1000
/** Whoever waits behind them waits for all of them. */
const sharingMax = 6

/**
 * Writes that lock the same person's row run one after the other whoever begins them. In the database each would wait with a connection of
 * its own, until none was left for other people. Here they wait without one, and those that have waited run in one transaction together.
 */
export const writesOfOnePerson = (write: Write) => {
  const queues = new Map<string, PersonQueue>()
  return async <Result>(person: string, work: (db: WriteDb) => Promise<Result>): Promise<Result> => {
    const queue = queues.get(person)
    if (queue) {
      const waiting = [...queues.values()].reduce((sum, { length }) => sum + length(), 0)
      if (waiting >= waitingMax)
        throw new AppError('unavailable', 'Too many changes at once. Try again in a moment.', { retryAfterSeconds: 1 })
      const inContext = AsyncLocalStorage.snapshot()
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      // What comes back is what this very work has returned.
      queue.add({ work, resolve: (result) => resolve(result as Result), reject, inContext })
      return promise
    }
    const own = personQueue(write)
    queues.set(person, own)
    try {
      return await write(work)
    } catch (error) {
      own.refuseIfAway(error)
      throw error
    } finally {
      void own.run(() => queues.delete(person))
    }
  }
}

interface PersonQueue {
  length(): number
  add(waiting: WaitingWrite): void
  /** Without a database all would wait for as long as the first, one after the other. */
  refuseIfAway(error: unknown): void
  /** It runs all that wait, and those that come meanwhile; `end` is called in the moment in which none is left. */
  run(end: () => void): Promise<void>
}

const personQueue = (write: Write): PersonQueue => {
  const waiting: WaitingWrite[] = []
  const refuseIfAway = (error: unknown): void => {
    if (isAway(error)) for (const { reject } of waiting.splice(0)) reject(error)
  }
  const runAlone = async ({ work, resolve, reject, inContext }: WaitingWrite): Promise<void> => {
    try {
      resolve(await inContext(() => write(work)))
    } catch (error) {
      refuseIfAway(error)
      reject(error)
    }
  }
  const runTogether = async (writes: readonly [WaitingWrite, ...WaitingWrite[]]): Promise<void> => {
    let areDone = false
    const all = async (db: WriteDb): Promise<unknown[]> => {
      areDone = false
      const results: unknown[] = []
      for (const { work } of writes) results.push(await work(db))
      areDone = true
      return results
    }
    try {
      const results = await writes[0].inContext(() => write(all))
      for (const [index, { resolve }] of writes.entries()) resolve(results[index])
    } catch (error) {
      refuseIfAway(error)
      // One that is refused takes none along. Of a commit that failed nobody knows whether it was one: none is made again.
      if (areDone || isAway(error)) for (const { reject } of writes) reject(error)
      else for (const each of writes) await runAlone(each)
    }
  }

  return {
    length: () => waiting.length,
    add: (each) => void waiting.push(each),
    refuseIfAway,
    run: async (end) => {
      for (;;) {
        const [first, ...others] = waiting.splice(0, sharingMax)
        if (!first) return end()
        await (others.length === 0 ? runAlone(first) : runTogether([first, ...others]))
      }
    },
  }
}

const isAway = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable'
