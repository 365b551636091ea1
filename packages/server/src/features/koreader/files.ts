import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError, full, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../tasks/queue.ts'
import { lockUser } from '../../database/lock-user.ts'
import { deleteFiles, type FileRow, saveFile, selectFile, selectFiles } from './queries.ts'
import { takeInKoreader } from './tasks.ts'

export interface KoreaderFile {
  /** The path has no slashes at its ends; an empty path is the folder of all. */
  readonly path: string
  readonly isFolder: boolean
  readonly size: number
  readonly etag: string
  readonly modifiedAt: string
}

const filesMax = 40
const bytesMax = 48 * 1024 * 1024
const depthMax = 4
/** KOReader gives its statistics this name, in whatever folder. */
const isStatistics = (path: string): boolean => /(^|\/)statistics\.sqlite3$/.test(path)

/** Folders end in a slash where they are kept. */
const toFile = ({ path, size, etag, modified_at }: Omit<FileRow, 'bytes'>): KoreaderFile => ({
  path: path.replace(/\/$/, ''),
  isFolder: path.endsWith('/'),
  size,
  etag,
  modifiedAt: modified_at,
})

const cleanPath = (path: string): string => {
  const steps = path.split('/').filter((step) => step !== '')
  const isBad = steps.some((step) => step === '.' || step === '..' || /[\p{Cc}\\]/u.test(step))
  if (isBad || steps.length === 0 || steps.length > depthMax)
    throw invalid('path', 'The path is not one of a file here.')
  return steps.join('/')
}

/** It lists what stands at a path and, of a folder, its direct content. */
export const listFolder = async (db: ReadDb, userId: string, given: string): Promise<readonly KoreaderFile[]> => {
  const path = given === '' ? '' : cleanPath(given)
  const files = (await selectFiles(db, userId)).map(toFile)
  const root: KoreaderFile = { path: '', isFolder: true, size: 0, etag: 'root', modifiedAt: newest(files) }
  const own = path === '' ? root : files.find((each) => each.path === path)
  if (!own) throw notFound('file')
  if (!own.isFolder) return [own]
  const prefix = path === '' ? '' : `${path}/`
  const inside = files.filter((each) => each.path.startsWith(prefix) && !each.path.slice(prefix.length).includes('/'))
  return [own, ...inside.filter((each) => each !== own)]
}

const newest = (files: readonly KoreaderFile[]): string =>
  files.reduce((latest, { modifiedAt }) => (modifiedAt > latest ? modifiedAt : latest), '2026-01-01T00:00:00.000Z')

export const readFile = async (db: ReadDb, userId: string, path: string): Promise<FileRow> => {
  const file = await selectFile(db, userId, cleanPath(path))
  if (!file) throw notFound('file')
  return file
}

export const makeFolder = (db: Database, userId: string, given: string, now: Date): Promise<undefined> => {
  const path = `${cleanPath(given)}/`
  return db.write(async (db) => {
    await lockUser(db, userId)
    const files = await roomFor(db, userId, path, 0)
    if (files.some((each) => each.path === path || `${each.path}/` === path))
      throw new AppError('already_exists', 'There is something of that name already.')
    await saveFile(db, rowOf(userId, { path, bytes: Buffer.alloc(0), now }))
    return undefined
  })
}

interface Saving {
  readonly path: string
  readonly bytes: Buffer
  /** It refuses when the file has changed since it was read. */
  readonly requireKnown: (etag: string | undefined) => void
  readonly now: Date
}

/** Statistics are read by the worker as soon as they have come. */
export const keepFile = (
  db: Database,
  userId: string,
  { path: given, bytes, requireKnown, now }: Saving,
): Promise<{ readonly etag: string; readonly isNew: boolean }> => {
  const path = cleanPath(given)
  return db.write(async (db) => {
    await lockUser(db, userId)
    const files = await roomFor(db, userId, path, bytes.length)
    if (files.some((each) => each.path === `${path}/`)) throw new AppError('conflict', 'This is a folder.')
    const file = files.find((each) => each.path === path)
    requireKnown(file?.etag)
    const row = rowOf(userId, { path, bytes, now })
    await saveFile(db, row)
    if (isStatistics(path)) await enqueue(db, takeInKoreader, { userId, path }, { now })
    return { etag: row.etag, isNew: file === undefined }
  })
}

const rowOf = (
  userId: string,
  { path, bytes, now }: { readonly path: string; readonly bytes: Buffer; readonly now: Date },
): FileRow => ({
  user_id: userId,
  path,
  bytes,
  size: bytes.length,
  etag: newId(now.getTime()),
  modified_at: now.toISOString(),
})

/** It measures what is stored already. */
const roomFor = async (db: WriteDb, userId: string, path: string, size: number) => {
  const files = await selectFiles(db, userId)
  const others = files.filter((each) => each.path !== path)
  const folder = path.replace(/[^/]*\/?$/, '')
  if (folder !== '' && !files.some((each) => each.path === folder))
    throw new AppError('conflict', 'There is no such folder. Make it first.')
  const sum = others.reduce((bytes, each) => bytes + each.size, size)
  if (others.length >= filesMax || sum > bytesMax)
    throw full(filesMax, `There is room for ${filesMax} files of 48 MiB together. Remove some first.`)
  return files
}

export const removeFile = (db: Database, userId: string, given: string): Promise<undefined> => {
  const path = cleanPath(given)
  return db.write(async (db) => {
    await lockUser(db, userId)
    const files = await selectFiles(db, userId)
    const gone = files.map((each) => each.path).filter((each) => each === path || each.startsWith(`${path}/`))
    if (gone.length === 0) throw notFound('file')
    await deleteFiles(db, userId, gone)
    return undefined
  })
}
