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
import { type LogPosition, type Pair, selectLastSaid } from '../log/queries.ts'
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
  /** Some protocols want to hear that another device was further on; ours keeps what was, and shows the latest. */
  readonly refused?: 'older' | 'notLater' | undefined
}

export const saveProgression = (
  db: Database,
  reader: Reader,
  bookId: string,
  { locator, modified, device, refused }: ProgressionUpdate & Conflict,
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
    refused,
    id: newId(reader.now.getTime()),
  })
}

interface ProgressionToSave extends Conflict {
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
  work: (db, { reader, bookId, position, time, locator, refused, id }) =>
    addIn(db, reader, bookId, async (book, db, latest) => {
      const { viewer, device, source = 'progression' } = reader
      const entry = { id, book, kind: 'progress', source, deviceId: device.id, deviceName: device.name } as const
      const word = { userId: viewer.userId, bookId, deviceId: device.id, latest }
      const isLatest = refused && time ? await requireNews(db, word, time.ended, refused) : false
      return [{ ...entry, ...position, time: time && { ...time, isLatest }, locator }]
    }),
}

interface Word extends Pair {
  readonly deviceId: string
  /** What is latest in the log of the book. */
  readonly latest: LogPosition | undefined
}

/**
 * A device is compared with others by our clock, and with itself by its own. Where nothing stands any more, its clock may
 * be as far behind as its last word took to come here: whoever reads on after a deletion is heard, and what was read
 * before it is refused. It returns whether the time of the device is behind what it comes after.
 */
const requireNews = async (
  db: ReadDb,
  { deviceId, latest, ...pair }: Word,
  at: number,
  refused: 'older' | 'notLater',
): Promise<boolean> => {
  const standing = await selectStanding(db, pair.userId, pair.bookId)
  if (!standing && !latest) return false
  const ours = Date.parse(standing?.updated_at ?? latest?.at ?? '')
  const isItself = standing?.device_id === deviceId
  const said = isItself && standing.said_at !== null ? Date.parse(standing.said_at) : ours
  const theirs = standing ? Math.min(said, ours) : ours - (await lagOf(db, pair, deviceId))
  if (at < theirs || (at === theirs && !(standing && refused === 'older')))
    throw new AppError('conflict', 'A more recent progression point is already available.')
  return at < ours
}

/** The clock of a device that has said nothing yet may be wrong by anything; one that was ahead may be right by now. */
const lagOf = async (db: ReadDb, pair: Pair, deviceId: string): Promise<number> => {
  const last = await selectLastSaid(db, pair, deviceId)
  return last ? Math.max(0, Date.parse(last.recorded) - Date.parse(last.said)) : Number.POSITIVE_INFINITY
}

const positionOf = ({ locations }: ReadiumLocator): Position => ({
  page: locations?.position ?? null,
  percentage: locations?.totalProgression ?? null,
})
