import type { WriteDb } from '../../../database/database.ts'
import type { ChangeTakenBack, TakingBack } from '../../../catalogue/listeners/listeners.ts'
import { readChanges } from '../../../catalogue/metadata/metadata.ts'
import { takeSeriesMergeBack } from '../undo-series.ts'
import { selectAct } from './queries.ts'
import { undoMove } from './undo-move.ts'

/** A line of the history that stands for a merge or a move is taken back with all that it was. */
export const takeActBack = async (
  db: WriteDb,
  { historyId, entityId, viewer, now }: TakingBack,
): Promise<ChangeTakenBack | undefined> => {
  const act = await selectAct(db, historyId)
  if (!act) return undefined
  if (act.move_id !== null) {
    const historyOf = await undoMove(db, viewer, act.move_id, { by: viewer.userId, now })
    return { undoneBy: historyOf.get(entityId) ?? null }
  }
  await takeSeriesMergeBack(db, viewer, act.merge_id ?? '', now)
  const [change] = await readChanges(db, [historyId])
  return { undoneBy: change?.undoneBy ?? null }
}
