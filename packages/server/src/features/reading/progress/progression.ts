import {
  locatorBytesMax,
  type Progression,
  type ProgressionUpdate,
  type ReadiumLocator,
  type ReadProgress,
} from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import type { NamedWrite } from '../../../database/named-write.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { locatorFromLocation, locationFromPosition } from '../convert/convert.ts'
import { cleanDeviceText } from '../device.ts'
import type { Position } from '../log/fold.ts'
import type { NewLogEntry } from '../log/record.ts'
import { shownIn } from './position.ts'
import { addIn, momentOf, type Reader, requireReadBook } from './progress.ts'
import { selectStanding } from '../queries.ts'

export const readProgression = async (db: ReadDb, viewer: Viewer, bookId: string): Promise<Progression | undefined> => {
  const { pageCount } = await requireReadBook(db, viewer, bookId)
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
  return db.writeNamed(savedProgression, {
    reader: sentDevice && sentDevice.id !== '' ? { ...reader, device: sentDevice } : reader,
    bookId,
    position,
    time,
    locator: text,
    isRefusedWhenOlder,
    id: newId(reader.now.getTime()),
  })
}

interface ProgressionToSave extends Required<Conflict> {
  readonly reader: Reader
  readonly bookId: string
  readonly position: Position
  readonly time: NewLogEntry['time']
  /** JSON. */
  readonly locator: string
  readonly id: string
}

export const savedProgression: NamedWrite<ProgressionToSave, ReadProgress | undefined> = {
  name: 'reading progression',
  lockedUser: ({ reader }) => reader.viewer.userId,
  work: (db, { reader, bookId, position, time, locator, isRefusedWhenOlder, id }) =>
    addIn(db, reader, bookId, async (book, db) => {
      const { viewer, device, source = 'progression' } = reader
      if (isRefusedWhenOlder && time) await requireNoLater(db, viewer.userId, { bookId, at: time.ended })
      const from = { source, deviceId: device.id, deviceName: device.name } as const
      return [{ id, book, kind: 'progress', ...from, ...position, time, locator }]
    }),
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
