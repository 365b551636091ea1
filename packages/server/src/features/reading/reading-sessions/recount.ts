import type { WriteDb } from '../../../database/database.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { requireZone } from './apply.ts'
import { changesOf } from './figures.ts'
import { addFigures, deleteSomeFigures, saveFigureZone, selectFigureZone, selectSessionsAfter } from './queries.ts'

export interface RecountContext {
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  readonly signal?: AbortSignal
}

/** One transaction counts this many: others wait for it. */
const sessionsAtOnce = 200
const figuresAtOnce = 500
/** First the old rows are removed, then sessions are added in order. */
const removing = { startedAt: '', id: '' }
const adding = { startedAt: '', id: '~' }

/** From now on no sum is valid until all are made again: meanwhile figures are computed from the sessions. */
export const beginRecount = (context: Pick<RecountContext, 'write'>, userId: string): Promise<void> =>
  context.write(async (db) => {
    await lockUser(db, userId)
    const { own } = await selectFigureZone(db, userId)
    await saveFigureZone(db, userId, own, removing)
  })

/** It makes the sums of a user again from their sessions, a part at a time, in the days of where they live by now. */
export const recount = async (context: RecountContext, userId: string): Promise<number> => {
  await beginRecount(context, userId)
  for (let count = 0; ;) {
    context.signal?.throwIfAborted()
    const { added, isDone } = await context.write((db) => goOn(db, userId))
    count += added
    if (isDone) return count
  }
}

/**
 * The progress is stored in the database: another process that does the same at this moment does not repeat the work.
 */
const goOn = async (db: WriteDb, userId: string): Promise<{ readonly added: number; readonly isDone: boolean }> => {
  await lockUser(db, userId)
  const { storedZone, builtTo } = await selectFigureZone(db, userId)
  if (storedZone === null || builtTo === null) return { added: 0, isDone: true }
  if (builtTo.id === removing.id) {
    if (!(await deleteSomeFigures(db, userId, figuresAtOnce))) await saveFigureZone(db, userId, storedZone, adding)
    return { added: 0, isDone: false }
  }
  const rows = await selectSessionsAfter(db, { userId }, builtTo, sessionsAtOnce)
  await addFigures(db, changesOf(userId, requireZone(storedZone), { gone: [], come: rows }))
  const last = rows.at(-1)
  const isDone = rows.length < sessionsAtOnce || !last
  await saveFigureZone(db, userId, storedZone, isDone ? null : { startedAt: last.started_at, id: last.id })
  return { added: rows.length, isDone }
}
