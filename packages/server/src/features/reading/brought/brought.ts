import type { WriteDb } from '../../../database/database.ts'
import { lockUser } from '../../../database/lock-user.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { selectExistingIds } from '../log/queries.ts'
import { type NewLogEntry, record } from '../log/record.ts'
import { announceProgress } from '../news.ts'
import { recountProgress, selectReadBooks } from '../queries.ts'
import { rebuildBooks } from '../upkeep/rebuild.ts'
import { deleteEntries, deleteUnusedDevice, deleteUnusedZone } from './queries.ts'

/** Something that was read on another server, with an id that is the same whenever it is brought. */
export interface BroughtEntry {
  readonly id: string
  readonly bookId: string
  readonly kind: NewLogEntry['kind']
  readonly page: number | null
  /** 0 to 1. */
  readonly percentage: number | null
  /** JSON: a Readium locator. */
  readonly locator: string | null
  readonly finishes: boolean
  readonly startedAt: string
  readonly at: string
  readonly activeMs: number | null
  readonly pagesRead: number | null
}

interface Bringing {
  /** It is the reader's, and sees everything: what they may not see any more was read all the same. */
  readonly viewer: Viewer
  readonly device: { readonly id: string; readonly name: string }
  readonly now: Date
}

/** In the transaction of whoever brings them. It returns the ids of those that are new. */
export const bringEntries = async (
  db: WriteDb,
  { viewer, device, now }: Bringing,
  entries: readonly BroughtEntry[],
): Promise<readonly string[]> => {
  const { userId } = viewer
  await lockUser(db, userId)
  const once = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
  const existing = await selectExistingIds(
    db,
    userId,
    once.map(({ id }) => id),
  )
  const books = await selectReadBooks(db, viewer, [...new Set(once.map(({ bookId }) => bookId))])
  const fresh = once.flatMap((entry): NewLogEntry[] => {
    const book = books.get(entry.bookId)
    if (existing.has(entry.id) || !book) return []
    const { bookId: _, startedAt, at, ...fields } = entry
    return [
      {
        ...fields,
        book,
        source: 'import',
        time: { started: Date.parse(startedAt), ended: Date.parse(at) },
        deviceId: device.id,
        deviceName: device.name,
      },
    ]
  })
  await record(db, userId, fresh, { now })
  return fresh.map(({ id }) => id)
}

/** What was brought is gone, with all that followed from it; what was read since stands as if it had never been there. */
export const takeEntriesBack = async (
  db: WriteDb,
  { viewer, device, now }: Bringing,
  ids: readonly string[],
): Promise<void> => {
  const { userId } = viewer
  await lockUser(db, userId)
  const bookIds = [...new Set(await deleteEntries(db, userId, ids))]
  if (bookIds.length > 0) {
    await rebuildBooks(db, userId, bookIds)
    const books = [...(await selectReadBooks(db, viewer, bookIds)).values()]
    await recountProgress(db, { seriesIds: [...new Set(books.map(({ seriesId }) => seriesId))], userId })
    await announceProgress(
      db,
      userId,
      books.map(({ id: bookId, seriesId, libraryId }) => ({ bookId, seriesId, libraryId, isUnread: false })),
      { now },
    )
  }
  await deleteUnusedDevice(db, userId, device.id)
  await deleteUnusedZone(db, userId)
}
