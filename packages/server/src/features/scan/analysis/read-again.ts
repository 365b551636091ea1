import type { WriteDb } from '../../../database/database.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { analyseLibrary } from './analyse-library.ts'
import { updateToReadAgain } from '../queries.ts'

/** Books that could not be read are tried once more, those that ended their decoders too; before all others. */
export const readAgain = async (
  db: WriteDb,
  books: readonly { readonly bookId: string; readonly libraryId: string }[],
  now: Date,
): Promise<void> => {
  await updateToReadAgain(
    db,
    books.map(({ bookId }) => bookId),
    now.toISOString(),
  )
  for (const libraryId of new Set(books.map((book) => book.libraryId)))
    await enqueue(db, analyseLibrary, { libraryId }, { now })
}
