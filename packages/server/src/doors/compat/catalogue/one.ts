import type { CompatBook, CompatSeries } from '@carrel/api/doors'
import type { Database } from '../../../database/database.ts'
import { neighboursOf } from '../../../features/books/books.ts'
import { notFound } from '../../../platform/errors.ts'
import { showCompatBooks } from '../records/book-record.ts'
import { type CompatViewer, showCompatSeries } from '../records/series-record.ts'

type Reading = Pick<Database, 'readSlowly' | 'read'>

export const readCompatSeries = async (db: Reading, compatViewer: CompatViewer, id: string): Promise<CompatSeries> => {
  const [series] = await showCompatSeries(db.readSlowly, compatViewer, [id])
  if (!series) throw notFound('series')
  return series
}

export const readCompatBook = async (db: Reading, compatViewer: CompatViewer, id: string): Promise<CompatBook> => {
  const [book] = await showCompatBooks(db.readSlowly, compatViewer, [id])
  if (!book) throw notFound('book')
  return book
}

/** These applications take a 404 for the end. */
export const readNeighbour = async (
  db: Reading,
  compatViewer: CompatViewer,
  id: string,
  which: 'prev' | 'next',
): Promise<CompatBook> => {
  const neighbours = await neighboursOf(db.read, compatViewer.viewer, id)
  const beside = neighbours[which]
  if (beside === undefined) throw notFound(which === 'next' ? 'book behind this one' : 'book before this one')
  return readCompatBook(db, compatViewer, beside)
}
