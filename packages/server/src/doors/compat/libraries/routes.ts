import type { FileSystemEntry } from '@carrel/api'
import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import {
  browse,
  changeLibrary,
  createLibrary,
  listDrives,
  listLibraries,
  readLibrary,
  removeLibrary,
} from '../../../features/libraries/libraries.ts'
import { requireLibrary } from '../../../catalogue/entries/entries.ts'
import { scanOfLibraries, startPurge, startScan } from '../../../features/scan/scan.ts'
import type { Caller } from '../../../http/caller.ts'
import { serve } from '../../../http/serve.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { requireId, spellingOf } from '../spelling.ts'
import { libraryPatchFrom, newLibraryFrom } from './choices.ts'
import { toCompatLibrary } from './libraries.ts'

/** There may be no more libraries than this. */
const librariesMax = 1000
const trashDays = 30

export const compatLibraryRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, viewerOf, settings } = context
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
  keepingRoutes(app, context)
}

const anyState = (): void => undefined

const keepingRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, viewerOf, settings } = context
  const use = { db, storage: context, scan: scanOfLibraries }
  serve(app, door.createCompatLibrary, async ({ caller, body, request }) => {
    const library = await createLibrary(use, await viewerOf(caller), newLibraryFrom(body), clock())
    return toCompatLibrary(library, spellingOf(request, settings))
  })
  for (const endpoint of [door.changeCompatLibrary, door.replaceCompatLibrary])
    serve(app, endpoint, async ({ caller, params, body }) => {
      const viewer = await viewerOf(caller)
      const id = requireId(params.id, 'library')
      const patch = libraryPatchFrom(body, await readLibrary(db.read, viewer, id))
      await changeLibrary(use, viewer, id, { patch, now: clock(), expectMatch: anyState })
      return undefined
    })
  serve(app, door.deleteCompatLibrary, async ({ caller, params }) => {
    const viewer = await viewerOf(caller)
    const id = requireId(params.id, 'library')
    return removeLibrary(db, { caller, viewer }, id, { purge: false, now: clock(), expectMatch: anyState })
  })
  serve(app, door.browseCompatFileSystem, async ({ body }) => {
    if (!body?.path) return { directories: (await listDrives(context)).map(toCompatFolder), files: [] }
    const { entries, parentPath } = await browse(context, body.path)
    const directories = entries.filter(({ isDirectory }) => isDirectory).map(toCompatFolder)
    return { parent: parentPath ?? '', directories, files: [] }
  })
}

const toCompatFolder = ({ name, path }: FileSystemEntry) => ({ type: 'directory' as const, name, path })
