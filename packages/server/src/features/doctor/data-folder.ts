import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { emptyBelowBytes, roomOn } from '../../platform/files/disk-reserve.ts'
import { isOnAnotherMachine } from '../../platform/files/remote.ts'
import { withDeadline } from '../../platform/limits.ts'
import { failed, type Finding, formatBytes, ok, warning } from './finding.ts'

const answersWithinMs = 5000
const check = 'data folder'
const lowBelowBytes = 512 * 1024 * 1024
/** A small disk counts as nearly full from here on. */
const lowShare = 0.05

export const examineDataFolder = async (config: Config): Promise<Finding[]> => {
  const { dataDir } = config
  const stats = await withDeadline(stat(dataDir), answersWithinMs, 'no answer').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : error,
  )
  if (stats === undefined)
    return [
      warning(
        check,
        `${dataDir} is not there yet.`,
        'The first start makes it. If there should be one, CARREL_DATA_DIR is wrong.',
      ),
    ]
  if (stats instanceof Error)
    return [
      failed(check, `${dataDir} cannot be looked at (${stats.message}).`, 'See whether its disk is there and answers.'),
    ]
  if (!stats.isDirectory())
    return [failed(check, `${dataDir} is no folder.`, 'Remove it, or set CARREL_DATA_DIR to a folder.')]
  return [
    ...(await examineRights(dataDir, stats.uid)),
    ...(await examinePlace(config)),
    await examineSecrets(dataDir),
    await examineRoom(dataDir),
  ]
}

/** What readers and writers of SQLite tell each other goes through memory that only one machine can share. */
const examinePlace = async ({ database }: Config): Promise<Finding[]> => {
  if (database.kind !== 'sqlite') return []
  const looked = withDeadline(isOnAnotherMachine(dirname(database.file)), answersWithinMs, 'no answer')
  // One that does not answer is told of as a database that cannot be read.
  if (!(await looked.catch(() => false))) return []
  return [
    warning(
      check,
      `${database.file} lies on another machine: SQLite cannot rely on the locks of such a file system, and may be damaged by them.`,
      'Set CARREL_DATA_DIR to a folder on a disk of this machine, or use PostgreSQL: CARREL_DATABASE_URL. Books may lie elsewhere.',
    ),
  ]
}

const examineRights = async (dataDir: string, owner: number): Promise<Finding[]> => {
  const mine = process.getuid?.()
  const isWritable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return [
      failed(
        check,
        `${dataDir} cannot be written by this account${mine === undefined ? '' : ` (uid ${mine}; it belongs to uid ${owner})`}.`,
        `Give it to the account that Carrel runs as: chown -R ${mine ?? 'ACCOUNT'} ${dataDir}`,
      ),
    ]
  if (mine !== undefined && owner !== mine && mine !== 0)
    return [
      warning(
        check,
        `${dataDir} belongs to uid ${owner}, and this account is uid ${mine}.`,
        'Run Carrel always as the same account.',
      ),
    ]
  if (mine === 0 && owner !== 0)
    return [ok(check, `${dataDir} belongs to uid ${owner}; this examination runs as root.`)]
  return [ok(check, `${dataDir} is there and can be written.`)]
}

const examineSecrets = async (dataDir: string): Promise<Finding> => {
  const open: string[] = []
  for (const name of ['secret.key', 'setup-token', 'carrel.db']) {
    const stats = await stat(join(dataDir, name)).catch(() => undefined)
    if (stats && (stats.mode & 0o077) !== 0) open.push(join(dataDir, name))
  }
  if (open.length === 0) return ok('secrets', 'Nobody else can read what is secret.')
  const message = `Others can read ${open.join(', ')}.`
  const advice = `chmod 600 ${open.join(' ')}`
  // Carrel does not start with such a key.
  return open.some((path) => path.endsWith('secret.key'))
    ? failed('secrets', message, advice)
    : warning('secrets', message, advice)
}

const examineRoom = async (dataDir: string): Promise<Finding> => {
  const { free, total } = await roomOn(dataDir)
  const message = `${formatBytes(free)} of ${formatBytes(total)} are free on the disk of ${dataDir}.`
  const advice = 'Free some space on it.'
  if (free < emptyBelowBytes) return failed('free space', message, `${advice} Until then nothing can be saved.`)
  return free < Math.min(lowBelowBytes, total * lowShare)
    ? warning('free space', message, advice)
    : ok('free space', message)
}
