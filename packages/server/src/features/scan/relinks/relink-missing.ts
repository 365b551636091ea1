import { Type } from 'typebox'
import { defineTask } from '../../../tasks/define-task.ts'
import { analyseLibraries } from '../analysis/analyse-library.ts'
import { relinkLeft } from './relink.ts'

const hour = 60 * 60 * 1000

/** Somebody has said that books are gone: each may lie elsewhere by now. */
export const relinkMissing = defineTask(Type.Object({ libraryId: Type.String() }), {
  type: 'relink_missing',
  priority: 100,
  endsWithinMs: hour,
  key: ({ libraryId }) => libraryId,
  runsAgain: true,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async ({ libraryId }, context) => {
    const toRead = await relinkLeft(libraryId, context)
    await context.write((db) => analyseLibraries(db, toRead, context.clock()))
    return { result: {} }
  },
})
