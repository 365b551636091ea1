import type { DeviceDto, ListAnswer } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../../database/database.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/paging.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { cleanDeviceText } from '../device.ts'
import {
  countDevices,
  deleteDevice,
  selectDevice,
  selectDevices,
  updateGivenName,
  updateMergedInto,
} from './queries.ts'

export const listDevices = async (db: ReadDb, userId: string, paging: Paging): Promise<ListAnswer<DeviceDto>> => {
  const total = await countDevices(db, userId)
  return { total, data: paging.offset < total ? await selectDevices(db, userId, paging) : [] }
}

const requireDevice = async (db: ReadDb, userId: string, id: string): Promise<DeviceDto> => {
  const device = await selectDevice(db, userId, id)
  if (!device) throw notFound('device')
  return device
}

export const nameDevice = (db: Database, userId: string, id: string, name: string | null): Promise<DeviceDto> =>
  db.write(async (db) => {
    await lockUser(db, userId)
    await requireDevice(db, userId, id)
    await updateGivenName(db, userId, id, name === null ? null : cleanDeviceText(name, '/name') || null)
    return requireDevice(db, userId, id)
  })

/** Entries in the log keep the device they came from; new ones from this device count for the other. */
export const mergeDevices = (db: Database, userId: string, id: string, into: string): Promise<DeviceDto> =>
  db.write(async (db) => {
    await lockUser(db, userId)
    await requireDevice(db, userId, id)
    if (id === into) throw invalid('/into', 'A device cannot be merged into itself.')
    await requireDevice(db, userId, into)
    await updateMergedInto(db, userId, id, into)
    return requireDevice(db, userId, into)
  })

/** It returns the ids it was known by. */
export const dropDevice = async (db: WriteDb, userId: string, id: string): Promise<readonly string[]> => {
  await lockUser(db, userId)
  return deleteDevice(db, userId, id)
}
