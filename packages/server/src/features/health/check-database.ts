import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { checkApart } from '../../database/dialects/sqlite/check-apart.ts'
import type { Verdict } from '../../database/dialects/sqlite/checker/verdict.ts'
import { defineTask } from '../../tasks/define-task.ts'

const minute = 60 * 1000
/** Nobody waits for the check at a start; but a large file is not read again at every start. */
const atStartMs = 5 * minute
const atNightMs = 4 * 60 * minute
/** The first answers go before it, and the start of the worker. */
const beginsAfterMs = 1000

interface Checked extends Pick<Context, 'log'> {
  readonly config: Pick<Context['config'], 'database'>
  readonly db: Pick<Context['db'], 'degraded'>
}

/**
 * It reads all pages of the database, and reports to everybody what it finds. A server that was told of damage trusts
 * the database again only then.
 */
export const checkFile = async (
  { config, db, log }: Checked,
  options: { readonly limitMs: number; readonly signal?: AbortSignal },
): Promise<Verdict> => {
  if (config.database.kind !== 'sqlite') return { kind: 'unknown', detail: 'PostgreSQL looks after itself.' }
  const { file } = config.database
  const wasKnown = db.degraded.has('database_damaged')
  const verdict = await checkApart(file, options)
  // Damage that somebody met during the check may lie in pages that the check had read before.
  if (verdict.kind === 'sound' && wasKnown) db.degraded.end('database_damaged')
  if (verdict.kind === 'damaged') db.degraded.report({ reason: 'database_damaged', path: file, detail: verdict.detail })
  if (verdict.kind === 'unknown' && options.signal?.aborted !== true)
    log.warn({ detail: verdict.detail }, 'The database could not be checked')
  return verdict
}

/** The check runs beside the server, which answers meanwhile. It returns a function that stops the check. */
export const checkAtStart = (context: Pick<Context, 'config' | 'log' | 'db'>): (() => Promise<void>) => {
  if (context.config.database.kind !== 'sqlite' || context.db.isFrozen) return async () => undefined
  const stopping = new AbortController()
  const isMarked = context.db.degraded.has('database_damaged')
  const { signal } = stopping
  const check = async (): Promise<void> => {
    await delay(beginsAfterMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await checkFile(context, { limitMs: isMarked ? atNightMs : atStartMs, signal })
  }
  const checked = check().catch((err: unknown) => context.log.warn({ err }, 'The database could not be checked'))
  return async () => {
    stopping.abort()
    await checked
  }
}

/** Each night: a damaged page that nobody asks for would be found when the backups are as old as it. */
export const checkDatabase = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'check_database',
  priority: 20,
  endsWithinMs: atNightMs + minute,
  key: () => 'all',
  startable: { byHand: true },
  run: async (_, { db, signal, log }, { config }: Pick<Context, 'config'>) => ({
    result: await checkFile({ config, db, log }, { limitMs: atNightMs, signal }),
  }),
})
