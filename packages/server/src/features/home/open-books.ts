import type { OpenBook, OpenBooks } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { readerOf, seesWholeLibraries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { showBooksById } from '../books/books.ts'
import { readIndexedPages } from '../pages/pages.ts'
import { countUpToNow, timesLeft } from '../reading/reading.ts'
import { readPutAside } from './not-now.ts'
import { selectPiles } from './piles.ts'
import { countOpenBooks, selectDeviceNames, selectOpenBooks } from './queries.ts'
import { spreadAt } from './spread.ts'

/** One statement for each question, however many books are open. */
export const readOpenBooks = async (
  database: Database,
  viewer: Viewer,
  limit: number,
  now: Date,
): Promise<OpenBooks> => {
  // For a viewer who sees only part of a library, many rows may have to be skipped.
  const db = seesWholeLibraries(viewer) ? database.read : database.readSlowly
  const userId = readerOf(viewer)
  const ids = await selectOpenBooks(db, viewer, limit, await readPutAside(db, viewer.userId))
  const shown = await showBooksById(db, viewer, ids)
  await countUpToNow(database, userId, now)
  const left = await timesLeft(db, userId, ids, now)
  const deviceNames = await selectDeviceNames(db, userId, ids)
  const pages = shown[0] ? await pagesInView(db, shown[0]) : []
  return {
    books: shown.map((book, index) => ({
      book,
      pages: index === 0 ? pages : [],
      pagesLeft: left.get(book.id)?.pagesLeft ?? null,
      timeLeftMs: left.get(book.id)?.timeLeftMs ?? null,
      deviceName: deviceNames.get(book.id) ?? null,
    })),
    total: await countOpenBooks(db, viewer),
    newest: shown.length > 0 ? null : await readNewest(db, viewer),
  }
}

const pagesInView = async (db: ReadDb, { id, readProgress }: OpenBook['book']): Promise<OpenBook['pages']> => {
  const pages = await readIndexedPages(db, id)
  if (pages.length === 0) return []
  const numbers = spreadAt(pages, readProgress?.currentPage ?? 1)
  return numbers.map((pageNumber) => {
    const { width = null, height = null } = pages[pageNumber - 1] ?? {}
    return { pageNumber, width, height }
  })
}

/** It finds the book to begin with among what came last: not the last volume of a pile. */
const readNewest = async (db: ReadDb, viewer: Viewer): Promise<OpenBooks['newest']> => {
  const [pile] = await selectPiles({ db, viewer, limit: 1 })
  return pile ? ((await showBooksById(db, viewer, [pile.bookId]))[0] ?? null) : null
}
