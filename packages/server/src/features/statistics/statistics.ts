import type { BookDto, BookOfYear, ReadingStatsResponse, ReadingYear, SeriesStat } from '@carrel/api'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import { showBooksById } from '../books/books.ts'
import { readStats, readYear, type SeriesFigures } from '../reading/reading.ts'
import { showCoversById } from '../series/series.ts'

/** The figures of a window, with the covers of the series that may be seen. */
export const showStats = async (
  db: ReadDb,
  viewer: Viewer,
  query: Parameters<typeof readStats>[2],
  now: Date,
): Promise<ReadingStatsResponse> => {
  const stats = await readStats(db, viewer, query, now)
  return { ...stats, series: await withCovers(db, viewer, stats.series) }
}

/** A year, with the covers and books that may be seen. */
export const showYear = async (
  db: ReadDb,
  viewer: Viewer,
  query: Parameters<typeof readYear>[2],
  now: Date,
): Promise<ReadingYear> => {
  const year = await readYear(db, viewer, query, now)
  const { firstFinished: first, lastFinished: last } = year
  const [series, books] = await Promise.all([
    withCovers(db, viewer, year.series),
    showBooksById(db, viewer, [...new Set([first, last].flatMap((each) => each?.bookId ?? []))]),
  ])
  return { ...year, series, firstFinished: among(books, first), lastFinished: among(books, last) }
}

/** A series that is in no list has neither cover nor page. */
const withCovers = async (db: ReadDb, viewer: Viewer, series: readonly SeriesFigures[]): Promise<SeriesStat[]> => {
  const shown = await showCoversById(
    db,
    viewer,
    series.flatMap(({ seriesId }) => seriesId ?? []),
  )
  const covers = new Map(shown.map(({ seriesId, ...cover }) => [seriesId, cover]))
  return series.map((each) => ({ ...each, cover: covers.get(each.seriesId ?? '') ?? null }))
}

const among = (
  books: readonly BookDto[],
  finished: { readonly day: string; readonly bookId: string } | null,
): BookOfYear | null => {
  const book = books.find(({ id }) => id === finished?.bookId)
  return finished && book ? { day: finished.day, book } : null
}
