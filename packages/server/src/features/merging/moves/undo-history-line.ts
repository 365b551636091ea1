import type { WriteDb } from '../../../database/database.ts'
import type { UndoneChange, UndoRequest } from '../../../catalogue/listeners/listeners.ts'
import { readChanges } from '../../../catalogue/metadata/metadata.ts'
import { undoSeriesMergeWithin } from '../undo-series.ts'
import { selectAct, selectLinesOfMove } from './queries.ts'
import { undoMove } from './undo-move.ts'

/**
 * A line of the history that stands for a merge or a move is taken back with all that it was, from whichever of the series that
 * were part of it.
 */
export const undoHistoryLine = async (
  db: WriteDb,
  { historyId, entityId, viewer, now, force }: UndoRequest,
): Promise<UndoneChange | undefined> => {
  const act = await selectAct(db, historyId)
  if (!act) return undefined
  const lines = await readChanges(db, act.move_id === null ? [historyId] : await selectLinesOfMove(db, act.move_id))
  if (!lines.some((line) => line.entityId === entityId)) return undefined
  if (act.move_id !== null) {
    const { historyOf, conflicts } = await undoMove(db, viewer, act.move_id, { by: viewer.userId, now, force })
    return { undoneBy: historyOf.get(entityId) ?? null, conflicts }
  }
  const { conflicts } = await undoSeriesMergeWithin(db, viewer, { id: act.merge_id ?? '', force, now })
  const [change] = await readChanges(db, [historyId])
  return { undoneBy: change?.undoneBy ?? null, conflicts }
}
