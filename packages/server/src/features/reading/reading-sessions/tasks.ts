import { Type } from 'typebox'
import { defineTask } from '../../../tasks/define-task.ts'
import { selectUser } from '../../users/users.ts'
import { recount } from './recount.ts'

const hour = 60 * 60 * 1000

/** Sums are kept in the days of where a user lives: when they move, their days are others. */
export const recountFigures = defineTask(Type.Object({ userId: Type.String() }), {
  type: 'recount_reading_figures',
  priority: 60,
  endsWithinMs: hour,
  key: ({ userId }) => userId,
  runsAgain: true,
  run: async ({ userId }, { db, write, signal }) => {
    if (!(await selectUser(db.read, userId))) return { result: { skipped: 'The user is gone.' } }
    const sessions = await recount({ write, signal }, userId)
    return { result: { sessions }, items: sessions }
  },
})
