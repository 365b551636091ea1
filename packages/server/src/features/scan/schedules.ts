import { keptUntilCommits } from '../../database/after-commits.ts'
import type { Database, WriteDb } from '../../database/database.ts'
import type { Schedule } from '../../tasks/schedule.ts'
import { selectLibrarySchedules } from './queries.ts'
import { startScan } from './scan.ts'
import { selectLastWholeScan } from './watch/queries.ts'

/** A library that is to follow its folders is looked at in full this often at least, whatever else is heard of it. */
const daily = '15 4 * * *'
/** When it did not come to that: another look was on its way at the time, or its own schedule is a rarer one. */
const hourly = '45 * * * *'
const dayAndHourMs = 25 * 60 * 60 * 1000
const knownForMs = 10_000

/** When libraries are scanned by themselves, as they are set by now. */
export const librarySchedules = (db: Database, serverTimeZone: string): (() => Promise<readonly Schedule[]>) =>
  keptUntilCommits(db, knownForMs, async () =>
    (await selectLibrarySchedules(db.read)).flatMap(({ id, cron, time_zone, watch }) => {
      const pattern = cron ?? (watch === 1 ? daily : undefined)
      const timeZone = (): string => (cron === null ? serverTimeZone : (time_zone ?? 'UTC'))
      const schedules: Schedule[] = []
      if (pattern !== undefined)
        schedules.push({
          name: `scan_library ${id}`,
          pattern: () => pattern,
          timeZone,
          fire: (db, now) => startScan(db, { libraryId: id }, now),
        })
      if (watch === 1)
        schedules.push({
          name: `watch_library ${id}`,
          pattern: () => hourly,
          timeZone,
          fire: (db, now) => scanAfterADay(db, id, now),
        })
      return schedules
    }),
  )

const scanAfterADay = async (db: WriteDb, libraryId: string, now: Date): Promise<void> => {
  const lastScanAt = await selectLastWholeScan(db, libraryId)
  if (lastScanAt === undefined || now.getTime() - Date.parse(lastScanAt) < dayAndHourMs) return
  await startScan(db, { libraryId }, now)
}
