import type { Database } from '../../database/database.ts'
import type { Schedule } from '../../tasks/schedule.ts'
import { selectLibrarySchedules } from './queries.ts'
import { startScan } from './scan.ts'

/** A library that is to follow its folders is looked at in full this often at least, whatever else is heard of it. */
const daily = '15 4 * * *'
const knownForMs = 10_000

/** When libraries are scanned by themselves, as they are set by now. */
export const librarySchedules = (db: Database, serverTimeZone: string): (() => Promise<readonly Schedule[]>) => {
  let known: readonly Schedule[] = []
  let readAt = Number.NEGATIVE_INFINITY

  return async () => {
    if (performance.now() - readAt < knownForMs) return known
    const libraries = await selectLibrarySchedules(db.read)
    known = libraries.flatMap(({ id, cron, time_zone, watch }) => {
      const pattern = cron ?? (watch === 1 ? daily : undefined)
      if (pattern === undefined) return []
      return {
        name: `scan_library ${id}`,
        pattern: () => pattern,
        timeZone: () => (cron === null ? serverTimeZone : (time_zone ?? 'UTC')),
        fire: (db, now) => startScan(db, { libraryId: id }, now),
      }
    })
    readAt = performance.now()
    return known
  }
}
