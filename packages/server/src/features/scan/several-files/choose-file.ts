import type { Database } from '../../../database/database.ts'
import { requireBook } from '../../../catalogue/entries/entries.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { notFound } from '../../../platform/errors.ts'
import { analyseLibraries, holdAnalyses } from '../analysis/analyse-library.ts'
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
    const { library_id } = await requireBook(db, viewer, bookId)
    await holdAnalyses(db, [library_id])
    const files = await selectFilesOfBooks(db, [bookId])
    if (fileId !== null && !files.some((file) => file.id === fileId && mayBeChosen(file)))
      throw notFound('file of this book')
    await updateChosen(
      db,
      files.map(({ id }) => id),
      fileId,
    )
    await analyseLibraries(db, await chooseBest(db, [bookId], now), now)
    return undefined
  })
