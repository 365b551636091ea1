import type { ReadDb } from '../../database/database.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { firstBooks } from '../../catalogue/lists/lists.ts'
import { type PileRow, selectNewestOfOthers, selectPileRows, type Newest } from './queries.ts'

export interface Pile extends Omit<PileRow, 'seriesId'> {
  readonly addedAt: string
}

interface PilesRequest {
  readonly db: ReadDb
  readonly viewer: Viewer
  readonly libraryId?: string | undefined
  readonly limit: number
}

const newest = { field: 'createdAt', direction: 'desc' } as const

/** What is looked at in one statement. */
const booksAtOnce = 200
/** A series of which thousands have come at once takes one of them, and not all. */
const roundsMax = 4

/** What came within so long belongs together. */
const weekMs = 7 * 24 * 60 * 60 * 1000

/** Books that came last, those of a series as one pile; however many came, it takes a few statements. */
export const selectPiles = async ({ db, viewer, libraryId, limit }: PilesRequest): Promise<readonly Pile[]> => {
  const newestAt = new Map<string, string>()
  const note = (books: readonly Newest[]): void => {
    for (const { series_id, created_at } of books)
      if (newestAt.size < limit && !newestAt.has(series_id)) newestAt.set(series_id, created_at)
  }
  let books: readonly Newest[] = await firstBooks(db, viewer, newest, { libraryId, limit: booksAtOnce })
  note(books)
  for (let round = 1; round < roundsMax && newestAt.size < limit && books.length === booksAtOnce; round += 1) {
    books = await selectNewestOfOthers(db, viewer, { libraryId, seriesIds: [...newestAt.keys()], limit: booksAtOnce })
    note(books)
  }
  const since = [...newestAt].map(([id, at]) => [id, new Date(Date.parse(at) - weekMs).toISOString()] as const)
  const rows = new Map((await selectPileRows(db, viewer, since)).map((row) => [row.seriesId, row]))
  return [...newestAt].flatMap(([id, addedAt]) => {
    const row = rows.get(id)
    if (!row) return []
    const { seriesId: _, ...pile } = row
    return [{ ...pile, addedAt }]
  })
}
