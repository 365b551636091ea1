import type { WriteDb } from '../../../database/database.ts'
import { seriesOfRoot } from '../../../naming/grouping/series-by-name.ts'
import { groupBooks } from '../books/grouped.ts'
import { renameSeries } from './keep.ts'
import { selectSomeBooks, selectSeriesByKey } from './queries.ts'

const booksAsked = 500

/**
 * A series that is called as its root goes along when that is called otherwise, if no other is there and most of its books
 * go by the root. Its books are to be grouped anew.
 */
export const followRootName = async (
  db: WriteDb,
  libraryId: string,
  { was, is }: { readonly was: string; readonly is: string },
): Promise<void> => {
  const before = seriesOfRoot(was)
  const after = seriesOfRoot(is)
  if (!before || !after || before.key === after.key) return
  const idsByKey = await selectSeriesByKey(db, libraryId, [before.key, after.key])
  const id = idsByKey.get(before.key)
  if (id === undefined || idsByKey.has(after.key)) return
  const books = [...(await groupBooks(db, await selectSomeBooks(db, id, booksAsked))).values()]
  const going = books.filter(({ series }) => series.key === after.key).length
  if (going * 2 > books.length) await renameSeries(db, libraryId, [{ id, oldKey: before.key, target: after }])
}
