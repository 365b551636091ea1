import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupDto, ListAnswer } from '@carrel/api'
import type { Database } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Download } from '../../platform/media.ts'
import type { Paging } from '../../platform/paging.ts'
import { enqueue, type Enqueued } from '../../tasks/queue.ts'
import { readHead } from './archive/archive-reader.ts'
import { backupFolder, isBackupName, isMigrationCopy, timeOfName } from './names.ts'
import { backUp } from './tasks.ts'

/** The newest first; the copies from before migrations are among them. */
export const listBackups = async (dataDir: string, { offset, limit }: Paging): Promise<ListAnswer<BackupDto>> => {
  const folder = backupFolder(dataDir)
  const fileNames = await readdir(folder).catch((): string[] => [])
  const names = fileNames.filter((name) => isBackupName(name) || isMigrationCopy(name))
  const ordered = names.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
  const data = await Promise.all(ordered.slice(offset, offset + limit).map((name) => describe(folder, name)))
  return { total: names.length, data }
}

/** The newest that can be put in the place of the database, as far as names say. */
export const newestBackup = async (dataDir: string): Promise<string | undefined> => {
  const folder = backupFolder(dataDir)
  const names = await readdir(folder).catch((): string[] => [])
  const [newest] = names
    .filter((name) => isBackupName(name) || isMigrationCopy(name))
    .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
  return newest === undefined ? undefined : join(folder, newest)
}

const timeOf = (name: string): string => timeOfName(name) ?? ''

const describe = async (folder: string, name: string): Promise<BackupDto> => {
  const path = join(folder, name)
  const size = (await stat(path).catch(() => undefined))?.size ?? 0
  const common = { name, size, createdAt: timeOf(name) }
  if (isDatabaseFile(name))
    return { ...common, verified: true, reason: 'migration', program: null, schemaVersion: versionOfName(name) }
  const head = await readHead(path).catch(() => undefined)
  if (!head) return { ...common, verified: false, reason: 'unknown', program: null, schemaVersion: null }
  const { reason, program, schemaVersion } = head.manifest
  return { ...common, verified: true, reason, program, schemaVersion }
}

const isDatabaseFile = (name: string): boolean => name.endsWith('.db')

const versionOfName = (name: string): number => Number(/from-(\d+)-/.exec(name)?.[1] ?? 0)

export const startBackup = (db: Database, now: Date): Promise<Enqueued> =>
  db.write((db) => enqueue(db, backUp, { byHand: true }, { now }))

/** Names that only we give: nothing else in the folder or beyond can be meant. */
const requireStored = async (dataDir: string, name: string): Promise<string> => {
  const path = join(backupFolder(dataDir), name)
  const isOurs = isBackupName(name) || isMigrationCopy(name)
  if (!isOurs || !(await stat(path).catch(() => undefined))?.isFile()) throw notFound('backup')
  return path
}

export const removeBackup = async (dataDir: string, name: string): Promise<undefined> => {
  await rm(await requireStored(dataDir, name), { force: true })
  return undefined
}

export const downloadBackup = async (dataDir: string, name: string): Promise<Download> => {
  const path = await requireStored(dataDir, name)
  const handle = await open(path, 'r')
  const { size, mtime, mtimeMs } = await handle.stat()
  return {
    etag: `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`,
    modifiedAt: mtime,
    mediaType: isDatabaseFile(name) ? 'application/vnd.sqlite3' : 'application/zip',
    fileName: name,
    size,
    open: (from, to) => createReadStream(path, { fd: handle, autoClose: false, start: from, end: to - 1 }),
    close: () => void handle.close(),
  }
}
