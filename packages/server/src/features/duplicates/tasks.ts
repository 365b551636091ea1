import { Type } from 'typebox'
import { defineTask } from '../../tasks/define-task.ts'
import { announceDuplicates } from './detection/announce.ts'
import { groupMembers } from './detection/group-members.ts'
import { learnKeys } from './detection/learn-keys.ts'
import { countGroups, deleteGroupsOfNoLibrary, type Match, selectLibraryIds } from './detection/queries.ts'

const hour = 60 * 60 * 1000

/**
 * It looks for the same series and books, everywhere; or for the same series as those of one library that has grown.
 */
export const findDuplicates = defineTask(Type.Object({ libraryId: Type.Optional(Type.String()) }), {
  type: 'find_duplicates',
  priority: 40,
  endsWithinMs: 6 * hour,
  key: ({ libraryId = '' }) => libraryId,
  runsAgain: true,
  subject: ({ libraryId }) => (libraryId === undefined ? {} : { libraryId }),
  startable: {},
  run: async ({ libraryId }, context) => {
    const { db, write, clock, progress } = context
    const libraryIds = libraryId === undefined ? await selectLibraryIds(db.read) : [libraryId]
    const books = libraryId === undefined ? (['file', 'content', 'pages'] as const) : []
    const matches: readonly Match[] = [
      ...libraryIds.map((scope) => ({ type: 'title' as const, scope })),
      { type: 'external_id', scope: '' },
      ...books.map((type) => ({ type, scope: '' })),
    ]
    const total = libraryIds.length + matches.length
    let current = 0
    const step = (): void => progress({ current: (current += 1), total, message: null })
    let series = 0
    for (const each of libraryIds) {
      series += await learnKeys(context, { libraryId: each, changedOnly: libraryId !== undefined })
      step()
    }
    const changed = new Set<string>()
    for (const match of matches) {
      await groupMembers({ match, context, changed })
      step()
    }
    await write(async (db) => {
      if (libraryId === undefined) await deleteGroupsOfNoLibrary(db)
      await announceDuplicates(db, [...changed], clock())
    })
    return { result: { series, groups: await countGroups(db.readSlowly) }, items: series }
  },
})
