import { constants } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImportUpload, uploadBytesMax } from '@carrel/api'
import type { Context } from '../../context.ts'
import { AppError, full, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import {
  deleteUpload,
  insertUpload,
  lockUpload,
  selectUpload,
  selectUploadIds,
  sumOfUploads,
  touchUpload,
  type UploadRow,
} from './queries.ts'

type UploadContext = Pick<Context, 'db' | 'config' | 'clock'>

/** All of them together are no larger than one may be. */
const uploadsBytesMax = uploadBytesMax
const uploadsMax = 50

export const uploadFolder = (dataDir: string): string => join(dataDir, 'imports')

export const pathOfUpload = (dataDir: string, id: string): string => join(uploadFolder(dataDir), `${id}.upload`)

export const startUpload = async (
  { db, config, clock }: UploadContext,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<ImportUpload> => {
  const now = clock()
  const at = now.toISOString()
  await mkdir(uploadFolder(config.dataDir), { recursive: true, mode: 0o700 })
  return db.write(async (db) => {
    if ((await selectUploadIds(db)).length >= uploadsMax)
      throw full(uploadsMax, `There are ${uploadsMax} uploads already. Remove one first.`)
    if ((await sumOfUploads(db)) + size > uploadsBytesMax)
      throw new AppError('conflict', 'All uploads together may have 8 GiB. Remove one first.')
    const row = { id: newId(now.getTime()), name, size, created_at: at, changed_at: at }
    await insertUpload(db, row)
    return toUpload(row, 0)
  })
}

export const readUpload = async ({ db, config }: UploadContext, id: string): Promise<ImportUpload> =>
  shownUpload(config.dataDir, await selectUpload(db.read, id))

/** What is here is known by the file alone: a part that was not written to its end is sent again from there. */
export const continueUpload = async (
  { db, config, clock }: UploadContext,
  id: string,
  { offset, bytes }: { readonly offset: number; readonly bytes: Uint8Array },
): Promise<ImportUpload> => {
  const row = await selectUpload(db.read, id)
  if (!row) throw notFound('upload')
  const path = pathOfUpload(config.dataDir, id)
  const received = await sizeOf(path)
  if (offset !== received)
    throw new AppError('conflict', `${received} bytes are here: send what follows them.`, { reason: 'form_wrong' })
  if (received + bytes.byteLength > row.size)
    throw new AppError('conflict', `This is more than the ${row.size} bytes it was to have.`, { reason: 'form_wrong' })
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
  try {
    // Where it belongs, and not behind what is there: the same part may come twice at once.
    for (let written = 0; written < bytes.byteLength;)
      written += (await file.write(bytes, written, bytes.byteLength - written, offset + written)).bytesWritten
    await file.sync()
  } finally {
    await file.close()
  }
  await db.write((db) => touchUpload(db, id, clock().toISOString()))
  return toUpload(row, received + bytes.byteLength)
}

export const removeUpload = async ({ db, config }: UploadContext, id: string): Promise<undefined> => {
  const isGone = await db.write(async (db) => (await lockUpload(db, id)) !== undefined && deleteUpload(db, id))
  if (!isGone) throw notFound('upload')
  await rm(pathOfUpload(config.dataDir, id), { force: true })
  return undefined
}

const shownUpload = async (dataDir: string, row: UploadRow | undefined): Promise<ImportUpload> => {
  if (!row) throw notFound('upload')
  return toUpload(row, await sizeOf(pathOfUpload(dataDir, row.id)))
}

export const isWhole = async (dataDir: string, { id, size }: UploadRow): Promise<boolean> =>
  (await sizeOf(pathOfUpload(dataDir, id))) === size

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

const toUpload = ({ id, name, size, created_at }: UploadRow, received: number): ImportUpload => ({
  id,
  name,
  size,
  received,
  createdAt: created_at,
})
