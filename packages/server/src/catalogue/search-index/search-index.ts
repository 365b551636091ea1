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

/**
 * After series were described and their books rated: books are found by the title of their series, unless that is rated higher
 * (decision 095). `otherwise`: those that are called otherwise now, were rated otherwise, or have other books; `rated`: those that
 * had no rating before, so that nothing changes but for the books below it.
 */
export const indexBooksOf = async (
  db: WriteDb,
  { otherwise, rated }: { readonly otherwise: readonly string[]; readonly rated: readonly string[] },
  now: Date,
): Promise<void> => {
  const limit = atOnceMax + 1
  const bookIds = [
    ...(otherwise.length === 0 ? [] : await selectBookIdsOfSeries(db, otherwise, { limit })),
    ...(await selectIdsRatedBelow(db, rated, limit)),
  ]
  if (bookIds.length <= atOnceMax) {
    await indexDocuments(db, 'book', [...new Set(bookIds)])
    return
  }
  for (const seriesId of new Set([...otherwise, ...rated])) await enqueue(db, indexBooksOfSeries, { seriesId }, { now })
}
