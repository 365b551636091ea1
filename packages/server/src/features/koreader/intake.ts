import type { StatisticsIntake } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { countPageTimes, selectIntake } from './queries.ts'

export const readIntake = async (db: ReadDb, userId: string): Promise<StatisticsIntake | undefined> => {
  const last = await selectIntake(db, userId)
  if (!last) return undefined
  const { waiting } = await countPageTimes(db, userId)
  return { at: last.at, pages: last.page_times, waiting, fault: last.fault }
}
