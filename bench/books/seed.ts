import type { Database } from '../../packages/server/src/database/database.ts'
import { placeFiles, type Placement } from '../../packages/server/src/features/scan/place.ts'
import { selectScannedLibrary } from '../../packages/server/src/features/scan/queries.ts'
import { refreshAll } from '../../packages/server/src/features/scan/refresh.ts'
import { planLibrary } from '../gen/plan.ts'
import type { Profile } from '../gen/profiles.ts'

const atOnce = 5000
const modifiedUs = 1_700_000_000_000_000

/** Rows as a scan writes them, by what a scan writes them with. */
export const seed = async (db: Database, libraryId: string, profile: Profile): Promise<number> => {
  const library = await selectScannedLibrary(db.read, libraryId)
  const root = library?.roots[0]
  if (!library || !root) throw new Error('The library is not there')
  let count = 0
  let waiting: Placement[] = []
  const write = async (): Promise<void> => {
    const placements = waiting
    waiting = []
    const now = new Date()
    await db.write(async (db) => {
      const { seriesTouched } = await placeFiles(db, library, placements, now)
      await refreshAll(db, seriesTouched, now)
    })
  }
  for (const { books } of planLibrary(profile)) {
    for (const { path, seed } of books) {
      const slash = path.lastIndexOf('/') + 1
      const found = [
        path.slice(0, slash),
        path.slice(slash),
        100_000 + seed,
        modifiedUs,
        modifiedUs,
        seed,
        1,
        0,
      ] as const
      waiting.push({ rootId: root.id, found, bookId: undefined, change: 'new', isNewContent: true })
      count += 1
    }
    if (waiting.length >= atOnce) await write()
  }
  await write()
  return count
}
