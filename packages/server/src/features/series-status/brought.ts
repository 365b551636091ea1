import type { WriteDb } from '../../database/database.ts'
import { deletePaused, insertPaused } from './queries.ts'

export interface SetAside {
  readonly userId: string
  readonly seriesId: string
}

/** Series that somebody did not want to be proposed by another server. What they have said of one here stays. It returns the others. */
export const bringPaused = async (db: WriteDb, all: readonly SetAside[], now: Date): Promise<readonly SetAside[]> => {
  const brought: SetAside[] = []
  for (const each of all) if (await insertPaused(db, { ...each, at: now.toISOString() })) brought.push(each)
  return brought
}

/** What they have said of it since stays. */
export const takePausedBack = async (db: WriteDb, all: readonly SetAside[], at: Date): Promise<void> => {
  for (const each of all) await deletePaused(db, { ...each, at: at.toISOString() })
}
