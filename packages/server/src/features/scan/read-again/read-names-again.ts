import { Type } from 'typebox'
import type { StoredLayer } from '../../../catalogue/shown/shown.ts'
import { defineTask } from '../../../tasks/define-task.ts'
import type { LayerBefore } from './queries.ts'
import { readLayersAgain } from './read-layers-again.ts'

const hour = 60 * 60 * 1000
/** Whose names of people were divided at signs that stand in names (decision 040). */
const sources = ['file:opf', 'file:mobi', 'file:pdf', 'sidecar:opf']

/**
 * Once after an upgrade: books of whose people one may have been taken for several are read again, as a scan reads what has
 * changed. What was written in them is not kept, and cannot be put together from its parts.
 */
export const readNamesAgain = defineTask(Type.Object({ before: Type.String() }), {
  type: 'read_names_again',
  priority: 15,
  endsWithinMs: 6 * hour,
  key: () => '',
  run: ({ before }, context) => readLayersAgain(context, { sources, before, ending: '.opf', isDoubtful: mayBeOne }),
})

/** Two with the same part in it: whoever is one stood in one place. */
const mayBeOne = ({ fields }: LayerBefore): boolean => {
  const { book } = JSON.parse(fields) as StoredLayer
  const roles = (book?.authors ?? []).map(({ role }) => role)
  return new Set(roles).size < roles.length
}
