import type { WriteDb } from '../../database/database.ts'
import { labelsOfStricterSeries } from '../../catalogue/visibility/visibility.ts'
import { announce } from '../../events/outbox.ts'

/** A book in which something that shows of a reader's progress has changed. */
export interface ProgressNews {
  readonly bookId: string
  readonly seriesId: string
  readonly libraryId: string
  /** There is no position in it any more. */
  readonly isUnread: boolean
}

/** Only the reader hears of it. */
export const announceProgress = async (
  db: WriteDb,
  userId: string,
  news: readonly ProgressNews[],
  { now, marksSeries = false }: { readonly now: Date; readonly marksSeries?: boolean | undefined },
): Promise<void> => {
  const seriesOf = await labelsOfStricterSeries(
    db,
    news.map(({ bookId }) => bookId),
  )
  await announce(
    db,
    news.map(({ bookId, seriesId, libraryId, isUnread }, index) => ({
      event: {
        type: 'progress_updated',
        bookId,
        seriesId,
        libraryId,
        ...(isUnread && { isUnread }),
        ...(marksSeries && index === news.length - 1 && { marksSeries }),
      },
      to: { userId, permission: 'progress:read', libraryId, series: seriesOf.get(bookId) },
    })),
    now,
  )
}
