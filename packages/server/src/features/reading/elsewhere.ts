import type { ReadDb, WriteDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadBook } from './book.ts'
import type { ReadingDevice } from './device.ts'
import { type NewLogEntry, record } from './log/record.ts'
import { shownIn } from './progress/position.ts'
import { selectStanding } from './queries.ts'

/** An application of another protocol reports this reading; its book is one the viewer sees. */
export type EntryElsewhere = Omit<NewLogEntry, 'id' | 'book' | 'kind' | 'deviceId' | 'deviceName'> & {
  readonly device: ReadingDevice
}

/** The call belongs in the transaction of the import. It returns the ids in the log, in the order of the entries. */
export const recordElsewhere = async (
  db: WriteDb,
  { viewer, book, now }: { readonly viewer: Viewer; readonly book: ReadBook; readonly now: Date },
  entries: readonly EntryElsewhere[],
): Promise<readonly string[]> => {
  const rows = entries.map(({ device, ...entry }): NewLogEntry => ({
    ...entry,
    id: newId(now.getTime()),
    book,
    kind: 'progress',
    deviceId: device.id,
    deviceName: device.name,
  }))
  await record(db, viewer.userId, rows, { now })
  return rows.map(({ id }) => id)
}

export interface StandingPosition {
  /** The entry of the log that says so. */
  readonly entryId: string
  readonly at: string
  readonly device: ReadingDevice
  /** 0 where only a percentage is known. */
  readonly page: number
  readonly percentage: number | null
  /** JSON: a Readium locator. */
  readonly locator: string | null
}

/** It reads the position of a user in a book they see. */
export const standingIn = async (db: ReadDb, userId: string, book: ReadBook): Promise<StandingPosition | undefined> => {
  const row = await selectStanding(db, userId, book.id)
  if (!row) return undefined
  const { page, percentage, page_count: pageCount } = row
  const shown = shownIn(book.pageCount, { page, percentage, pageCount })
  return {
    entryId: row.entry_id,
    at: row.updated_at,
    device: { id: row.device_id, name: row.deviceName },
    page: shown.currentPage,
    percentage: shown.progressPercentage,
    locator: row.locator,
  }
}
