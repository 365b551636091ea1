import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { raiseMarks } from './change-marks.ts'
import type { WriteDb } from './db.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { NamedWrite } from './named-write.ts'
import type { Schema } from './schema.ts'
import { enterTransaction } from './transaction.ts'
import type { Topic } from './wake-ups.ts'
import { nobodyYet, noteConcerned } from './whom-it-concerns.ts'
import { writesOfOnePerson } from './writes-of-one-person.ts'

const triesMax = 8

interface WriterOptions {
  readonly dialect: Dialect
  /** No more tries begin after so long. */
  readonly tryForMs?: number
  /**
   * It hears of every end: what this process kept in memory may have changed. After a good one the wake-ups say what has;
   * of one that failed nobody knows whether it was committed all the same.
   */
  readonly onEnd: (isSure: boolean) => void
  readonly wake: (topic: Topic) => void
  /** It returns why nothing may be changed at present, if so. */
  readonly refusal?: () => Error | undefined
  /** Hears of every error that ended a transaction, as the driver said it. True: by now it may work. */
  readonly onFailure?: (error: unknown) => boolean
  /** It runs a named write by its name, where the connection can. */
  readonly runNamed?: <Input, Result>(write: NamedWrite<Input, Result>, input: Input) => Promise<Committed<Result>>
}

export interface Committed<Result> {
  readonly result: Result
  readonly topics: Iterable<Topic>
}

interface Writer {
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  writeNamed<Input, Result>(write: NamedWrite<Input, Result>, input: Input): Promise<Result>
}

/** The one way to change something: a transaction, repeated as a whole while the database says to try again. */
export const writer = (
  kysely: Kysely<Schema>,
  { dialect, tryForMs = Infinity, onEnd, wake, refusal, onFailure, runNamed }: WriterOptions,
): Writer => {
  const open = new AsyncLocalStorage<true>()

  const attempt = async <Result>(work: (db: WriteDb) => Promise<Result>): Promise<Committed<Result>> => {
    let topics: ReadonlySet<Topic> = new Set()
    const concerned = nobodyYet()
    const result = await noteConcerned(concerned, () =>
      kysely.transaction().execute(async (db) => {
        topics = enterTransaction(db, dialect).topics
        const result = await work(db)
        await raiseMarks(db, concerned)
        return result
      }),
    )
    return { result, topics }
  }

  const inTries = async <Result>(run: () => Promise<Committed<Result>>): Promise<Result> => {
    if (open.getStore())
      throw new Error('A write inside a write would wait for itself: pass the open transaction on instead')
    const startedAt = performance.now()
    for (let tries = 1; ; tries += 1) {
      const refused = refusal?.()
      if (refused) throw refused
      try {
        const { result, topics } = await run()
        onEnd(true)
        for (const topic of topics) wake(topic)
        return result
      } catch (error) {
        onEnd(false)
        const mayWorkNow = onFailure?.(error) || dialect.shouldTryAgain(error)
        const isLast = tries >= triesMax || performance.now() - startedAt > tryForMs
        if (isLast || !mayWorkNow) throw dialect.explain(error)
        await delay(Math.random() * 10 * 2 ** tries)
      }
    }
  }

  const write: Writer['write'] = (work) => inTries(() => open.run(true, () => attempt(work)))
  const writeOfPerson = writesOfOnePerson(write)
  const writeNamed: Writer['writeNamed'] = (named, input) => {
    if (runNamed) return inTries(() => runNamed(named, input))
    const work = (db: WriteDb) => named.work(db, input)
    const person = named.lockedUser?.(input)
    return person === undefined || open.getStore() ? write(work) : writeOfPerson(person, work)
  }
  return { write, writeNamed }
}
