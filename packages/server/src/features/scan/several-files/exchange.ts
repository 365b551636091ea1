import type { WriteDb } from '../../../database/database.ts'
import { announceRefreshed, refresh, updateFormatsOfBooks } from '../../../catalogue/shown/shown.ts'
import { announceBooks } from '../../../catalogue/visibility/visibility.ts'
import { guessedFormat } from '../extensions.ts'
import { setPending } from '../files/queries.ts'
import { storeFiles } from '../identity/store-files.ts'
import type { IdentifiedFile } from '../identity/identified-file.ts'
import { selectScannedLibrary, markFilesRequested } from '../queries.ts'
import { exchangeFiles, selectWalkedFiles } from './queries.ts'

/** A book, and what has become part of it, whose file is to be read from now on. */
export interface FilePair {
  readonly bookId: string
  readonly partId: string
}

/**
 * Books get the files of their parts, which get theirs. Both are to be read again, since all that was read belongs to the file:
 * the caller enqueues `analyseLibrary` for the libraries that it answers.
 */
export const exchange = async (db: WriteDb, pairs: readonly FilePair[], now: Date): Promise<readonly string[]> => {
  if (pairs.length === 0) return []
  await exchangeFiles(
    db,
    pairs.map(({ bookId, partId }) => ({ one: bookId, other: partId })),
  )
  await setPending(
    db,
    pairs.map(({ partId }) => partId),
  )
  const all = await selectWalkedFiles(
    db,
    pairs.flatMap(({ bookId, partId }) => [bookId, partId]),
  )
  await updateFormatsOfBooks(
    db,
    all.map(({ book_id, name, is_folder }) => ({
      id: book_id,
      format: guessedFormat({ name, isFolder: is_folder === 1 }),
    })),
  )
  const wholes = new Set(pairs.map(({ bookId }) => bookId))
  const files = all.filter(({ book_id }) => wholes.has(book_id))
  for (const [libraryId, ofLibrary] of Map.groupBy(files, ({ library_id }) => library_id)) {
    const library = await selectScannedLibrary(db, libraryId)
    if (!library) continue
    const identifiedFiles = ofLibrary.map((file): IdentifiedFile => ({
      rootId: file.root_id,
      walked: [
        file.folder,
        file.name,
        file.size,
        file.modified_us,
        file.changed_us,
        file.inode,
        file.device,
        file.is_folder,
      ],
      bookId: file.book_id,
      change: 'moved',
      isNewContent: true,
    }))
    const { bookIds, touched } = await storeFiles(db, library, identifiedFiles, { now })
    const told = await announceRefreshed(db, await refresh(db, touched, now), now)
    await announceBooks(
      db,
      'book_updated',
      bookIds.filter((id) => !told.bookIds.has(id)),
      now,
    )
  }
  // What people have open goes first.
  await markFilesRequested(
    db,
    pairs.map(({ bookId }) => bookId),
    now.toISOString(),
  )
  return [...new Set(files.map(({ library_id }) => library_id))]
}
