import { Kysely } from 'kysely'
import { AppError } from '../../../platform/errors.ts'
import { raiseMarks } from '../../change-marks.ts'
import type { NamedWrite } from '../../named-write.ts'
import type { Schema } from '../../schema.ts'
import { enterTransaction } from '../../transaction.ts'
import type { Topic } from '../../wake-ups.ts'
import { nobodyYet, noteConcerned } from '../../whom-it-concerns.ts'
import type { SqliteConnection } from './connection.ts'
import type {
  NamedWriteCall,
  NamedWriteOptions,
  NamedWritesRunner,
  TracedStatement,
  WriteOutcome,
} from './named-write-messages.ts'
import { writeWithin } from './write-within.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

interface Held {
  readonly connection: () => SqliteConnection
  readonly begin: () => void
}

/**
 * It runs writes one after the other in one transaction, each in a part of its own that goes back when it fails, and
 * commits them together. Nothing but statements is awaited in them, so no other message is read meanwhile.
 */
export const openNamedWrites = async (
  { connection, begin }: Held,
  { modules, isTraced }: NamedWriteOptions,
): Promise<NamedWritesRunner> => {
  const { namedWrites } = (await import(modules)) as { namedWrites: readonly NamedWrite<unknown, unknown>[] }
  const byName = new Map(namedWrites.map((each) => [each.name, each]))
  const held = connection()
  let isAlone = true
  let statements: TracedStatement[] = []
  const kysely = new Kysely<Schema>({
    dialect: writeWithin(held, () => isAlone),
    ...(isTraced && {
      log: ({ query, queryDurationMillis }) => void statements.push({ sql: query.sql, ms: queryDurationMillis }),
    }),
  })

  const runOne = async ({ name, input }: NamedWriteCall): Promise<WriteOutcome> => {
    const named = byName.get(name)
    if (!named) throw new Error(`There is no write named ${name}`)
    let topics: ReadonlySet<Topic> = new Set()
    const concerned = nobodyYet()
    const result = await noteConcerned(concerned, () =>
      kysely.transaction().execute(async (db) => {
        topics = enterTransaction(db, sqliteDialect).topics
        const result = await named.work(db, input)
        await raiseMarks(db, concerned)
        return result
      }),
    )
    return { result, topics: [...topics] }
  }
  const outcomeOf = async (call: NamedWriteCall): Promise<WriteOutcome> => {
    statements = []
    const outcome = await runOne(call).catch(outcomeOfFailure)
    return isTraced ? { ...outcome, statements } : outcome
  }

  return async (calls) => {
    isAlone = calls.length === 1
    begin()
    const outcomes: WriteOutcome[] = []
    for (const call of calls) {
      const outcome = await outcomeOf(call)
      outcomes.push(outcome)
      // SQLite has ended the transaction by itself, and with it what was written before.
      if (!held.isInTransaction()) return calls.map(() => outcome)
    }
    const isKept = outcomes.some((outcome) => 'result' in outcome)
    try {
      held.run({ sql: isKept ? 'commit' : 'rollback', parameters: [] })
    } catch (error) {
      if (held.isInTransaction()) held.run({ sql: 'rollback', parameters: [] })
      return calls.map(() => outcomeOfFailure(error))
    }
    return outcomes
  }
}

const outcomeOfFailure = (error: unknown): WriteOutcome => {
  if (error instanceof AppError) {
    const { code, message, details, retryAfterSeconds, reason, values } = error
    return { refusal: { code, message, details, retryAfterSeconds, reason, values } }
  }
  const { message, stack, code = '' } = error as Error & { code?: string }
  return { failure: { message, code, stack } }
}
