import type { ListAnswer, MergeRecord } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import {
  countMerges,
  type Entity,
  hasLaterMerge,
  type MergeRow,
  selectMerge,
  selectMerges,
  updateUndone,
} from './queries.ts'

/** The newest first. */
export const listMerges = async (
  db: ReadDb,
  viewer: Viewer,
  entity: Entity,
  paging: Paging,
): Promise<ListAnswer<MergeRecord>> => {
  const total = await countMerges(db, viewer, entity)
  const rows = paging.offset < total ? await selectMerges(db, viewer, entity, paging) : []
  return {
    total,
    data: rows.map(({ id, into_id, title, at, by_user_id, username, undone_at }) => ({
      id,
      intoId: into_id,
      title,
      at,
      by: by_user_id === null || username === null ? null : { id: by_user_id, username },
      undoneAt: undone_at,
    })),
  }
}

/** One that this viewer may take back, and that nobody else takes back at the same time. */
export const openMerge = async (
  db: WriteDb,
  viewer: Viewer,
  of: { readonly entity: Entity; readonly id: string },
  now: Date,
): Promise<MergeRow> => {
  const merge = await selectMerge(db, viewer, of)
  if (!merge) throw notFound('merge')
  if (!(await updateUndone(db, merge.id, now.toISOString())))
    throw conflict('undone_already', 'This merge has been taken back already.')
  if (await hasLaterMerge(db, merge))
    throw conflict('merged_since', 'Something else has been merged into the same one since. Take that back first.')
  return merge
}
