import type { WriteDb } from '../../../database/database.ts'
import { announce } from '../../../events/outbox.ts'

/** The event goes to whoever sees one of these libraries. */
export const announceDuplicates = (db: WriteDb, libraryIds: readonly string[], now: Date): Promise<void> =>
  announce(
    db,
    libraryIds.map((libraryId) => ({
      event: { type: 'duplicates_updated' },
      to: { libraryId, permission: 'series:read' },
    })),
    now,
  )
