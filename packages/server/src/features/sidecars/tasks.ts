import { join } from 'node:path'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { WriteDb } from '../../database/database.ts'
import { answers } from '../../platform/storage/library-reads.ts'
import { enqueue } from '../../tasks/queue.ts'
import { defineTask } from '../../tasks/define-task.ts'
import { noteSidecars, selectRoots, selectSidecarLibraries } from '../libraries/libraries.ts'
import { writeSidecars } from './write-sidecars.ts'

/** Where no library wants any, there is nothing to see of it. */
export const startWritingSidecars = async (db: WriteDb, now: Date): Promise<void> => {
  if ((await selectSidecarLibraries(db)).length > 0) await enqueue(db, writeAllSidecars, { byHand: false }, { now })
}

type SidecarContext = Pick<Context, 'config' | 'settings' | 'runLimited'>

const hour = 60 * 60 * 1000
/** What is being written while a run begins belongs to the next one: nothing between them is missed. */
const overlapMs = 60_000

/** It writes what has changed since the last run, of libraries that want sidecars. */
export const writeAllSidecars = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'write_sidecars',
  priority: 400,
  endsWithinMs: 6 * hour,
  key: () => 'all',
  startable: { byHand: true },
  run: async (_, { db, clock, signal, write }, { config, settings, runLimited }: SidecarContext) => {
    const total = { written: 0, inTheWay: 0, refused: 0 }
    for (const { id, sidecars, sidecars_at } of await selectSidecarLibraries(db.read)) {
      if (sidecars === 'beside' && !settings.get('sidecars.beside_allowed')) continue
      const roots = (await selectRoots(db.read, [id])).map(({ path }) => path)
      // Whoever waits for storage that is away waits without an end.
      const isThere = await Promise.all(roots.map((path) => answers(runLimited, path)))
      if (sidecars === 'beside' && !isThere.every(Boolean)) continue
      const now = clock()
      const into = sidecars === 'beside' ? 'beside' : { folder: join(config.dataDir, 'sidecars') }
      const scope = { libraryId: id, ...(sidecars_at !== null && { since: sidecars_at }) }
      const { written, inTheWay, refused } = await writeSidecars(db.readSlowly, { ...scope, into, now, signal })
      total.written += written
      total.inTheWay += inTheWay
      total.refused += refused
      await write((db) => noteSidecars(db, id, sidecars, new Date(now.getTime() - overlapMs).toISOString()))
    }
    return { result: total, items: total.written }
  },
})
