import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { WriteDb } from '../../database/database.ts'
import { answers } from '../../platform/storage/library-reads.ts'
import { enqueue } from '../../tasks/queue.ts'
import { defineTask } from '../../tasks/define-task.ts'
import { coverStore } from '../covers/covers.ts'
import { noteSidecars, selectRoots, selectSidecarLibraries } from '../libraries/libraries.ts'
import { hasWords } from './queries.ts'
import { readSidecars } from './read-sidecars.ts'
import { writeSidecars } from './write-sidecars.ts'

/** Where no library wants any, there is nothing to see of it. */
export const startWritingSidecars = async (db: WriteDb, now: Date): Promise<void> => {
  if ((await selectSidecarLibraries(db)).length > 0) await enqueue(db, writeAllSidecars, { byHand: false }, { now })
}

type SidecarContext = Pick<Context, 'config' | 'settings' | 'runLimited'>

const hour = 60 * 60 * 1000
/** What is being written while a run begins belongs to the next one: nothing between them is missed. */
const overlapMs = 60_000

/**
 * A library that is new here gets back what was said of its books elsewhere, once: after that people say what is to be
 * shown, and be it that something is taken back.
 */
export const readSidecarsOf = defineTask(Type.Object({ libraryId: Type.String() }), {
  type: 'read_sidecars',
  priority: 150,
  endsWithinMs: 6 * hour,
  key: ({ libraryId }) => libraryId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async ({ libraryId }, { db, clock, signal, write }, { config }: SidecarContext) => {
    const folder = folderIn(config)
    const mark = join(folder, markOf(libraryId))
    if (existsSync(mark)) return { result: { skipped: 'They have been read.' } }
    // Who continues here finds what was said by the run before: that the library was new is what this mark says.
    const begun = join(folder, `.reading-${libraryId}`)
    if (!existsSync(begun)) {
      const isNew = !(await hasWords(db.readSlowly, libraryId))
      await writeFile(isNew ? begun : mark, '', { mode: 0o600 })
      if (!isNew) return { result: { applied: 0, put: 0 } }
    }
    const options = { folder, libraryId, pictures: coverStore(config), now: clock(), signal }
    const result = await readSidecars({ readSlowly: db.readSlowly, write }, options)
    await rename(begun, mark)
    return { result, items: result.applied + result.put }
  },
})

const folderIn = ({ dataDir }: Context['config']): string => join(dataDir, 'sidecars')
const markOf = (libraryId: string): string => `.read-${libraryId}`

/** What is asked after each scan: whether there are sidecars that were not read yet. */
export const readSidecarsAfterScan = async (
  db: WriteDb,
  { config }: Pick<Context, 'config'>,
  libraryId: string,
  now: Date,
): Promise<void> => {
  const folder = folderIn(config)
  if (!existsSync(folder) || existsSync(join(folder, markOf(libraryId)))) return
  await enqueue(db, readSidecarsOf, { libraryId }, { now })
}

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
      const into = sidecars === 'beside' ? 'beside' : { folder: folderIn(config) }
      const scope = { libraryId: id, ...(sidecars_at !== null && { since: sidecars_at }) }
      const pictures = coverStore(config)
      const { written, inTheWay, refused } = await writeSidecars(db.readSlowly, {
        ...scope,
        into,
        pictures,
        now,
        signal,
      })
      total.written += written
      total.inTheWay += inTheWay
      total.refused += refused
      await write((db) => noteSidecars(db, id, sidecars, new Date(now.getTime() - overlapMs).toISOString()))
    }
    return { result: total, items: total.written }
  },
})
