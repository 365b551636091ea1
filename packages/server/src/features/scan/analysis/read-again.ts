import type { WriteDb } from '../../../database/database.ts'
import { analyseLibraries, holdAnalyses } from './analyse-library.ts'
import { updateToReadAgain } from '../queries.ts'

/** Books that could not be read are tried once more, those that ended their decoders too; before all others. */
export const readAgain = async (
  db: WriteDb,
  books: readonly { readonly bookId: string; readonly libraryId: string }[],
  now: Date,
): Promise<void> => {
  const libraryIds = [...new Set(books.map(({ libraryId }) => libraryId))]
  await holdAnalyses(db, libraryIds)
  await updateToReadAgain(
    db,
    books.map(({ bookId }) => bookId),
    now.toISOString(),
  )
  await analyseLibraries(db, libraryIds, now)
}
