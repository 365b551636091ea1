import type { WriteDb } from '../../database/database.ts'
import { enqueue } from '../../tasks/queue.ts'
import { indexDocuments } from './documents.ts'
import { selectBookIdsOfSeries, selectIdsRatedBelow } from './queries.ts'
import { indexBooksOfSeries } from './tasks.ts'

export { compareDocuments, indexDocuments } from './documents.ts'
export { find, type IdsByTarget, type Limits, prepareQuery } from './find.ts'
export { matchWords } from './by-words/match.ts'
export { type SearchSource, textMatch } from './text-match.ts'
export { type NameHit as FoundName, selectNameHits as selectFoundNames } from './queries.ts'

/** So many books are brought up to date on the spot; more would hold up everybody who writes. */
const atOnceMax = 200

interface BooksToIndex {
  /** These have changed themselves. */
  readonly bookIds: readonly string[]
  /** Series that are called or rated otherwise now, or have other books. */
  readonly otherwise: readonly string[]
  /** Series that had no rating before, so that nothing changes but for the books below it. */
  readonly rated: readonly string[]
}

/**
 * After series were described and their books rated: books are found by the title of their series, unless that is rated higher
 * (decision 095). Further books of many series wait for a task.
 */
export const indexBooks = async (
  db: WriteDb,
  { bookIds, otherwise, rated }: BooksToIndex,
  now: Date,
): Promise<void> => {
  const limit = bookIds.length + atOnceMax + 1
  const indexed = new Set(bookIds)
  const further = [
    ...(otherwise.length === 0 ? [] : await selectBookIdsOfSeries(db, otherwise, { limit })),
    ...(await selectIdsRatedBelow(db, rated, limit)),
  ].filter((id) => !indexed.has(id))
  const isLittle = further.length <= atOnceMax
  await indexDocuments(db, 'book', [...bookIds, ...(isLittle ? new Set(further) : [])])
  if (isLittle) return
  for (const seriesId of new Set([...otherwise, ...rated])) await enqueue(db, indexBooksOfSeries, { seriesId }, { now })
}
