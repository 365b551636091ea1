import type { ReadProgress } from '@carrel/api'
import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { type Viewer, visibleTo } from '../visibility/visibility.ts'
import { shownIn } from './position.ts'
import { progressIdOf } from './progress-id.ts'
import type { ReadingTables } from './table.ts'

export interface SeriesCounts {
  /** Read to their end, whether or not they are being read again. */
  readonly read: number
  readonly inProgress: number
}

export const selectProgressOf = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<Map<string, ReadProgress>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('read_progress')
    .innerJoin('book', 'book.id', 'read_progress.book_id')
    .selectAll('read_progress')
    .select('book.page_count as pages')
    .where('read_progress.user_id', '=', userId)
    .where('read_progress.book_id', 'in', bookIds)
    .execute()
  return new Map(rows.map((row) => [row.book_id, toProgress(row, row.pages)]))
}

export const selectKeptCounts = async (
  db: ReadDb,
  userId: string,
  seriesIds: readonly string[],
): Promise<Map<string, SeriesCounts>> => {
  const rows = await db
    .selectFrom('series_progress')
    .select(['series_id', 'read_count', 'in_progress_count'])
    .where('user_id', '=', userId)
    .where('series_id', 'in', seriesIds)
    .execute()
  return new Map(
    rows.map(({ series_id, read_count, in_progress_count }) => [
      series_id,
      { read: read_count, inProgress: in_progress_count },
    ]),
  )
}

/** For a viewer from whom some books of a series may be hidden. */
export const countVisible = async (
  db: ReadDb,
  viewer: Viewer,
  seriesIds: readonly string[],
): Promise<Map<string, SeriesCounts>> => {
  const rows = await db
    .selectFrom('book')
    .innerJoin('read_progress', (join) =>
      join.onRef('read_progress.book_id', '=', 'book.id').on('read_progress.user_id', '=', viewer.userId),
    )
    .select(({ fn }) => [
      'book.series_id',
      fn.sum<number>('read_progress.completed').as('read'),
      fn.countAll<number>().as('opened'),
    ])
    .where('book.series_id', 'in', seriesIds)
    .where('book.state', '=', 'present')
    .where(visibleTo(viewer, 'book'))
    .groupBy('book.series_id')
    .execute()
  return new Map(rows.map(({ series_id, read, opened }) => [series_id, { read, inProgress: opened - read }]))
}

/** For one user or for all who read there. */
export const recountProgress = async (db: WriteDb, seriesIds: readonly string[], userId?: string): Promise<void> => {
  if (seriesIds.length === 0) return
  // Whoever counts the same at the same time is waited for, and then counted in.
  await db
    .updateTable('series_progress')
    .set(({ ref }) => ({ read_count: ref('read_count') }))
    .where('series_id', 'in', seriesIds)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .execute()
  await db
    .deleteFrom('series_progress')
    .where('series_id', 'in', seriesIds)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .execute()
  await db
    .insertInto('series_progress')
    .columns(['user_id', 'series_id', 'read_count', 'in_progress_count', 'last_read_at'])
    .expression((from) =>
      from
        .selectFrom('book')
        .innerJoin('read_progress', 'read_progress.book_id', 'book.id')
        .select(({ fn }) => [
          'read_progress.user_id',
          'book.series_id',
          fn.sum<number>('read_progress.completed').as('read_count'),
          sql<number>`count(*) - sum(read_progress.completed)`.as('in_progress_count'),
          fn.max('read_progress.updated_at').as('last_read_at'),
        ])
        .where('book.series_id', 'in', seriesIds)
        .where('book.state', '=', 'present')
        .$if(userId !== undefined, (query) => query.where('read_progress.user_id', '=', userId ?? ''))
        .groupBy(['read_progress.user_id', 'book.series_id']),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'series_id']).doUpdateSet(({ ref }) => ({
        read_count: ref('excluded.read_count'),
        in_progress_count: ref('excluded.in_progress_count'),
        last_read_at: ref('excluded.last_read_at'),
      })),
    )
    .execute()
}

export type ProgressRow = Selectable<ReadingTables['read_progress']>

/** `pageCount` is that of the book by now. */
export const toProgress = (row: ProgressRow, pageCount: number): ReadProgress => ({
  id: progressIdOf(row.user_id, row.book_id),
  userId: row.user_id,
  bookId: row.book_id,
  ...shownIn(pageCount, { page: row.page, percentage: row.percentage, pageCount: row.page_count }),
  completed: row.completed === 1,
  startedAt: row.started_at,
  updatedAt: row.updated_at,
  completedAt: row.completed_at,
  heldBack: false,
})
