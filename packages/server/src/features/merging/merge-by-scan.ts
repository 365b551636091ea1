import type { ReadDb, WriteDb } from '../../database/database.ts'
import { areKeysTaken, type selectWhole } from '../../catalogue/shown/shown.ts'
import { AppError } from '../../platform/errors.ts'
import { readKept } from './kept.ts'
import { mergeInto } from './merge-series.ts'
import { hasLaterMerge, selectMergedBooks, selectMergesFound, updateUndone } from './queries.ts'
import { putSeriesBack } from './undo-series.ts'

/**
 * The folders of two series have become one (C23), and so do they, as if somebody had merged them; it can be taken back. It
 * answers false where that would show something to somebody who could not see it: then only their books go over.
 */
const merge = async (
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
interface MergeFound {
  readonly id: string
  readonly intoId: string
  /** They came into the series with the one that has become part of it. */
  readonly bookIds: ReadonlySet<string>
}

const list = async (db: ReadDb, libraryId: string): Promise<readonly MergeFound[]> => {
  const found: MergeFound[] = []
  for (const { id, into_id } of await selectMergesFound(db, libraryId))
    found.push({ id, intoId: into_id, bookIds: new Set(await selectMergedBooks(db, id)) })
  return found
}

/** As if somebody had taken it back. It answers false where they could not, and does nothing. */
const takeBack = async (db: WriteDb, { id, intoId }: MergeFound, libraryId: string, now: Date): Promise<boolean> => {
  const row = (await selectMergesFound(db, libraryId)).find((each) => each.id === id)
  if (!row || row.into_id !== intoId || (await hasLaterMerge(db, row))) return false
  const kept = await readKept(db, id)
  if (await areKeysTaken(db, kept<Awaited<ReturnType<typeof selectWhole>>[number]>('series'))) return false
  await updateUndone(db, id, now.toISOString())
  await putSeriesBack(db, row, { by: null, now })
  return true
}

/** What scans may do with series whose folders become one and part again. */
export const mergesFound = { merge, list, takeBack }
