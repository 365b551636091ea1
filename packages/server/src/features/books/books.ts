import type { AdjacentBooks, BookDetail, BookDto, BookFile } from '@carrel/api'
import { listsOfBooks as pagesOfBooks } from '../../catalogue/lists/lists.ts'
import type { SearchSource } from '../../catalogue/search-index/search-index.ts'
import type { ReadDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { externalIdsIn, externalRatingsIn, metadataOfBook } from '../../catalogue/metadata/metadata.ts'
import { readThroughsOfBook } from '../reading/reading.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { requireBook } from '../../catalogue/entries/entries.ts'
import { selectBooksByIds, selectFilesOfBook, selectNeighbours } from './queries.ts'
import { showBooks } from './show.ts'

export { showBooks } from './show.ts'

export const listsOfBooks = (source: SearchSource) => pagesOfBooks(source, showBooks)

/** It returns the books that are there and that this viewer sees, in the order they are given in. */
export const showBooksById = async (db: ReadDb, viewer: Viewer, ids: readonly string[]): Promise<BookDto[]> =>
  showBooks(db, viewer, await selectBooksByIds(db, viewer, ids))

export const readBook = async (db: ReadDb, viewer: Viewer, id: string): Promise<BookDetail> => {
  const row = await requireBook(db, viewer, id)
  const [book] = await showBooks(db, viewer, [row])
  if (!book) throw notFound('book')
  const metadata = metadataOfBook(row)
  const { externalLinks } = metadata
  const external = {
    externalIds: externalIdsIn(row.metadata),
    externalLinks,
    externalRatings: externalRatingsIn(row.metadata),
  }
  const files = await readFiles(db, id)
  return { ...book, files, metadata, ...external, ...(await readThroughsOfBook(db, viewer, id)) }
}

/** The chosen one comes first. */
const readFiles = async (db: ReadDb, bookId: string): Promise<BookFile[]> => {
  const rows = await selectFilesOfBook(db, bookId)
  const files = rows.map(({ id, book_id, format, size }) => ({ id, format, size, chosen: book_id === bookId }))
  return files.toSorted((one, other) => Number(other.chosen) - Number(one.chosen))
}

/** The ids of the books before and after one in its series, as this viewer sees it. */
export const neighboursOf = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
): Promise<{ readonly prev: string | undefined; readonly next: string | undefined }> => {
  const { before, after } = await selectNeighbours(db, viewer, await requireBook(db, viewer, id))
  return { prev: before?.id, next: after?.id }
}

/** The books before and after one in its series, as this viewer sees it. */
export const readNeighbours = async (db: ReadDb, viewer: Viewer, id: string): Promise<AdjacentBooks> => {
  const row = await requireBook(db, viewer, id)
  const { before, after } = await selectNeighbours(db, viewer, row)
  const shown = await showBooks(
    db,
    viewer,
    [before, after].filter((each) => each !== undefined),
  )
  const byId = (each: typeof before) => shown.find((book) => book.id === each?.id) ?? null
  return { prev: byId(before), next: byId(after) }
}
