import type { WriteDb } from '../../database/database.ts'
import type { RawBuilder } from 'kysely'
import { type Announcement, announce } from '../../events/outbox.ts'
import { selectBookLabels, selectLabelsAmong, selectSeriesLabels } from './queries.ts'

type SeriesNews = 'series_created' | 'series_updated' | 'series_deleted'
type BookNews = 'book_created' | 'book_updated' | 'book_deleted' | 'book_restored'

/** To those who may see them as they are now. */
export const announceSeries = async (
  db: WriteDb,
  type: SeriesNews,
  seriesIds: Iterable<string>,
  now: Date,
): Promise<void> => {
  const series = await selectSeriesLabels(db, [...new Set(seriesIds)])
  const news = series.map(({ id, libraryId, content }) => ({
    fact: { type, seriesId: id, libraryId },
    to: { libraryId, content },
  }))
  await announce(db, news, now)
}

export const announceBooks = async (
  db: WriteDb,
  type: BookNews,
  bookIds: readonly string[],
  now: Date,
): Promise<void> => {
  const books = await selectBookLabels(db, bookIds)
  const news = books.map(({ id, seriesId, libraryId, content }) => ({
    fact: { type, bookId: id, seriesId, libraryId },
    to: { libraryId, content },
  }))
  await announce(db, news, now)
}

/** That books or series look different now. */
export const announceCovers = async (
  db: WriteDb,
  entityType: 'book' | 'series',
  ids: readonly string[],
  now: Date,
): Promise<void> => {
  const labels = entityType === 'book' ? await selectBookLabels(db, ids) : await selectSeriesLabels(db, ids)
  const news = labels.map(({ id, libraryId, content }) => ({
    fact: { type: 'cover_updated' as const, entityType, entityId: id, libraryId },
    to: { libraryId, content },
  }))
  await announce(db, news, now)
}

/** Whoever may see one of these. Who sees several kinds of them is among several: they hear it more than once. */
export const audiencesOf = async (
  db: WriteDb,
  content: 'book' | 'series',
  ids: RawBuilder<unknown>,
): Promise<readonly Announcement['to'][]> => selectLabelsAmong(db, content, ids)
