import { Type } from 'typebox'
import type { WriteDb } from '../../../database/database.ts'
import { defineTask } from '../../../tasks/define-task.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { analyseLibrary } from '../analysis/analyse-library.ts'
import type { StoredLayer } from '../../../catalogue/shown/shown.ts'
import { startScan } from '../scan.ts'
import {
  type LayerBefore,
  type LayerKey,
  selectLayersBefore,
  updateFilesPending,
  updateSidecarsUnknown,
} from './queries.ts'

const hour = 60 * 60 * 1000
const layersAtOnce = 500

/**
 * Once after an upgrade: books of whose people one may have been taken for several are read again, as a scan reads what has
 * changed. What was written in them is not kept, and cannot be put together from its parts.
 */
export const readNamesAgain = defineTask(Type.Object({ before: Type.String() }), {
  type: 'read_names_again',
  priority: 15,
  endsWithinMs: 6 * hour,
  key: () => '',
  run: async ({ before }, { db, write, clock, signal }) => {
    let books = 0
    for (let after: LayerKey = { entity_id: '', source: '' }; ;) {
      signal.throwIfAborted()
      const layers = await selectLayersBefore(db.readSlowly, before, after, layersAtOnce)
      const doubtful = layers.filter(({ fields }) => mayBeOne(fields))
      books += doubtful.length
      if (doubtful.length > 0) await write((db) => wantReadAgain(db, doubtful, clock()))
      after = layers.at(-1) ?? after
      if (layers.length < layersAtOnce) return { result: { books }, items: books }
    }
  },
})

/** Two with the same part in it: whoever is one stood in one place. */
const mayBeOne = (fields: string): boolean => {
  const { book } = JSON.parse(fields) as StoredLayer
  const roles = (book?.authors ?? []).map(({ role }) => role)
  return new Set(roles).size < roles.length
}

const isBeside = ({ source }: LayerBefore): boolean => source.startsWith('sidecar:')

const wantReadAgain = async (db: WriteDb, layers: readonly LayerBefore[], now: Date): Promise<void> => {
  const inside = layers.filter((each) => !isBeside(each))
  const beside = layers.filter(isBeside)
  await updateFilesPending(
    db,
    inside.map(({ entity_id }) => entity_id),
  )
  for (const [rootId, ofRoot] of Map.groupBy(beside, ({ root_id }) => root_id))
    await updateSidecarsUnknown(db, { rootId, folders: [...new Set(ofRoot.map(({ folder }) => folder))] })
  // A scan sees what lies beside books, and reads what is to be read in them as well.
  const toScan = new Set(beside.map(({ library_id }) => library_id))
  for (const libraryId of toScan) await startScan(db, { libraryId }, now)
  for (const libraryId of new Set(inside.map(({ library_id }) => library_id)))
    await enqueue(db, analyseLibrary, { libraryId }, { now })
}
