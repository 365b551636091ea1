import { open, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Config } from '../../config.ts'
import type { ReadDb } from '../../database/database.ts'
import { usedBefore } from '../../database/belonging.ts'
import { damageMarkOf } from '../../database/degraded.ts'
import { checkApart } from '../../database/dialects/sqlite/check-apart.ts'
import { isSqliteFile } from '../../database/dialects/sqlite/sqlite-file.ts'
import { isBeforeBaseline, latestVersion, remedyForOlder, schemaVersion, takesOver } from '../../database/migrate.ts'
import { openForReading } from '../../database/open.ts'
import { withDeadline } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { newestBackup } from '../backups/backups.ts'
import { selectNewestTimes, selectRoots } from './queries.ts'
import { failed, type Finding, formatBytes, ok, warning } from './finding.ts'

const check = 'database'
const answersWithinMs = 10_000
const checksWithinMs = 5 * 60 * 1000
const walLargeBytes = 1024 * 1024 * 1024

type SqliteFile = Extract<Config['database'], { kind: 'sqlite' }>

export interface DatabaseExamination {
  readonly findings: readonly Finding[]
  /** `read` has read this from it; undefined where that failed. */
  readonly rows?: Awaited<ReturnType<typeof readRows>>
  /** Undefined where it could not be read. */
  readonly version?: number
  /** How large the database is. */
  readonly bytes?: number
}

/** It only reads, so that it can run beside a server and on a database that is broken. */
export const examineDatabase = async (config: Config, log: Log): Promise<DatabaseExamination> => {
  const { database } = config
  const atFile = database.kind === 'sqlite' ? await examineFile(config, database) : []
  if (atFile.some(({ status }) => status === 'failed') || atFile.some(({ check }) => check === 'no database'))
    return { findings: atFile }
  try {
    return await withDeadline(examineContent(config, atFile, log), answersWithinMs, 'no answer within ten seconds')
  } catch (error) {
    return { findings: [...atFile, cannotBeRead(config, error as Error)] }
  }
}

const examineContent = async (config: Config, before: readonly Finding[], log: Log): Promise<DatabaseExamination> => {
  const opened = await openForReading(config.database, log)
  try {
    const version = await schemaVersion(opened)
    const foreign = version === 0 ? await opened.dialect.foreignTable(opened.read) : undefined
    const bytes = await opened.dialect.size(opened.read)
    const answers =
      config.database.kind === 'postgres' ? [ok(check, `PostgreSQL answers (${formatBytes(bytes)}).`)] : []
    const findings = [...before, ...answers, foreign === undefined ? aboutVersion(version) : aboutForeign(foreign)]
    return {
      findings,
      version,
      bytes,
      ...(version === latestVersion && { rows: await readRows(opened.read) }),
    }
  } finally {
    await opened.close()
  }
}

const readRows = async (db: ReadDb) => {
  return { roots: await selectRoots(db), newestTimes: await selectNewestTimes(db) }
}

const aboutForeign = (table: string): Finding =>
  failed(
    'schema',
    `The database has a table "${table}" of another program, and none of Carrel's.`,
    "Name a database of Carrel's own: CARREL_DATABASE_URL.",
  )

const aboutVersion = (version: number): Finding => {
  if (version === 0) return warning('schema', 'The database has no tables yet.', 'The first start makes them.')
  if (version > latestVersion)
    return failed(
      'schema',
      `The database is of a newer Carrel (version ${version}; this one knows ${latestVersion}).`,
      'Start the newer program, or restore a backup of this one.',
    )
  if (isBeforeBaseline(version))
    return failed('schema', `The database has schema version ${version}, ${takesOver}.`, `${remedyForOlder}.`)
  if (version < latestVersion)
    return warning(
      'schema',
      `The database is of an older Carrel (version ${version} of ${latestVersion}).`,
      'The next start brings it up to date and keeps a copy first.',
    )
  return ok('schema', `The database is at version ${version}, as this program needs it.`)
}

const cannotBeRead = ({ database }: Config, { message }: Error): Finding =>
  database.kind === 'postgres'
    ? failed(
        check,
        `PostgreSQL cannot be used (${message}).`,
        'See whether it runs and is set up for Carrel, and whether CARREL_DATABASE_URL is right.',
      )
    : failed(
        check,
        `${database.file} cannot be read (${message}).`,
        'If a server is running on a full disk it keeps the file to itself: free some space. Else see who may read it.',
      )

const examineFile = async (config: Config, { file }: SqliteFile): Promise<Finding[]> => {
  const backup = await newestBackup(config.dataDir)
  const restore = `Stop Carrel and put a backup in its place: carrel restore ${backup ?? 'FILE'}`
  const stats = await stat(file).catch(() => undefined)
  if (!stats) return [await aboutMissing(config, file, restore)]
  if (stats.isDirectory())
    return [failed(check, `${file} is a folder.`, 'Remove it, or name a file in CARREL_DATABASE_URL.')]
  if (stats.size === 0) return [failed(check, `${file} is empty: what was in it is gone.`, restore)]
  const readable = await open(file, 'r').then(
    (handle) => handle.close().then(() => true),
    () => false,
  )
  if (!readable)
    return [
      failed(
        check,
        `${file} may not be read by this account on ${hostname()}.`,
        'Run the examination as the account of Carrel.',
      ),
    ]
  if (!(await isSqliteFile(file))) return [failed(check, `${file} is no database.`, restore)]
  const verdict = await checkApart(file, { limitMs: checksWithinMs })
  if (verdict.kind === 'damaged') return [failed(check, `${file} is damaged (${verdict.detail}).`, restore)]
  const marked = await stat(damageMarkOf(file)).catch(() => undefined)
  const findings = [await aboutLog(file)].filter((each) => each !== undefined)
  if (verdict.kind === 'unknown')
    return [
      ...findings,
      warning(check, `${file} could not be looked through: ${verdict.detail}`, 'Try again when there is less to do.'),
    ]
  if (marked)
    return [
      ...findings,
      warning(
        check,
        `${file} is marked as damaged, but is sound now.`,
        'Start Carrel again: it looks for itself and takes the mark away.',
      ),
    ]
  return [...findings, ok(check, `${file} (${formatBytes(stats.size)}) is sound.`)]
}

const aboutMissing = async ({ dataDir }: Config, file: string, restore: string): Promise<Finding> => {
  const traces = await usedBefore(dataDir)
  return traces.length === 0
    ? warning(
        'no database',
        `There is no database ${file} yet.`,
        'The first start makes it. If there should be one, CARREL_DATA_DIR is wrong.',
      )
    : failed(check, `${file} is missing, but ${dataDir} has been in use (${traces.join(', ')}).`, restore)
}

const aboutLog = async (file: string): Promise<Finding | undefined> => {
  const size = (await stat(`${file}-wal`).catch(() => undefined))?.size ?? 0
  return size < walLargeBytes
    ? undefined
    : warning(
        'write-ahead log',
        `${file}-wal has grown to ${formatBytes(size)}.`,
        'Something holds the database open for long: restart Carrel, and see what else opens the file.',
      )
}
