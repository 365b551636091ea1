import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { coverStore, forgetPictures, forgetPluginCovers } from '../../covers/covers.ts'
import { undoChange } from '../../editing/editing.ts'
import { latestCoverOf } from './applying.ts'
import { fetchCovers } from '../jobs/fetch-covers.ts'
import type { Subject, MatchingContext } from '../matching.ts'
import { selectPluginRow } from '../../plugins/plugins.ts'
import { visibleBookIds, visibleSeriesIds } from '../../../catalogue/entries/entries.ts'
import { type Entity, readChanges } from '../../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { sourceOf } from '../asking/providers.ts'
import { insertCoverChanges, saveMatches, selectCoverChange, selectMatches } from '../queries.ts'

interface UndoRequest {
  readonly historyId: string
  readonly force?: boolean | undefined
}

/** A change of the history, and with that of a match its cover; the same way round, what was undone. */
export const undoWithCovers = async <E extends Entity>(
  context: MatchingContext,
  { entity, id, viewer }: Subject & { readonly entity: E },
  options: UndoRequest,
  expectMatch: (current: unknown) => void,
) => {
  const { db, clock, config } = context
  const now = clock()
  let pictures: readonly string[] = []
  const undoAlong = async (db: WriteDb, undoneBy: string | undefined): Promise<readonly string[]> => {
    const turned = await undoCoverChange(db, { entity, id, viewer }, { ...options, undoneBy, now })
    pictures = turned.pictures
    return turned.conflicts
  }
  const undone = await undoChange(db, { entity, id }, options, { viewer, now, expectMatch, undoAlong })
  await forgetPictures(coverStore(config), db.read, pictures)
  return undone
}

/** The same of a line of which nobody says whose history it is in. */
export const undoAnything = async (context: MatchingContext, viewer: Viewer, options: UndoRequest) => {
  const [change] = await readChanges(context.db.read, [options.historyId])
  const id = change?.entityId ?? ''
  const entity = await kindOf(context.db.read, viewer, id)
  if (entity === undefined) throw notFound('change')
  const { conflicts, undoneBy } = await undoWithCovers(context, { entity, id, viewer }, options, () => undefined)
  return { entity, id, historyId: undoneBy, conflicts }
}

const kindOf = async (db: ReadDb, viewer: Viewer, id: string): Promise<Entity | undefined> => {
  if ((await visibleSeriesIds(db, viewer, [id])).has(id)) return 'series'
  return (await visibleBookIds(db, viewer, [id])).has(id) ? 'book' : undefined
}

interface CoverUndo extends UndoRequest {
  readonly undoneBy: string | undefined
  readonly now: Date
}

interface UndoneCover {
  readonly conflicts: readonly string[]
  /** They may not be needed any more. */
  readonly pictures: readonly string[]
}

const noChange: UndoneCover = { conflicts: [], pictures: [] }

const undoCoverChange = async (
  db: WriteDb,
  { entity, id }: Subject,
  { historyId, force = false, undoneBy, now }: CoverUndo,
): Promise<UndoneCover> => {
  const change = await selectCoverChange(db, historyId)
  if (change?.entity_id !== id) return noChange
  const { plugin_id: pluginId, before_url: before, after_url: after } = change
  const match = (await selectMatches(db, pluginId, [id])).get(id)
  const plugin = await selectPluginRow(db, pluginId)
  if (!match || !plugin) return noChange
  const current = latestCoverOf(match)
  if (current === before) return noChange
  if (current !== after && !force) return { conflicts: ['cover'], pictures: [] }
  // The picture itself is not kept: what comes back is fetched anew.
  const pictures = await forgetPluginCovers(db, { kind: entity, id }, sourceOf(plugin), now)
  await saveMatches(db, [{ ...match, cover_url: null, wanted_cover_url: before }])
  if (before !== null) await enqueue(db, fetchCovers, {}, { now })
  if (undoneBy !== undefined)
    await insertCoverChanges(db, [
      { history_id: undoneBy, plugin_id: pluginId, entity_id: id, before_url: current, after_url: before },
    ])
  return { conflicts: [], pictures }
}
