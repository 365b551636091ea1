import type { WriteDb } from '../../database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { mergeInto } from './merge-series.ts'

/**
 * The folders of two series have become one (C23), and so do they, as if somebody had merged them; it can be taken back. It
 * answers false where that would show something to somebody who could not see it: then only their books go over.
 */
export const mergeFound = async (
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
