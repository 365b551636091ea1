import type { WriteDb } from '../../../database/database.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { announceBooks } from '../../../catalogue/visibility/visibility.ts'
import { analyseLibrary } from '../analysis/analyse-library.ts'
import { type Placement, placeFiles } from '../identity/place.ts'
import { selectScannedLibrary } from '../queries.ts'
import { announceRefreshed, refresh } from '../../../catalogue/shown/shown.ts'
import { selectFilesOfParts } from './queries.ts'

/**
 * Books whose files are gone, and that others have become part of: the file of one of those takes the place of theirs, so
 * that nothing is lost. Answers those that are there again. `lost` are all whose files go at the same time.
 */
export const fallBackOnParts = async (
  db: WriteDb,
  bookIds: readonly string[],
  { lost, now }: { readonly lost: ReadonlySet<string>; readonly now: Date },
): Promise<ReadonlySet<string>> => {
  const files = (await selectFilesOfParts(db, bookIds)).filter(({ book_id }) => !lost.has(book_id))
  const first = [...Map.groupBy(files, ({ into_book_id }) => into_book_id).values()].flatMap((each) => each[0] ?? [])
  for (const [libraryId, ofLibrary] of Map.groupBy(first, ({ library_id }) => library_id)) {
    const library = await selectScannedLibrary(db, libraryId)
    if (!library) continue
    const placements = ofLibrary.map((file): Placement => ({
      rootId: file.root_id,
      found: [
        file.folder,
        file.name,
        file.size,
        file.modified_us,
        file.changed_us,
        file.inode,
        file.device,
        file.is_folder,
      ],
      bookId: file.into_book_id,
      change: 'moved',
      isNewContent: true,
      mayBeTaken: true,
    }))
    const { bookIds: placed, touched } = await placeFiles(db, library, placements, now)
    const told = await announceRefreshed(db, await refresh(db, touched, now), now)
    await announceBooks(
      db,
      'book_updated',
      placed.filter((id) => !told.bookIds.has(id)),
      now,
    )
    await enqueue(db, analyseLibrary, { libraryId }, { now })
  }
  return new Set(first.map(({ into_book_id }) => into_book_id))
}
