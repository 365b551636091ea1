import { type ReadProgress, recordReadingSessions, saveProgress } from '@carrel/api'
import { call } from '../../api/call.ts'
import { forget, waiting } from '../../reader/unsent.ts'

/** Sends what was measured and has not been answered, in parts, until nothing is left; by itself it tries nothing again. */
export const sendSittings = async (userId: string, isLastWord = false): Promise<void> => {
  for (;;) {
    const sessions = waiting(localStorage, userId, Date.now())
    if (sessions.length === 0) return
    const { body } = await call(recordReadingSessions, { body: { sessions: [...sessions] } }, { isLastWord })
    const answered = [...body.accepted, ...body.rejected.map(({ id }) => id)]
    forget(localStorage, userId, answered)
    if (answered.length === 0) return
  }
}

export const sendPosition = async (
  bookId: string,
  page: number,
  isLastWord = false,
): Promise<ReadProgress | undefined> => {
  const update = { params: { id: bookId }, body: { currentPage: page } }
  return (await call(saveProgress, update, { isLastWord })).body
}
