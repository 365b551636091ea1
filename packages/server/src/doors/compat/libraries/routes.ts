import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { listLibraries, readLibrary, requireLibrary } from '../../../features/libraries/libraries.ts'
import { startPurge, startScan } from '../../../features/scan/scan.ts'
import type { Caller } from '../../../http/caller.ts'
import { serve } from '../../../http/serve.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { requireId, spellingOf } from '../spelling.ts'
import { toCompatLibrary } from './libraries.ts'

/** As many as there may be. */
const librariesMax = 1000
const trashDays = 30

export const compatLibraryRoutes = (app: FastifyInstance, { db, clock, viewerOf, settings }: Context): void => {
  serve(app, door.listCompatLibraries, async ({ caller, request }) => {
    const { data } = await listLibraries(db, await viewerOf(caller), 'name,asc', pagingOf(1, librariesMax))
    const spelling = spellingOf(request, settings)
    return data.map((library) => toCompatLibrary(library, spelling))
  })
  serve(app, door.readCompatLibrary, async ({ caller, params, request }) => {
    const library = await readLibrary(db.read, await viewerOf(caller), requireId(params.id, 'library'))
    return toCompatLibrary(library, spellingOf(request, settings))
  })

  const visible = async (caller: Caller, id: string): Promise<string> =>
    (await requireLibrary(db.read, await viewerOf(caller), requireId(id, 'library'))).id
  const scan = async (libraryId: string, mode: 'changes' | 'full'): Promise<undefined> => {
    await db.write((db) => startScan(db, { libraryId, mode }, clock()))
    return undefined
  }
  serve(app, door.scanCompatLibrary, async ({ caller, params, query }) =>
    scan(await visible(caller, params.id), [query.deep].flat().at(0) === 'true' ? 'full' : 'changes'),
  )
  for (const endpoint of [door.analyzeCompatLibrary, door.refreshCompatLibrary])
    serve(app, endpoint, async ({ caller, params }) => scan(await visible(caller, params.id), 'full'))
  serve(app, door.emptyCompatTrash, async ({ caller, params }) => {
    const libraryId = await visible(caller, params.id)
    await db.write((db) => startPurge(db, { libraryId, olderThanDays: trashDays }, clock()))
    return undefined
  })
}
