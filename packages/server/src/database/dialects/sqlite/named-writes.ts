import { CompiledQuery, type LogEvent } from 'kysely'
import { AppError } from '../../../platform/errors.ts'
import type { NamedWrite } from '../../named-write.ts'
import type { Committed } from '../../write.ts'
import type { WriteOutcome } from './named-write-messages.ts'
import { SqliteFailure } from './thread.ts'
import type { WriteQueue } from './write-queue.ts'

/** It lets the thread run a named write; what went wrong there is thrown here as it was there. */
export const namedWrites =
  (queue: WriteQueue, log: (event: LogEvent) => void) =>
  async <Input, Result>({ name }: NamedWrite<Input, Result>, input: Input): Promise<Committed<Result>> => {
    const outcome = await queue.run({ name, input })
    for (const { sql, ms } of outcome.statements ?? [])
      log({ level: 'query', query: CompiledQuery.raw(sql), queryDurationMillis: ms })
    if (!('result' in outcome)) throw errorOf(outcome)
    // The thread has run the work of this very write.
    return { result: outcome.result as Result, topics: outcome.topics }
  }

const errorOf = (outcome: Exclude<WriteOutcome, { readonly result: unknown }>): Error => {
  if ('refusal' in outcome) {
    const { code, message, details, retryAfterSeconds, reason, values } = outcome.refusal
    return new AppError(code, message, {
      ...(details && { details }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(reason && { reason }),
      ...(values && { values }),
    })
  }
  const { message, code, stack } = outcome.failure
  const error = code === '' ? new Error(message) : new SqliteFailure({ message, code })
  if (stack !== undefined) error.stack = stack
  return error
}
