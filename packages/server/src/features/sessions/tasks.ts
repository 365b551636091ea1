import { Type } from 'typebox'
import { isClockSteady, removeInBatches } from '../../tasks/clean-up.ts'
import { defineTask } from '../../tasks/define-task.ts'
import { removeOldRefreshTokens, removeOldSessions } from './sessions.ts'

/** Sessions nobody can go on with and nothing is to be learnt from any more. */
export const cleanUpSessions = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'cleanup_sessions',
  priority: 100,
  endsWithinMs: 30 * 60 * 1000,
  key: () => '',
  startable: { byHand: true },
  run: async ({ byHand }, tools) => {
    const now = tools.clock()
    if (!byHand && !(await isClockSteady(tools.db.read, 'cleanup_sessions', now)))
      return { result: { skipped: 'The clock has made a leap: the next runs will show whether it can be believed.' } }
    const sessions = await removeInBatches(tools, (db, limit) => removeOldSessions(db, now, limit))
    const refreshTokens = await removeInBatches(tools, (db, limit) => removeOldRefreshTokens(db, now, limit))
    return { result: { sessions, refreshTokens }, items: sessions + refreshTokens }
  },
})
