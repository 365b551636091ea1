import type { ReadDb } from '../../database/database.ts'

export interface RootOfLibrary {
  readonly library: string
  readonly path: string
  readonly device: number | null
}

export const selectRoots = (db: ReadDb): Promise<RootOfLibrary[]> =>
  db
    .selectFrom('library_root')
    .innerJoin('library', 'library.id', 'library_root.library_id')
    .select(['library.name as library', 'library_root.path', 'library_root.device'])
    .where('library_root.removed_at', 'is', null)
    .orderBy('library.name')
    .orderBy('library_root.position')
    .execute()

/** When somebody or something last did anything here, by the clock of that time. */
export const selectNewestTimes = async (db: ReadDb): Promise<string[]> => {
  const rows = await db
    .selectFrom('session')
    .select(({ fn }) => fn.max('last_used_at').as('at'))
    .unionAll(db.selectFrom('worker').select(({ fn }) => fn.max('heartbeat_at').as('at')))
    .unionAll(db.selectFrom('task').select(({ fn }) => fn.max('created_at').as('at')))
    .execute()
  return rows.map(({ at }) => at).filter((at): at is string => at !== null)
}
