import type { CompatBook, CompatSeries } from '@carrel/api/doors'
import { neighboursOf } from '../../../features/books/books.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompatRecords } from '../records/records.ts'
import type { CompatViewer } from '../records/series-record.ts'
import type { Source } from './lists.ts'

export const readCompatSeries = async (
  records: CompatRecords,
  compatViewer: CompatViewer,
  id: string,
): Promise<CompatSeries> => {
  const [series] = await records.series(compatViewer, [id])
  if (!series) throw notFound('series')
  return series
}

export const readCompatBook = async (
  records: CompatRecords,
  compatViewer: CompatViewer,
  id: string,
): Promise<CompatBook> => {
  const [book] = await records.books(compatViewer, [id])
  if (!book) throw notFound('book')
  return book
}

/** These applications take a 404 for the end. */
export const readNeighbour = async (
  { db, records }: Pick<Source, 'db' | 'records'>,
  compatViewer: CompatViewer,
  id: string,
  which: 'prev' | 'next',
): Promise<CompatBook> => {
  const neighbours = await neighboursOf(db.read, compatViewer.viewer, id)
  const beside = neighbours[which]
  if (beside === undefined) throw notFound(which === 'next' ? 'book behind this one' : 'book before this one')
  return readCompatBook(records, compatViewer, beside)
}
