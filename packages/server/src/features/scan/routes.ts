import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { leftSignal } from '../../http/reply/left.ts'
import { serve, serveList } from '../../http/serve.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { groupingOf, requirePatterns, resolveRoots } from '../libraries/libraries.ts'
import { requireLibrary } from '../../catalogue/entries/entries.ts'
import { type ScannedLibrary } from './library.ts'
import { selectScannedLibrary } from './queries.ts'
import { type LibraryToPreview, previewScan } from './preview/preview.ts'
import { chooseFile } from './several-files/choose-file.ts'
import {
  acceptRelink,
  cancelScan,
  confirmHeld,
  latestScan,
  listHeldItems,
  listRelinks,
  listScans,
  readHeld,
  refuseRelink,
  rejectHeld,
  startPurge,
  startScan,
} from './scan.ts'

export const scanRoutes = (app: FastifyInstance, context: Context): void => {
  libraryRoutes(app, context)
  fileRoutes(app, context)
}

const libraryRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, viewerOf } = context
  /** Answers the id of a library that the caller may see. */
  const visible = async (caller: Parameters<typeof viewerOf>[0], id: string): Promise<string> => {
    await requireLibrary(db.read, await viewerOf(caller), id)
    return id
  }

  previewRoutes(app, context)
  serve(app, api.scanLibrary, async ({ caller, params: { id }, body }) => {
    const libraryId = await visible(caller, id)
    return db.write((db) => startScan(db, { libraryId, ...body }, clock()))
  })
  serve(app, api.purgeMissing, async ({ caller, params: { id }, body: { olderThanDays = 30 } = {} }) => {
    const libraryId = await visible(caller, id)
    return db.write((db) => startPurge(db, { libraryId, olderThanDays }, clock()))
  })
  serve(app, api.cancelScan, async ({ caller, params: { id } }) => {
    await cancelScan(db, await visible(caller, id), clock())
    return {}
  })
  serveList(app, api.listScans, async ({ caller, params: { id }, paging }) =>
    listScans(db, await viewerOf(caller), await visible(caller, id), { paging, now: clock() }),
  )
  serve(app, api.readScanStatus, async ({ caller, params: { id } }) =>
    latestScan(db, await viewerOf(caller), await visible(caller, id), clock()),
  )
  serve(app, api.readHeldChanges, async ({ caller, params: { id } }) => readHeld(db.read, await visible(caller, id)))
  serveList(app, api.listHeldItems, async ({ caller, params: { id, heldId }, paging }) =>
    listHeldItems(db, await visible(caller, id), heldId, paging),
  )
  serve(app, api.confirmHeldChanges, async ({ caller, params: { id, heldId } }) => {
    await confirmHeld(db, await visible(caller, id), heldId, clock())
    return undefined
  })
  serve(app, api.rejectHeldChanges, async ({ caller, params: { id, heldId } }) => {
    await rejectHeld(db, await visible(caller, id), heldId)
    return undefined
  })
  serveList(app, api.listRelinks, async ({ caller, params: { id }, paging }) =>
    listRelinks(db.read, await visible(caller, id), paging),
  )
  serve(app, api.acceptRelink, async ({ caller, params: { id, relinkId } }) => {
    await acceptRelink(db, await visible(caller, id), relinkId, clock())
    return undefined
  })
  serve(app, api.refuseRelink, async ({ caller, params: { id, relinkId } }) => {
    await refuseRelink(db, await visible(caller, id), relinkId)
    return undefined
  })
}

const previewRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, viewerOf } = context
  serve(app, api.previewNewLibrary, async ({ caller, reply, body }) => {
    const signal = leftSignal(reply)
    const roots = await resolveRoots(context, body)
    if (!roots) throw invalid('/roots', 'A library needs at least one folder.')
    const library = toPreview({ id: undefined, roots: roots.map((path) => ({ id: path, path })) }, body)
    return previewScan(context, library, { viewer: await viewerOf(caller), signal })
  })
  serve(app, api.previewLibrary, async ({ caller, reply, params: { id }, body }) => {
    const signal = leftSignal(reply)
    const viewer = await viewerOf(caller)
    const row = await requireLibrary(db.read, viewer, id)
    const library = await selectScannedLibrary(db.read, id)
    if (!library) throw notFound('library')
    return previewScan(context, toPreview(library, body, JSON.parse(row.grouping) as api.Grouping), { viewer, signal })
  })
}

const fileRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  serve(app, api.chooseBookFile, async ({ caller, params: { id: bookId }, body: { fileId } }) =>
    chooseFile(db, await viewerOf(caller), { bookId, fileId }, clock()),
  )
}

/** A preview may be of the library as it is, or as it might be with other choices. */
const toPreview = (
  library: Pick<LibraryToPreview, 'id' | 'roots'> & Partial<Pick<ScannedLibrary, 'formats' | 'exclude'>>,
  options: Static<typeof api.ChoicesToPreview> = {},
  standing?: api.Grouping,
): LibraryToPreview => {
  if (options.exclude) requirePatterns(options.exclude)
  const grouping = groupingOf(options.grouping, standing)
  return {
    id: library.id,
    roots: library.roots,
    grouping,
    formats: options.formats === undefined ? (library.formats ?? null) : options.formats,
    exclude: options.exclude ?? library.exclude ?? [],
  }
}
