import type { Database } from '../../../database/database.ts'
import { requireBook } from '../../../catalogue/entries/entries.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { notFound } from '../../../platform/errors.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { analyseLibrary } from '../analysis/analyse-library.ts'
import { chooseBest, mayBeChosen } from './choose.ts'
import { selectFilesOfBooks, updateChosen } from './queries.ts'

/** Somebody says which file of a book is read; null: the best of them. */
export const chooseFile = (
  db: Database,
  viewer: Viewer,
  { bookId, fileId }: { readonly bookId: string; readonly fileId: string | null },
  now: Date,
): Promise<undefined> =>
  db.write(async (db) => {
    await requireBook(db, viewer, bookId)
    const files = await selectFilesOfBooks(db, [bookId])
    if (fileId !== null && !files.some((file) => file.id === fileId && mayBeChosen(file)))
      throw notFound('file of this book')
    await updateChosen(
      db,
      files.map(({ id }) => id),
      fileId,
    )
    for (const libraryId of await chooseBest(db, [bookId], now))
      await enqueue(db, analyseLibrary, { libraryId }, { now })
    return undefined
  })
