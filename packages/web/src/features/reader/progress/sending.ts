import {
  type ReadiumLocator,
  type ReadProgress,
  recordReadingSessions,
  saveProgress,
  saveProgression,
} from '@carrel/api'
import { call } from '../../../api/call.ts'
import { isSomebodyElse } from '../../../api/other-tabs.ts'
import { forgetSessions, waitingSessions } from './kept-sessions.ts'

/**
 * It sends what was measured and has not been answered, in parts, until nothing is left; by itself it tries nothing
 * again.
 */
export const sendSessions = async (userId: string, isLastWord = false): Promise<void> => {
  for (;;) {
    const sessions = waitingSessions(userId)
    if (sessions.length === 0 || isSomebodyElse()) return
    const { body } = await call(recordReadingSessions, { body: { sessions: [...sessions] } }, { isLastWord })
    const answered = [...body.accepted, ...body.rejected.map(({ id }) => id)]
    forgetSessions(userId, answered)
    if (answered.length === 0) return
  }
}

interface PositionToSend {
  readonly bookId: string
  /** A page, or a Readium locator in JSON. */
  readonly position: number | string
  /** When it was reached, for what is sent later; the server counts by its own clock what is sent at once. */
  readonly at: string | undefined
  readonly isLastWord: boolean
}

export const sendPosition = async ({
  bookId,
  position,
  at,
  isLastWord,
}: PositionToSend): Promise<ReadProgress | undefined> => {
  if (isSomebodyElse()) return undefined
  const params = { id: bookId }
  if (typeof position === 'number')
    return (await call(saveProgress, { params, body: { currentPage: position, ...(at && { at }) } }, { isLastWord }))
      .body
  const locator = JSON.parse(position) as ReadiumLocator
  return (await call(saveProgression, { params, body: { locator, ...(at && { modified: at }) } }, { isLastWord })).body
}
