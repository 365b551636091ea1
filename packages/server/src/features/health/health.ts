import { access, constants } from 'node:fs/promises'
import type { Readiness } from '@carrel/api'
import { sql } from 'kysely'
import { latestVersion, schemaVersion } from '../../database/migrate.ts'
import type { Context } from '../../context.ts'
import { withDeadline } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'

const checkMs = 3000

/** Tries what the server needs for its work, each within a deadline. */
export const checkReadiness = async (
  { db, config, log, isWorkerRunning }: Pick<Context, 'db' | 'config' | 'log' | 'isWorkerRunning'>,
  stopping: boolean,
): Promise<Readiness> => {
  const [database, storage, migration] = await Promise.all([
    check(log, () => db.write((db) => sql`update revision set value = value`.execute(db))),
    check(log, () => access(config.dataDir, constants.R_OK | constants.W_OK)),
    check(log, async () => {
      const version = await schemaVersion(db)
      if (version !== latestVersion) throw new Error(`The schema is at version ${version} instead of ${latestVersion}`)
    }),
  ])
  const checks = {
    database,
    storage,
    migration,
    ...(isWorkerRunning && { worker: isWorkerRunning() ? ok : workerAway }),
    ...(stopping && { process: { status: 'failed' as const, message: 'The server is stopping.' } }),
  }
  const isReady = Object.values(checks).every(({ status }) => status === 'ok')
  return { status: isReady ? 'ok' : 'not_ready', checks }
}

const ok = { status: 'ok' as const }
const workerAway = { status: 'failed' as const, message: 'The worker has ended and is being started again.' }

const check = async (log: Log, attempt: () => Promise<unknown>): Promise<Readiness['checks'][string]> => {
  try {
    await withDeadline(attempt(), checkMs, 'No answer within three seconds.')
    return { status: 'ok' }
  } catch (error) {
    log.warn({ err: error }, 'A readiness check failed')
    // Anybody may read this: only that it failed, never what the driver says.
    return {
      status: 'failed',
      message:
        error instanceof Error && error.name === 'AppError' ? error.message : 'It does not work; the log says more.',
    }
  }
}
