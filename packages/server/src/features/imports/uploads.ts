import { type ImportUpload, uploadBytesMax } from '@carrel/api'
import type { Context } from '../../context.ts'
import { AppError, full, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { StoreAway, type StoredAt } from '../../platform/objects/objects.ts'
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
import { uploadParts } from './upload-parts.ts'

type UploadContext = Pick<Context, 'db' | 'config' | 'clock'>

/** All of them together are no larger than one may be. */
const uploadsBytesMax = uploadBytesMax
const uploadsMax = 50

export const startUpload = async (
  { db, clock }: UploadContext,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<ImportUpload> => {
  const now = clock()
  const at = now.toISOString()
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
  shownUpload(config, await selectUpload(db.read, id))

export const continueUpload = async (
  { db, config, clock }: UploadContext,
  id: string,
  { offset, bytes }: { readonly offset: number; readonly bytes: Uint8Array },
): Promise<ImportUpload> => {
  const row = await selectUpload(db.read, id)
  if (!row) throw notFound('upload')
  const parts = uploadParts(config)
  const received = await parts.received(id)
  if (offset !== received)
    throw new AppError('conflict', `${received} bytes are here: send what follows them.`, { reason: 'form_wrong' })
  if (received + bytes.byteLength > row.size)
    throw new AppError('conflict', `This is more than the ${row.size} bytes it was to have.`, { reason: 'form_wrong' })
  await parts.add(id, offset, bytes)
  await db.write((db) => touchUpload(db, id, clock().toISOString()))
  return toUpload(row, received + bytes.byteLength)
}

export const removeUpload = async ({ db, config }: UploadContext, id: string): Promise<undefined> => {
  const isGone = await db.write(async (db) => (await lockUpload(db, id)) !== undefined && deleteUpload(db, id))
  if (!isGone) throw notFound('upload')
  await removeParts(config, id)
  return undefined
}

export const removeParts = async (storedAt: StoredAt, id: string): Promise<void> => {
  try {
    await uploadParts(storedAt).remove(id)
  } catch (error) {
    // They belong to no upload any more, and go with the next cleaning.
    if (!(error instanceof StoreAway)) throw error
  }
}

const shownUpload = async (storedAt: StoredAt, row: UploadRow | undefined): Promise<ImportUpload> => {
  if (!row) throw notFound('upload')
  return toUpload(row, await uploadParts(storedAt).received(row.id))
}

export const isWhole = async (storedAt: StoredAt, { id, size }: UploadRow): Promise<boolean> =>
  (await uploadParts(storedAt).received(id)) === size

const toUpload = ({ id, name, size, created_at }: UploadRow, received: number): ImportUpload => ({
  id,
  name,
  size,
  received,
  createdAt: created_at,
})
