import type { WriteDb } from '../../database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { bringToWholes } from '../../catalogue/shown/shown.ts'
import { mergeFormats } from './merge-books.ts'
import {
  deleteEmptyMerge,
  deletePart,
  hasLaterMerge,
  insertMergeRows,
  insertPartRows,
  selectMergeOfPart,
  updateUndone,
} from './queries.ts'
import { refreshReleased, showReleased, takeApart } from './undo-books.ts'

export interface NewFormats {
  readonly libraryId: string
  readonly parts: readonly { readonly bookId: string; readonly intoId: string }[]
  readonly now: Date
}

/** Files that were found beside that of a book and are the same book in other formats (C21), so that they never were books. */
export const addFormats = async (db: WriteDb, { libraryId, parts, now }: NewFormats): Promise<void> => {
  const wholes = Map.groupBy(parts, ({ intoId }) => intoId)
  const merges = [...wholes].map(([intoId, ofBook]) => ({ id: newId(now.getTime()), intoId, ofBook }))
  await insertMergeRows(
    db,
    merges.map(({ id, intoId }) => ({
      id,
      entity: 'file' as const,
      library_id: libraryId,
      into_id: intoId,
      at: now.toISOString(),
      by_user_id: null,
      undone_at: null,
    })),
  )
  await insertPartRows(
    db,
    merges.flatMap(({ id, intoId, ofBook }) =>
      ofBook.map(({ bookId }) => ({ book_id: bookId, into_book_id: intoId, merge_id: id, is_format: 1 as const })),
    ),
  )
}

/**
 * Two books turn out to be one in two formats; that can be taken back. It answers false where that would show something to
 * somebody who could not see it, or hide it: then they stay two.
 */
export const joinFormats = async (
  db: WriteDb,
  joining: { readonly fromId: string; readonly intoId: string; readonly now: Date },
): Promise<boolean> => {
  try {
    await mergeFormats(db, joining)
    return true
  } catch (error) {
    // It is refused before anything is written.
    if (error instanceof AppError && error.code === 'conflict') return false
    throw error
  }
}

/** A file lies beside that of its book no more: it is a book of its own, with what people had on it before it was part of the other. */
export const separateFormat = async (db: WriteDb, bookId: string, now: Date): Promise<void> => {
  const merge = await selectMergeOfPart(db, bookId)
  if (merge?.is_format !== 1) return
  const { into_book_id: intoId, is_format: _, ...row } = merge
  // What it was told apart by goes with it (W9).
  await bringToWholes(db, [{ partId: bookId, wholeId: intoId }])
  if (row.entity === 'book' && row.undone_at === null && !(await hasLaterMerge(db, row))) {
    await updateUndone(db, row.id, now.toISOString())
    await takeApart(db, row, { by: null, now })
    return
  }
  const released = [{ id: bookId, state: 'present' as const }]
  await showReleased(db, released, now)
  await deletePart(db, bookId)
  await deleteEmptyMerge(db, row.id)
  await refreshReleased(db, released, { ...row, into_id: intoId }, now)
}
