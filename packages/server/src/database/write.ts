import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { WriteDb } from './db.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { Schema } from './schema.ts'

const triesMax = 8

/**
 * The one way to change something: a transaction, repeated as a whole while the database says to try again. `onEnd` hears
 * of every end, good or bad: what this process kept in memory may have changed.
 */
export const writer = (kysely: Kysely<Schema>, dialect: Dialect, onEnd: () => void) => {
  const open = new AsyncLocalStorage<true>()

  return async <Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result> => {
    if (open.getStore())
      throw new Error('A write inside a write would wait for itself: pass the open transaction on instead')
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await open.run(true, () => kysely.transaction().execute(work)).finally(onEnd)
      } catch (error) {
        if (attempt >= triesMax || !dialect.shouldTryAgain(error)) throw dialect.explain(error)
        await delay(Math.random() * 10 * 2 ** attempt)
      }
    }
  }
}
