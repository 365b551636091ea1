import type { WriteDb } from '../../../database/database.ts'
import type { TaskContext, TaskResult } from '../../../tasks/define-task.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { analyseLibrary } from '../analysis/analyse-library.ts'
import { startScan } from '../start-scan.ts'
import {
  type LayerBefore,
  type LayerKey,
  type LayersToRead,
  selectLayersBefore,
  updateFilesPending,
  updateSidecarsUnknown,
} from './queries.ts'

const layersAtOnce = 500

interface DoubtfulLayers extends LayersToRead {
  /** How the names of files end in which such sources lie beside books. */
  readonly ending: string
  readonly isDoubtful: (layer: LayerBefore) => boolean
}

/** Books in which these sources may say more than was read are read again. */
export const readLayersAgain = async (
  { db, write, clock, signal }: TaskContext,
  { ending, isDoubtful, ...query }: DoubtfulLayers,
): Promise<TaskResult> => {
  let books = 0
  for (let after: LayerKey = { entity_id: '', source: '' }; ;) {
    signal.throwIfAborted()
    const layers = await selectLayersBefore(db.readSlowly, query, after, layersAtOnce)
    const doubtful = layers.filter(isDoubtful)
    books += doubtful.length
    if (doubtful.length > 0) await write((db) => wantReadAgain(db, doubtful, { ending, now: clock() }))
    after = layers.at(-1) ?? after
    if (layers.length < layersAtOnce) return { result: { books }, items: books }
  }
}

const isBeside = ({ source }: LayerBefore): boolean => source.startsWith('sidecar:')

const wantReadAgain = async (
  db: WriteDb,
  layers: readonly LayerBefore[],
  { ending, now }: { readonly ending: string; readonly now: Date },
): Promise<void> => {
  const inside = layers.filter((each) => !isBeside(each))
  const beside = layers.filter(isBeside)
  await updateFilesPending(
    db,
    inside.map(({ entity_id }) => entity_id),
  )
  for (const [rootId, ofRoot] of Map.groupBy(beside, ({ root_id }) => root_id)) {
    const folders = [...new Set(ofRoot.map(({ folder }) => folder))]
    await updateSidecarsUnknown(db, { rootId, folders, ending })
  }
  // A scan sees what lies beside books, and reads what is to be read in them as well.
  const toScan = new Set(beside.map(({ library_id }) => library_id))
  for (const libraryId of toScan) await startScan(db, { libraryId }, now)
  for (const libraryId of new Set(inside.map(({ library_id }) => library_id)))
    await enqueue(db, analyseLibrary, { libraryId }, { now })
}
