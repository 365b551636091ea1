import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { bookColumns, type ListedBook, type ListedSeries, seriesColumns } from './kinds.ts'

const columns = { book: bookColumns, series: seriesColumns }

const listed =
  <Row>(content: 'book' | 'series') =>
  async (db: ReadDb, behind: RawBuilder<unknown>): Promise<Row[]> => {
    const names = columns[content].map((name) => sql.ref(name))
    return (await sql<Row>`select ${sql.join(names)} ${behind}`.execute(db)).rows
  }

/** What lists show of the books that a statement names behind its columns; the same of series. */
export const selectListedBooks = listed<ListedBook>('book')
export const selectListedSeries = listed<ListedSeries>('series')
