import type { BookError, BookErrorKind, ListAnswer } from '@carrel/api'
import type { Database } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import { requestCovers } from '../covers/covers.ts'
import { readAgain } from '../scan/scan.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { countErrors, countErrorsByCode, type ErrorFilter, selectErrorBooks, selectErrors } from './queries.ts'

export const listErrors = async (
  db: Database,
  viewer: Viewer,
  filter: ErrorFilter,
  paging: Paging,
): Promise<ListAnswer<BookError>> => {
  const total = await countErrors(db.readSlowly, viewer, filter)
  return { total, data: paging.offset < total ? await selectErrors(db.readSlowly, viewer, filter, paging) : [] }
}

export const countKinds = async (
  db: Database,
  viewer: Viewer,
  filter: Pick<ErrorFilter, 'libraryId'>,
): Promise<{ kinds: BookErrorKind[] }> => ({ kinds: await countErrorsByCode(db.readSlowly, viewer, filter) })

export const retryOne = async (
  db: Database,
  viewer: Viewer,
  bookId: string,
  now: Date,
): Promise<{ retried: number }> => {
  const retried = await retryErrors(db, viewer, { bookId }, now)
  if (retried.retried === 0) throw notFound('book with an error')
  return retried
}

const booksAtOnce = 250

/** The work is done in steps, each a transaction; a book is named once, however quickly it fails again. */
export const retryErrors = async (
  db: Database,
  viewer: Viewer,
  filter: ErrorFilter,
  now: Date,
): Promise<{ retried: number }> => {
  let retried = 0
  let after = ''
  for (;;) {
    const books = await selectErrorBooks(db.readSlowly, viewer, filter, { after, limit: booksAtOnce })
    if (books.length === 0) return { retried }
    const unread = books.filter(({ fault_code }) => fault_code !== null)
    const uncovered = books.filter(({ fault_code }) => fault_code === null)
    await db.write(async (db) => {
      await readAgain(
        db,
        unread.map(({ id, library_id }) => ({ bookId: id, libraryId: library_id })),
        now,
      )
      await requestCovers(
        db,
        uncovered.map(({ id }) => id),
        now,
      )
    })
    retried += books.length
    after = books.at(-1)?.id ?? after
  }
}
