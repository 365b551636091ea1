export { recountLibrary, setRootStates } from './record.ts'

import type { ReadDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { type Viewer, visibleLibraries } from '../visibility/visibility.ts'

export const requireLibrary = async (db: ReadDb, viewer: Viewer, id: string): Promise<void> => {
  const row = await db
    .selectFrom('library')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(visibleLibraries(viewer))
    .executeTakeFirst()
  if (!row) throw notFound('library')
}
