import { defineCleanUp, removeInBatches } from '../../tasks/clean-up.ts'
import { removeOldRefreshTokens, removeOldSessions } from './sessions.ts'

/** Sessions nobody can go on with and nothing is to be learnt from any more. */
export const cleanUpSessions = defineCleanUp('cleanup_sessions', async (context, now) => {
  if (!now) return undefined
  return {
    sessions: await removeInBatches(context, (db, limit) => removeOldSessions(db, now, limit)),
    refreshTokens: await removeInBatches(context, (db, limit) => removeOldRefreshTokens(db, now, limit)),
  }
})
