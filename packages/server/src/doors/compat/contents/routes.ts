import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { type ListKind, listMembers, listViewerFor } from '../../../catalogue/member-lists/member-lists.ts'
import { collections } from '../../../features/collections/collections.ts'
import { pictureOfList } from '../../../features/covers/covers.ts'
import { downloadBook, downloadSeries } from '../../../features/files/files.ts'
import { readLists } from '../../../features/read-lists/read-lists.ts'
import {
  fileInHref,
  readerFrom,
  readProgression,
  requireReadBook,
  saveProgression,
} from '../../../features/reading/reading.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { serveDownload } from '../../../http/files/download.ts'
import { serveMedia } from '../../../http/files/media.ts'
import { serve } from '../../../http/serve.ts'
import { notFound } from '../../../platform/errors.ts'
import { readManifestMetadata } from '../records/manifest-metadata.ts'
import { requireId, spellingOf } from '../spelling.ts'
import type { CompatDependencies } from '../dependencies.ts'
import { doorAddress } from '../where.ts'
import { compatCoverRoutes } from './cover-routes.ts'
import { manifestTypeOf, toCompatManifest } from './manifest.ts'
import { orAsItIs, pageOptions, toCompatPage, wantsDocument, withoutDamage, withPageRefusal } from './pages.ts'
import { isFull, toCompatProgression, toLocator } from './progression.ts'

/** These applications can show these formats besides those that everybody can show. */
const shownByApps = 'image/*, image/jxl, image/heif, image/heic, image/tiff'
const thumbnailWidth = 320

export const compatContentsRoutes = (
  app: FastifyInstance,
  context: Context,
  dependencies: CompatDependencies,
): void => {
  pageRoutes(app, context, dependencies)
  fileRoutes(app, context, dependencies)
  compatCoverRoutes(app, context, dependencies)
  manifestRoutes(app, context, dependencies)
  progressionRoutes(app, context, dependencies)
}

const pageRoutes = (app: FastifyInstance, { viewerOf }: Context, { pages }: CompatDependencies): void => {
  serve(app, door.listCompatPages, async ({ caller, params }) => {
    const listed = await withoutDamage(pages.list(await viewerOf(caller), requireId(params.id, 'book')))
    return listed.map(toCompatPage)
  })
  serveMedia(app, door.readCompatPage, async ({ caller, params, query, request }) => {
    const options = pageOptions(params.number, query)
    const accept = request.headers.accept ?? ''
    const page = { bookId: requireId(params.id, 'book'), ...options, accept }
    const viewer = await viewerOf(caller)
    const cut = wantsDocument(query, accept) ? await refusing(pages.document(viewer, page)) : undefined
    if (cut) return cut
    const { bookId, number } = page
    const asItIs = () => pages.page(viewer, { bookId, number, accept: 'image/*, image/bmp' })
    return orAsItIs(await refusing(pages.page(viewer, page)), asItIs)
  })
  serveMedia(app, door.readCompatPageThumbnail, async ({ caller, params }) => {
    const options = { ...pageOptions(params.number, {}), width: thumbnailWidth, format: 'jpeg' as const }
    const page = { bookId: requireId(params.id, 'book'), ...options, accept: 'image/jpeg' }
    return refusing(pages.page(await viewerOf(caller), page))
  })
  serveMedia(app, door.readCompatRawPage, async ({ caller, params }) => {
    const page = { bookId: requireId(params.id, 'book'), ...pageOptions(params.number, {}), accept: shownByApps }
    const viewer = await viewerOf(caller)
    return (await refusing(pages.document(viewer, page))) ?? refusing(pages.page(viewer, page))
  })
}

const refusing = <Result>(work: Promise<Result>): Promise<Result> => withoutDamage(withPageRefusal(work))

const fileRoutes = (app: FastifyInstance, { db, viewerOf }: Context, dependencies: CompatDependencies): void => {
  for (const endpoint of [door.downloadCompatBook, door.downloadCompatBookByName])
    serveDownload(app, endpoint, async ({ caller, params }) =>
      downloadBook({ db, ...dependencies }, await viewerOf(caller), requireId(params.id, 'book'), {
        metadata: caller.downloadMetadata,
      }),
    )
  serveDownload(app, door.downloadCompatSeries, async ({ caller, params }) =>
    downloadSeries(
      { db, ...dependencies },
      await viewerOf(caller),
      requireId(params.id, 'series'),
      caller.downloadMetadata,
    ),
  )
  coverRoutes(app, { db, viewerOf }, dependencies)
}

const firstOnly = { sort: undefined, paging: { page: 1, pageSize: 1, limit: 1, offset: 0 } } as const

const coverRoutes = (
  app: FastifyInstance,
  { db, viewerOf }: Pick<Context, 'db' | 'viewerOf'>,
  { covers: { reading } }: CompatDependencies,
): void => {
  serveMedia(app, door.readCompatBookThumbnail, async ({ caller, params }) =>
    reading.ofBook(await viewerOf(caller), requireId(params.id, 'book'), {}),
  )
  serveMedia(app, door.readCompatSeriesThumbnail, async ({ caller, params }) =>
    reading.ofSeries(await viewerOf(caller), requireId(params.id, 'series'), {}),
  )
  // A list without a chosen picture is shown by its first entry.
  const firstOf = async <Member>(kind: ListKind<unknown, Member>, viewer: Viewer, id: string): Promise<Member> => {
    const { data } = await listMembers(db.readSlowly, listViewerFor(kind, viewer, false), id, firstOnly)
    if (!data[0]) throw notFound('cover')
    return data[0]
  }
  serveMedia(app, door.readCompatCollectionThumbnail, async ({ caller, params }) => {
    const [viewer, id] = [await viewerOf(caller), requireId(params.id, 'collection')]
    const first = await firstOf(collections, viewer, id)
    return (await pictureOfList(db.read, reading, id)) ?? reading.ofSeries(viewer, first.id, {})
  })
  serveMedia(app, door.readCompatReadListThumbnail, async ({ caller, params }) => {
    const [viewer, id] = [await viewerOf(caller), requireId(params.id, 'read list')]
    const first = await firstOf(readLists, viewer, id)
    return (await pictureOfList(db.read, reading, id)) ?? reading.ofBook(viewer, first.id, {})
  })
}

const manifestRoutes = (app: FastifyInstance, context: Context, { contents, pages }: CompatDependencies): void => {
  const { db, viewerOf, settings } = context
  const addressIn = doorAddress(context)
  const kinds = [
    [door.readCompatManifest, undefined],
    [door.readCompatEpubManifest, 'epub'],
    [door.readCompatPdfManifest, 'pdf'],
    [door.readCompatDivinaManifest, 'divina'],
  ] as const
  for (const [endpoint, profile] of kinds)
    serve(app, endpoint, async ({ caller, params, request, reply }) => {
      const id = requireId(params.id, 'book')
      const viewer = await viewerOf(caller)
      const manifest = await withoutDamage(contents.manifest(viewer, id))
      const listed = profile === 'divina' ? await withoutDamage(pages.list(viewer, id)) : []
      const words = await readManifestMetadata(db.read, viewer, id)
      const address = { base: addressIn(request), id: spellingOf(request, settings).outId(id), profile }
      const mayFetch = caller.permissions.has('files:download')
      const made = toCompatManifest({ manifest, pages: listed, words, mayFetch }, address)
      if (!made) throw notFound('manifest of this kind')
      reply.type(manifestTypeOf(profile === undefined ? manifest.metadata.conformsTo : `/${profile}`))
      return made
    })
  serve(app, door.readCompatPositions, async ({ caller, params }) => {
    const viewer = await viewerOf(caller)
    const id = requireId(params.id, 'book')
    const inText = await withoutDamage(contents.textPositions(viewer, id))
    const positions = inText.length > 0 ? inText : (await withoutDamage(contents.positions(viewer, id))).positions
    const named = positions.map((each) => ({ ...each, href: fileInHref(each.href) || each.href }))
    return { total: named.length, positions: named }
  })
  serveMedia(
    app,
    door.readCompatResource,
    async ({ guest, params: { id, path } }) => {
      const bookId = requireId(id, 'book')
      if (!guest) return withoutDamage(contents.font(bookId, path))
      return withoutDamage(contents.resource(await viewerOf(guest), { bookId, path }))
    },
    { surface: 'framedPart' },
  )
}

const progressionRoutes = (app: FastifyInstance, context: Context, { contents }: CompatDependencies): void => {
  const { db, viewerOf } = context
  const positionsOf = (viewer: Viewer, id: string) => withoutDamage(contents.textPositions(viewer, id))
  serve(app, door.readCompatProgression, async ({ caller, params }) => {
    const viewer = await viewerOf(caller)
    const id = requireId(params.id, 'book')
    const standing = await readProgression(db.read, viewer, id)
    if (!standing) return undefined
    const { pageCount } = await requireReadBook(db.read, viewer, id)
    const positions = isFull(standing.locator) ? [] : await positionsOf(viewer, id)
    return toCompatProgression(standing, { pageCount, positions })
  })
  serve(app, door.saveCompatProgression, async ({ caller, params, body, visitor, request }) => {
    const reader = {
      ...(await readerFrom(context, { caller, userAgent: visitor.userAgent, headers: request.headers })),
      source: 'compatibility' as const,
    }
    const id = requireId(params.id, 'book')
    const { pageCount } = await requireReadBook(db.read, reader.viewer, id)
    const positions = await positionsOf(reader.viewer, id)
    const spine = positions.length === 0 ? [] : await withoutDamage(contents.spine(reader.viewer, id))
    const locator = toLocator(body.locator, { pageCount, positions, spine: spine.map(({ href }) => href) })
    const { modified } = body
    await saveProgression(db, reader, id, { modified, locator, device: cleanDevice(body.device), refused: 'notLater' })
    return undefined
  })
}

const deviceTextMax = 128

const cleanDevice = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const clean = (text: string): string =>
    text
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, deviceTextMax)
      .toWellFormed()
  return { id: clean(id), name: clean(name) }
}
