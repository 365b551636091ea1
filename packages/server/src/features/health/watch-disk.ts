import { dirname } from 'node:path'
import type { Context } from '../../context.ts'
import { emptyBelowBytes, openDiskReserve, roomOn } from '../../platform/files/disk-reserve.ts'
import { cannotBeSaved } from '../../platform/errors.ts'
import { repeat } from '../../platform/repeat.ts'
import { probeWrite } from './health.ts'

const checkEveryMs = 5000
const mebibyte = 1024 * 1024
/**
 * Without a reserve a disk no longer counts as full from this much free space on, or from this share of a small disk.
 */
const enough = { bytes: 16 * mebibyte, shareOfDisk: 16 }

interface WatchDisk extends Pick<Context, 'config' | 'db' | 'log'> {
  /** The database could only be opened for reading, and now there is room. */
  readonly onRoomForDatabase: () => void
}

/**
 * It watches the disk of the data directory and that of the database. When one is full, the reserve is freed, so that
 * signing in, reading and progress go on for a while; when there is room again the reserve is restored.
 */
export const watchDisk = ({ config, db, log, onRoomForDatabase }: WatchDisk) => {
  const { dataDir, diskReserveBytes, database } = config
  const { degraded } = db
  const folders = database.kind === 'sqlite' ? [...new Set([dataDir, dirname(database.file)])] : [dataDir]
  const reserve = openDiskReserve(dataDir, diskReserveBytes)
  const giveBack = (): void => {
    if (degraded.has('disk_full') && reserve.release())
      log.warn({ dataDir }, 'The room that was set aside on the disk is used up from now on: free some space')
  }
  const stopListening = degraded.onChange(giveBack)
  giveBack()
  let isSetAside = reserve.isThere()
  const setAside = async (): Promise<void> => {
    await reserve.make()
    isSetAside = reserve.isThere()
  }

  const check = async (): Promise<void> => {
    const rooms = await Promise.all(folders.map(async (folder) => ({ folder, ...(await roomOn(folder)) })))
    const full = rooms.find(({ free }) => free < emptyBelowBytes)
    if (full) {
      degraded.report({ reason: 'disk_full', path: full.folder, detail: `${full.free} bytes are free.` })
      return
    }
    const areRoomy = rooms.every((room) => hasEnough(room, diskReserveBytes))
    // A worker or a command that begins on a full disk takes the reserve before this process has looked.
    if (isSetAside && !reserve.isThere() && !areRoomy)
      degraded.report({ reason: 'disk_full', path: dataDir, detail: 'What was set aside is in use.' })
    if (!degraded.has('disk_full')) return setAside()
    if (!areRoomy) return
    if (db.isFrozen) return onRoomForDatabase()
    if (!(await takesChanges(db))) return
    await setAside()
    degraded.end('disk_full')
  }
  const watching = repeat({
    work: check,
    everyMs: checkEveryMs,
    log,
    trouble: 'The room on the disk could not be looked at',
  })

  return {
    stop: async (): Promise<void> => {
      stopListening()
      await watching.stop()
    },
  }
}

/** The reserve can be set aside again, twice over. */
const hasEnough = ({ free, total }: { readonly free: number; readonly total: number }, reserveBytes: number): boolean =>
  free >= Math.max(Math.min(enough.bytes, total / enough.shareOfDisk), Math.min(2 * reserveBytes, total / 4))

/** A quota may be used up on a disk that has room. */
const takesChanges = async (db: Context['db']): Promise<boolean> => {
  try {
    await probeWrite(db)
    return true
  } catch (error) {
    return cannotBeSaved(error) && db.degraded.has('database_damaged')
  }
}
