import type { WriteDb } from '../../database/database.ts'
import { enqueue } from '../../tasks/queue.ts'
import { isAwaited } from './queries.ts'
import { linkKoreader } from './tasks.ts'

export { type KoreaderDependencies, readPosition, savePosition } from './documents.ts'
export { keepFile, type KoreaderFile, listFolder, makeFolder, readFile, removeFile } from './files.ts'

/**
 * Code that learns the digests of books calls this in the same transaction: KOReader may have sent positions for them
 * already.
 */
export const noteKnownBooks = async (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> => {
  if (await isAwaited(db, bookIds)) await enqueue(db, linkKoreader, {}, { now })
}
