import type { ReadDb, WriteDb } from '../../database/database.ts'
import { areKeysTaken, moveBooksBack, refresh, renameSeries } from '../../catalogue/shown/shown.ts'
import type { GroupedSeries } from '../../naming/grouping/grouping-policy.ts'
import { AppError, conflict } from '../../platform/errors.ts'
import { mergeInto } from './merge-series.ts'
import {
  type MergeRow,
  selectBooksOf,
  selectMergedBooks,
  selectScanMerges,
  selectMergesSince,
  updateUndone,
} from './queries.ts'
import { restoreMergedSeries } from './undo-series.ts'

/**
 * The folders of two series have become one (C23), and so do they, as if somebody had merged them; it can be taken back. It
 * answers false where one of them is gone by now: then only their books go over.
 */
export const mergeByScan = async (
  db: WriteDb,
  { fromId, intoId, now }: { readonly fromId: string; readonly intoId: string; readonly now: Date },
): Promise<boolean> => {
  try {
    await mergeInto(db, null, { fromIds: [fromId], into: intoId, now })
    return true
  } catch (error) {
    // It is refused before anything is written.
    if (error instanceof AppError && error.code === 'conflict') return false
    throw error
  }
}

/** A merge that a scan has made and nobody has taken back. */
export interface ScanMerge {
  readonly id: string
  readonly intoId: string
  /** They came into the series with the one that has become part of it. */
  readonly bookIds: ReadonlySet<string>
}

export const listScanMerges = async (db: ReadDb, libraryId: string): Promise<readonly ScanMerge[]> => {
  const merges: ScanMerge[] = []
  for (const { id, into_id } of await selectScanMerges(db, libraryId))
    merges.push({ id, intoId: into_id, bookIds: new Set(await selectMergedBooks(db, id)) })
  return merges
}

interface UndoOptions {
  readonly libraryId: string
  /** Where the one that comes back lies now. */
  readonly goesTo: GroupedSeries
  /** Where the one that stays lies now. Absent: it goes by the key and the name that it has. */
  readonly staysAt?: { readonly oldKey: string; readonly grouped: GroupedSeries } | undefined
  readonly now: Date
}

/**
 * Takes a merge back as somebody could who sees all of it. Those that came into the same series later are taken back before
 * it and made again after it. Where anything stands in the way there is a conflict, and the transaction has to end.
 */
export const undoMergeByScan = async (
  db: WriteDb,
  merged: ScanMerge,
  { libraryId, goesTo, staysAt, now }: UndoOptions,
): Promise<void> => {
  const { id, intoId } = merged
  const open = await selectMergesSince(db, intoId, id)
  const row = open.at(-1)
  if (row?.id !== id || open.some((each) => each.by_user_id !== null || each.library_id !== libraryId))
    throw conflict('merged_since', 'People have merged other series into this one since.')
  if (staysAt) await renameToFree(db, libraryId, { id: intoId, ...staysAt })
  const others: string[] = []
  for (const later of open.slice(0, -1))
    others.unshift(...(await restoreFrom(db, later, { by: null, goesTo: 'nowhere', now })))
  const [ownId = ''] = await restoreFrom(db, row, { by: null, goesTo, now })
  for (const fromId of others) {
    const books = await selectBooksOf(db, [fromId], merged.bookIds.size + 1)
    const isPartOfOwn = books.every((each) => merged.bookIds.has(each))
    await mergeInto(db, null, { fromIds: [fromId], into: isPartOfOwn ? ownId : intoId, now })
  }
  // A book that was in one of the others had come into that one from this one.
  await moveBooksBack(db, { mergeId: id, intoSeriesId: intoId, at: now.toISOString() })
  await refresh(db, { series: [intoId, ownId], isEdit: true }, now)
}

const renameToFree = async (
  db: WriteDb,
  libraryId: string,
  rename: { readonly id: string; readonly oldKey: string; readonly grouped: GroupedSeries },
): Promise<void> => {
  const { id, oldKey, grouped } = rename
  if (oldKey !== grouped.key && (await areKeysTaken(db, [{ library_id: libraryId, key: grouped.key }])))
    throw conflict('place_taken', 'Another series lies there.')
  await renameSeries(db, libraryId, [{ id, oldKey, target: grouped }])
}

const restoreFrom = async (db: WriteDb, row: MergeRow, options: Parameters<typeof restoreMergedSeries>[2]) => {
  await updateUndone(db, row.id, options.now.toISOString())
  const { fromIds } = await restoreMergedSeries(db, row, options)
  return fromIds
}
