import {
  locatorBytesMax,
  type Progression,
  type ProgressionUpdate,
  type ReadiumLocator,
  type ReadProgress,
} from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { locatorFromLocation, locationFromPosition } from '../convert/convert.ts'
import { cleanDeviceText } from '../device.ts'
import type { Position } from '../log/fold.ts'
import { shownIn } from './position.ts'
import { add, momentOf, type Reader, requireBook } from './progress.ts'
import { selectStanding } from '../queries.ts'

export const readProgression = async (db: ReadDb, viewer: Viewer, bookId: string): Promise<Progression | undefined> => {
  const { pageCount } = await requireBook(db, viewer, bookId)
  const standing = await selectStanding(db, viewer.userId, bookId)
  if (!standing) return undefined
  const { locator, page, percentage, page_count } = standing
  return {
    modified: standing.updated_at,
    device: { id: standing.device_id, name: standing.deviceName },
    locator:
      locator === null
        ? locatorOf(pageCount, shownIn(pageCount, { page, percentage, pageCount: page_count }))
        : (JSON.parse(locator) as ReadiumLocator),
  }
}

/** It makes a locator for a position that came without one. */
const locatorOf = (pageCount: number, shown: ReturnType<typeof shownIn>): ReadiumLocator => {
  const shape = { pageCount, spine: [] }
  const page = shown.currentPage === 0 ? null : shown.currentPage
  const location = locationFromPosition(shape, { page, percentage: shown.progressPercentage })
  return locatorFromLocation(shape, location) ?? { href: '', type: '', locations: {} }
}

interface Conflict {
  readonly isRefusedWhenOlder?: boolean
}

export const saveProgression = (
  db: Database,
  reader: Reader,
  bookId: string,
  { locator, modified, device, isRefusedWhenOlder = false }: ProgressionUpdate & Conflict,
): Promise<ReadProgress | undefined> => {
  const text = JSON.stringify(locator)
  if (Buffer.byteLength(text) > locatorBytesMax) throw invalid('/locator', 'A locator takes up to 16 KiB.')
  const position = positionOf(locator)
  if (position.page === null && position.percentage === null)
    throw invalid('/locator/locations', 'A locator must say position or totalProgression.')
  const time = modified === undefined ? null : momentOf(modified, '/modified')
  const sentDevice = device && {
    id: cleanDeviceText(device.id, '/device/id'),
    name: device.name == null ? null : cleanDeviceText(device.name, '/device/name'),
  }
  const as = sentDevice && sentDevice.id !== '' ? { ...reader, device: sentDevice } : reader
  return add(db, as, bookId, async (book, db) => {
    if (isRefusedWhenOlder && time) await requireNoLater(db, reader.viewer.userId, { bookId, at: time.ended })
    return [
      {
        book,
        source: as.source ?? 'progression',
        kind: 'progress',
        deviceId: as.device.id,
        deviceName: as.device.name,
        ...position,
        time,
        locator: text,
      },
    ]
  })
}

/** Some protocols want to hear that another device was further on; ours keeps what was, and shows the latest. */
const requireNoLater = async (
  db: ReadDb,
  userId: string,
  { bookId, at }: { readonly bookId: string; readonly at: number },
): Promise<void> => {
  const standing = await selectStanding(db, userId, bookId)
  if (standing && Date.parse(standing.updated_at) > at)
    throw new AppError('conflict', 'A more recent progression point is already available.')
}

const positionOf = ({ locations }: ReadiumLocator): Position => ({
  page: locations?.position ?? null,
  percentage: locations?.totalProgression ?? null,
})
