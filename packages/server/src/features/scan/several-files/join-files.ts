import { Type } from 'typebox'
import { defineTask } from '../../../tasks/define-task.ts'
import { recountLibrary } from '../../libraries/libraries.ts'
import { selectScannedLibrary } from '../queries.ts'
import { settleLibrary } from './settle.ts'

const hour = 60 * 60 * 1000

/** Books that lay beside each other in several formats before that made them one. */
export const joinFiles = defineTask(Type.Object({ libraryId: Type.String() }), {
  type: 'join_files',
  priority: 100,
  endsWithinMs: 6 * hour,
  key: ({ libraryId }) => libraryId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async ({ libraryId }, context) => {
    const { db, write, clock } = context
    const library = await selectScannedLibrary(db.read, libraryId)
    if (!library) return { result: { skipped: 'The library is gone.' } }
    const items = await settleLibrary({ library, context })
    await write((db) => recountLibrary(db, libraryId, clock().toISOString()))
    return { result: { files: items }, items }
  },
})
