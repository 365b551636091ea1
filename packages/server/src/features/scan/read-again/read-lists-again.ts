import { Type } from 'typebox'
import { defineTask } from '../../../tasks/define-task.ts'
import { readLayersAgain } from './read-layers-again.ts'

const hour = 60 * 60 * 1000
const sources = ['file:comicinfo', 'sidecar:comicinfo']

/** Once for a library that is to make lists of its files: until version 48 nobody kept which lists these name. */
export const readListsAgain = defineTask(Type.Object({ libraryId: Type.String(), before: Type.String() }), {
  type: 'read_lists_again',
  priority: 15,
  endsWithinMs: 6 * hour,
  key: ({ libraryId }) => libraryId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: ({ libraryId, before }, context) =>
    readLayersAgain(context, { libraryId, sources, before, ending: '.xml', isDoubtful: () => true }),
})
