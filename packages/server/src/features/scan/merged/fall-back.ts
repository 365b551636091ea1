import type { WriteDb } from '../../../database/database.ts'
import { analyseLibraries } from '../analysis/analyse-library.ts'
import { chooseAmong } from '../several-files/choose.ts'
import { exchange } from '../several-files/exchange.ts'
import { selectFilesOfBooks } from '../several-files/queries.ts'

/**
 * Books whose files are gone, and that others have become part of: the file of one of those takes the place of theirs, so
 * that nothing is lost. Answers those that are there again. `lost` are all whose files go at the same time.
 */
export const fallBackOnParts = async (
  db: WriteDb,
  bookIds: readonly string[],
  { lost, now }: { readonly lost: ReadonlySet<string>; readonly now: Date },
): Promise<ReadonlySet<string>> => {
  const gone = new Set(bookIds)
  const files = (await selectFilesOfBooks(db, bookIds)).filter(
    ({ book_id, whole_id, state }) =>
      book_id !== whole_id && gone.has(whole_id) && state === 'present' && !lost.has(book_id),
  )
  const exchanges = [...Map.groupBy(files, ({ whole_id }) => whole_id)].flatMap(([bookId, parts]) => {
    const best = chooseAmong(parts)
    return best ? [{ bookId, partId: best.book_id }] : []
  })
  await analyseLibraries(db, await exchange(db, exchanges, now), now)
  return new Set(exchanges.map(({ bookId }) => bookId))
}
