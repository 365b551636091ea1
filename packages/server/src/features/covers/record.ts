import type { WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'

/** Their covers are made, or made anew, in the background. */
export const wantCovers = (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> =>
  insertMany(
    db,
    'cover_wanted',
    bookIds.map((id) => ({ book_id: id, priority: 0, at: now.toISOString(), tries: 0 })),
    { keys: ['book_id'], sets: ['at', 'tries'] },
  )
