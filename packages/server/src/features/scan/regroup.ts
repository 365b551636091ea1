import { Type } from 'typebox'
import { defineTask } from '../../tasks/define-task.ts'
import { recountLibrary } from '../libraries/libraries.ts'
import { announceRefreshed, refresh, announcedSinglyMax } from '../../catalogue/shown/shown.ts'
import { settleLibrary } from './several-files/settle.ts'
import { selectScannedLibrary, selectBookIdsAfter } from './queries.ts'

const batch = 200
const hour = 60 * 60 * 1000

/** Books go to the series that the library's grouping says, each with all that is theirs. */
export const regroupLibrary = defineTask(Type.Object({ libraryId: Type.String() }), {
  type: 'regroup_library',
  priority: 200,
  endsWithinMs: 6 * hour,
  key: ({ libraryId }) => libraryId,
  runsAgain: true,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async ({ libraryId }, context) => {
    const { db, write, clock, signal } = context
    const library = await selectScannedLibrary(db.read, libraryId)
    if (!library) return { result: { skipped: 'The library is gone.' } }
    let items = 0
    let left = announcedSinglyMax
    let after = ''
    for (;;) {
      signal.throwIfAborted()
      const bookIds = await selectBookIdsAfter(db.read, libraryId, after, batch)
      if (bookIds.length === 0) break
      await write(async (db) => {
        const now = clock()
        const told = await announceRefreshed(db, await refresh(db, { books: bookIds }, now), now, left)
        left -= told.count
      })
      items += bookIds.length
      after = bookIds.at(-1) ?? after
    }
    await settleLibrary({ library, context })
    await write((db) => recountLibrary(db, libraryId, clock().toISOString()))
    return { result: { books: items }, items }
  },
})
