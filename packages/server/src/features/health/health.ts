import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readiness, ServerProblem } from '@carrel/api'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Degradation } from '../../database/degraded.ts'
import { latestVersion, schemaVersion } from '../../database/migrate.ts'
import { withDeadline } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { newestBackup } from '../backups/backups.ts'

const checkMs = 3000

type Check = Readiness['checks'][string]

/** It tries what the server needs for its work, each within a deadline. */
export const checkReadiness = async (
  { db, config, log, worker }: Pick<Context, 'db' | 'config' | 'log' | 'worker'>,
  stopping: boolean,
): Promise<Readiness> => {
  const degradations = new Map(db.degraded.list().map((each) => [each.reason, each]))
  const isDamaged = degradations.get('database_damaged')
  const isFull = degradations.get('disk_full')
  const [database, storage, migration] = await Promise.all([
    isDamaged ? failed('database_damaged', inShort(isDamaged)) : check(log, () => probeWrite(db)),
    isFull
      ? failed('disk_full', inShort(isFull))
      : check(log, () => access(config.dataDir, constants.R_OK | constants.W_OK)),
    check(log, async () => {
      const version = await schemaVersion(db)
      // A newer node has come beside this one and only added to it: this one goes on until it is replaced.
      if (version < latestVersion) throw new Error(`The schema is at version ${version} instead of ${latestVersion}`)
    }),
  ])
  const checks = {
    database,
    storage,
    migration,
    ...(worker && { worker: checkWorker(worker()) }),
    ...(stopping && { process: failed('stopping', 'The server is stopping.') }),
  }
  const isReady = Object.values(checks).every(({ status }) => status === 'ok')
  return { status: isReady ? 'ok' : 'not_ready', checks }
}

export const probeWrite = (db: Context['db']): Promise<unknown> =>
  db.write((db) => sql`update revision set value = value`.execute(db))

const failed = (code: NonNullable<Check['code']>, message: string): Check => ({ status: 'failed', code, message })

/** Anybody may read this: the name of a file, and not where it is. */
const inShort = ({ reason, path, since }: Degradation): string =>
  reason === 'database_damaged'
    ? `The database ${basename(path)} is damaged since ${since}: nothing is changed until a backup is put in its place (carrel restore).`
    : `The disk is full since ${since}: reading goes on; free some space.`

const checkWorker = ({ isRunning, silentSince }: ReturnType<NonNullable<Context['worker']>>): Check => {
  if (!isRunning) return failed('worker_ended', 'The worker has ended and is being started again.')
  if (silentSince) return failed('worker_silent', `The worker is silent since ${silentSince.toISOString()}.`)
  return { status: 'ok' }
}

const check = async (log: Log, attempt: () => Promise<unknown>): Promise<Check> => {
  try {
    await withDeadline(attempt(), checkMs, 'No answer within three seconds.')
    return { status: 'ok' }
  } catch (error) {
    log.warn({ err: error }, 'A readiness check failed')
    // Anybody may read this: only that it failed, never what the driver says.
    return failed(
      'broken',
      error instanceof Error && error.name === 'AppError' ? error.message : 'It does not work; the log says more.',
    )
  }
}

/** The same for administrators: with paths, and with the way out. */
export const readProblems = async ({
  db,
  config,
}: Pick<Context, 'db' | 'config'>): Promise<{ problems: ServerProblem[] }> => {
  const degradations = db.degraded.list()
  const backup = degradations.length === 0 ? undefined : await newestBackup(config.dataDir)
  return {
    problems: degradations.map(({ reason, ...rest }) => ({
      ...rest,
      code: reason,
      message: inFull({ reason, ...rest }, backup),
      backup: reason === 'database_damaged' ? (backup ?? null) : null,
    })),
  }
}

const inFull = ({ reason, path }: Degradation, backup: string | undefined): string => {
  if (reason === 'disk_full')
    return `The disk of ${path} is full. Reading goes on; free some space, and everything else does too.`
  const way = backup === undefined ? 'carrel restore FILE' : `carrel restore ${backup}`
  return `The database ${path} is damaged: nothing is changed in it any more, and what can still be read is read. Stop Carrel and put a backup in its place: ${way}`
}
