import type { CompiledQuery, LogEvent } from 'kysely'
import type { Log } from '../platform/log.ts'

interface SlowStatementOptions {
  readonly log: Log
  /** It is more than nothing. */
  readonly slowMs: number
  /** It asks the database how it would run the statement, and does not run it. */
  readonly planOf: (query: CompiledQuery) => Promise<readonly string[]>
  readonly now?: () => number
}

const minuteMs = 60_000
const perMinuteMax = 10
const textLengthMax = 4000
const planLinesMax = 60

/**
 * It logs statements that take long, without their parameters, for those may be secrets. A minute has room for a few, each text
 * once: what makes statements slow must not be made worse by what is asked about them.
 */
export const slowStatements = ({ log, slowMs, planOf, now = Date.now }: SlowStatementOptions) => {
  const told = new Set<string>()
  let since = 0
  let leftOut = 0

  const mayTell = (text: string): boolean => {
    if (now() - since >= minuteMs) {
      since = now()
      told.clear()
    }
    if (told.has(text) || told.size >= perMinuteMax) return false
    told.add(text)
    return true
  }
  const tell = async ({ query, queryDurationMillis }: LogEvent, leftOut: number): Promise<void> => {
    // Some statements have none, such as those that begin a transaction; the database may be away by now.
    const plan = await planOf(query).catch(() => [])
    log.warn(
      {
        sql: query.sql.slice(0, textLengthMax),
        ms: Math.round(queryDurationMillis),
        plan: plan.slice(0, planLinesMax),
        ...(leftOut > 0 && { leftOut }),
      },
      'Slow statement',
    )
  }

  return (event: LogEvent): void => {
    if (event.level !== 'query' || event.queryDurationMillis < slowMs) return
    if (!mayTell(event.query.sql)) {
      leftOut += 1
      return
    }
    void tell(event, leftOut)
    leftOut = 0
  }
}
