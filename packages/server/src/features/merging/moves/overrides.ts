import { basename } from 'node:path/posix'
import type { BookPlacement, GroupingOverride, ListAnswer } from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/paging.ts'
import { requireBook, requireLibrary } from '../../../catalogue/entries/entries.ts'
import {
  type GroupedBook,
  groupBooks,
  lockForMerge,
  selectMergesOf,
  selectOverridesOfBooks,
  selectOverridesThrough,
  selectSeriesOfKeys,
} from '../../../catalogue/shown/shown.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { carryOut } from './carry-out.ts'
import { countOverrides, selectOverride, selectOverrides, selectSeriesTitles, selectUsername } from './queries.ts'
import { planByGrouping } from './undo-move.ts'

type Otherwise = BookPlacement['otherwise']

export const listOverrides = async (
  db: ReadDb,
  viewer: Viewer,
  libraryId: string,
  paging: Paging,
): Promise<ListAnswer<GroupingOverride>> => {
  await requireLibrary(db, viewer, libraryId)
  const total = await countOverrides(db, viewer, libraryId)
  const rows = paging.offset < total ? await selectOverrides(db, viewer, libraryId, paging) : []
  const bookIds = rows.flatMap(({ book_id }) => book_id ?? [])
  const otherwise = await readOtherwise(db, viewer, libraryId, await groupBooks(db, bookIds))
  return {
    total,
    data: rows.map((row) => ({
      id: row.id,
      bookId: row.book_id,
      name: row.book_title ?? basename(row.folder ?? ''),
      number: row.number,
      volume: row.volume,
      chapter: row.chapter,
      ...(viewer.seesPaths && { folder: row.folder }),
      seriesId: row.series_id,
      seriesTitle: row.series_title,
      otherwise: otherwise(row.book_id ?? ''),
      throughId: row.through_id,
      at: row.at,
      by: personOf(row.by_user_id, row.username),
    })),
  }
}

const personOf = (id: string | null, username: string | null | undefined) =>
  id === null || username == null ? null : { id, username }

/** A series that the viewer does not see is not named. */
const readOtherwise = async (
  db: ReadDb,
  viewer: Viewer,
  libraryId: string,
  grouped: ReadonlyMap<string, GroupedBook>,
): Promise<(bookId: string) => Otherwise> => {
  const keys = [...new Set([...grouped.values()].map(({ series: grouping }) => grouping.key))]
  const idOf = await selectSeriesOfKeys(db, libraryId, keys)
  const titleOf = await selectSeriesTitles(db, viewer, [...idOf.values()])
  return (bookId) => {
    const grouping = grouped.get(bookId)?.series
    if (!grouping) return null
    const seriesId = idOf.get(grouping.key)
    if (seriesId === undefined) return { seriesId: null, title: grouping.title }
    const title = titleOf.get(seriesId)
    return title === undefined ? null : { seriesId, title }
  }
}

export const readPlacement = async (db: ReadDb, viewer: Viewer, id: string): Promise<BookPlacement> => {
  const book = await requireBook(db, viewer, id)
  const titleOf = await selectSeriesTitles(db, viewer, [book.series_id])
  const grouped = await groupBooks(db, [id])
  const { series: grouping, policy = 'folder', isByFile = false } = grouped.get(id) ?? {}
  const [override] = await selectOverridesOfBooks(db, book.library_id, [id])
  const [merge] = grouping && !override ? await selectMergesOf(db, book.library_id, [grouping.key]) : []
  const hand = override ?? merge
  const because = override ? 'hand' : merge ? 'merge' : isByFile ? 'file' : 'policy'
  const otherwise = await readOtherwise(db, viewer, book.library_id, grouped)
  return {
    seriesId: titleOf.has(book.series_id) ? book.series_id : null,
    because,
    policy,
    at: hand?.at ?? null,
    by: personOf(hand?.by_user_id ?? null, await selectUsername(db, hand?.by_user_id ?? null)),
    overrideId: override?.id ?? null,
    throughId: override?.through_id ?? null,
    otherwise: otherwise(id),
  }
}

/** The grouping decides again, of a book or of all that has come through a folder. It is a move, and can be taken back as one. */
export const removeOverride = (
  db: Database,
  viewer: Viewer,
  { libraryId, overrideId }: { readonly libraryId: string; readonly overrideId: string },
  now: Date,
): Promise<{ historyId: string | null; movedBooks: number }> =>
  db.write(async (db) => {
    await requireLibrary(db, viewer, libraryId)
    const override = await selectOverride(db, viewer, libraryId, overrideId)
    if (!override) throw notFound('override')
    await lockForMerge(db, [override.series_id])
    const through = override.book_id === null ? await selectOverridesThrough(db, [overrideId]) : [override]
    const moves = await planByGrouping(db, viewer, { libraryId, through }, now)
    const removed = [...new Map([override, ...through].map((row) => [row.id, row])).values()]
    const done = await carryOut(
      db,
      {
        libraryId,
        moves,
        overrides: { removed, added: [] },
        isBack: false,
        reason: 'move',
        tells: [override.series_id],
      },
      { by: viewer.userId, now },
    )
    return { historyId: done.historyOf.get(override.series_id) ?? null, movedBooks: done.movedBooks }
  })
