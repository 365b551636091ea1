import type { WriteDb } from '../../database/database.ts'
import { enqueue } from '../../tasks/queue.ts'
import { indexDocuments } from './documents.ts'
import { selectBookIdsOfSeries } from './queries.ts'
import { indexBooksOfSeries } from './tasks.ts'

export { compareDocuments, indexDocuments } from './documents.ts'
export { find, type IdsByTarget, type Limits, prepareQuery } from './find.ts'
export { matchWords } from './by-words/match.ts'
export { type SearchSource, textMatch } from './text-match.ts'
export { type NameHit as FoundName, selectNameHits as selectFoundNames } from './queries.ts'

/** So many books are brought up to date on the spot; more would hold up everybody who writes. */
const atOnceMax = 200

/** After series were described: those of them that are called otherwise now take their books along. */
export const indexSeries = async (
  db: WriteDb,
  { ids, retitled }: { readonly ids: readonly string[]; readonly retitled: readonly string[] },
  now: Date,
): Promise<void> => {
  await indexDocuments(db, 'series', ids)
  if (retitled.length === 0) return
  const bookIds = await selectBookIdsOfSeries(db, retitled, { limit: atOnceMax + 1 })
  if (bookIds.length <= atOnceMax) {
    await indexDocuments(db, 'book', bookIds)
    return
  }
  for (const seriesId of retitled) await enqueue(db, indexBooksOfSeries, { seriesId }, { now })
}
