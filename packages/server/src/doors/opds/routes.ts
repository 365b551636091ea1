import { type Endpoint, permissions } from '@carrel/api'
import * as opds from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { readerFrom } from '../../features/reading/reading.ts'
import { cachedAnswers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { Caller } from '../../http/caller.ts'
import { permissionMissing } from '../../http/reply/error-reply.ts'
import { serveDownload } from '../../http/files/download.ts'
import { serveMedia } from '../../http/files/media.ts'
import { serve, serveCached, serveCachedText, type HandlerContext, type WithQuery } from '../../http/serve.ts'
import { writeAtom, writeEntry, writeSearchDescription } from './v1/atom.ts'
import { authenticationDocument } from './authentication.ts'
import { type Catalogue, catalogueOf } from './feeds/catalogue.ts'
import { coversOf } from './entries/covers.ts'
import type { Feed, FeedContext, Publication } from './feed.ts'
import { downloadOffered, type OpdsDependencies, readPageAsJpeg, readPageAsStated } from './books/media.ts'
import { divinaOf, webManifestOf } from './books/manifest.ts'
import { toOpds2, toPublication } from './v2/opds2.ts'
import { keyOfOffer } from './offering.ts'
import { feedContextsFrom } from './feed-context.ts'
import { readOpdsPosition, readOpdsProgression, saveOpdsPosition, saveOpdsProgression } from './books/progression.ts'
import { searchFrom, searchSeriesFrom } from './feeds/search.ts'

export type { OpdsDependencies } from './books/media.ts'

/** Feeds are asked for again and again, and change when something is committed; so many are kept, if they are not large. */
const keptMax = { feeds: 100, letters: 300_000, publications: 100 }

interface FeedDependencies {
  readonly app: FastifyInstance
  readonly context: Context
  readonly catalogue: Catalogue
  readonly feedContextOf: (
    request: HandlerContext['request']['raw'],
    caller?: Pick<Caller, 'permissions'>,
  ) => FeedContext
}

interface Shelf<Input> {
  readonly one: Endpoint<Input, string>
  readonly two: Endpoint<Input, opds.OpdsFeed>
}

const shelves = opds.opdsShelves

/** It binds what one version shows, or what both do, each in its own words. */
interface Binding {
  readonly atom: <Input>(endpoint: Endpoint<Input, string>, find: Find<Input>) => void
  readonly json: <Input>(endpoint: Endpoint<Input, opds.OpdsFeed>, find: Find<Input>) => void
  readonly feed: <Input>(shelf: Shelf<Input>, find: Find<Input>) => void
}

export const opdsRoutes = (app: FastifyInstance, context: Context, dependencies: OpdsDependencies): void => {
  const feedContextOf = feedContextsFrom(context.config)
  const feeds = { app, context, catalogue: catalogueOf(context), feedContextOf }
  const binding = bindingOf(feeds)
  startRoutes(feeds, binding)
  shelfRoutes(feeds, binding)
  listRoutes(feeds, binding)
  personalRoutes(feeds, binding)
  bookRoutes(feeds, dependencies)
  coverRoutes(app, context, dependencies)
  mediaRoutes(app, context, dependencies)
  progressRoutes(feeds, dependencies)
}

type FeedInput<Input> = WithQuery<Input> & HandlerContext & { readonly viewer: Viewer }
type Find<Input> = (input: FeedInput<Input>) => Promise<Feed>

const bindingOf = ({ app, context: { db, viewerOf }, feedContextOf }: FeedDependencies): Binding => {
  const texts = cachedAnswers<{ readonly text: string }>(
    db,
    keptMax.feeds,
    ({ text }) => text.length <= keptMax.letters,
  )
  const documents = cachedAnswers<opds.OpdsFeed>(
    db,
    keptMax.feeds,
    ({ publications = [] }) => publications.length <= keptMax.publications,
  )
  const callContextOf = async ({ caller, request }: HandlerContext) => {
    const feedContext = feedContextOf(request.raw, caller)
    return {
      viewer: await viewerOf(caller),
      feedContext,
      key: `${feedContext.origin} ${keyOfOffer(feedContext)} ${request.originalUrl}`,
    }
  }
  const findFeed = async <Input>(input: WithQuery<Input> & HandlerContext, viewer: Viewer, find: Find<Input>) => {
    requireProgress(input)
    return withRequestedPath(await find(Object.assign(input, { viewer })), input.request.originalUrl)
  }
  const atom: Binding['atom'] = (endpoint, find) =>
    serveCachedText(app, endpoint, async (input) => {
      const { viewer, feedContext, key } = await callContextOf(input)
      return texts(viewer, key, async () => ({ text: writeAtom(await findFeed(input, viewer, find), feedContext) }))
    })
  const json: Binding['json'] = (endpoint, find) =>
    serveCached(app, endpoint, async (input) => {
      const { viewer, feedContext, key } = await callContextOf(input)
      return documents(viewer, key, async () => toOpds2(await findFeed(input, viewer, find), feedContext))
    })
  const feed: Binding['feed'] = (shelf, find) => {
    atom(shelf.one, find)
    json(shelf.two, find)
  }
  return { atom, json, feed }
}

/** A caller who is not signed in may turn out to be somebody who may search everything. */
const anybody = { permissions: new Set(permissions) }

/** A list of the books somebody has read reveals their progress just as a number does. */
const requireProgress = ({ caller, ...request }: HandlerContext & { readonly query?: unknown }): void => {
  const { read, sort } = (request.query ?? {}) as { readonly read?: string; readonly sort?: string }
  if ((read !== undefined || sort === 'read') && !caller.permissions.has('progress:read'))
    throw permissionMissing('progress:read', caller)
}

/** A list is known by the address it was asked at, to the letter; the beginning of all has many. */
const withRequestedPath = (feed: Feed, url: string): Feed => {
  const [, requestedPath] = /\/opds\/v[12](\/[^#]*)/.exec(url) ?? []
  return feed.up && requestedPath !== undefined ? { ...feed, self: { ...feed.self, requestedPath } } : feed
}

const startRoutes = (
  { app, catalogue, context, feedContextOf }: FeedDependencies,
  { atom, json, feed }: Binding,
): void => {
  for (const endpoint of [opds.readOpdsStart, opds.readOpds1Start, opds.readOpdsCatalog])
    atom(endpoint, ({ viewer }) => catalogue.start(viewer))
  json(opds.readOpds2, async ({ viewer }) => ({
    ...(await catalogue.start(viewer)),
    groups: await catalogue.groupsOfStart(viewer),
  }))
  atom(opds.searchOpds1, ({ viewer, query }) => searchFrom(catalogue, viewer, query, 'v1'))
  json(opds.searchOpds2, ({ viewer, query }) => searchFrom(catalogue, viewer, query, 'v2'))
  feed(shelves.searchSeries, ({ viewer, query }) => searchSeriesFrom(catalogue, viewer, query))
  serve(app, opds.readOpdsSearchDescription, async ({ request, guest }) =>
    writeSearchDescription(feedContextOf(request.raw, guest ?? anybody)),
  )
  serve(app, opds.readOpdsAuthentication, async ({ request }) =>
    authenticationDocument(feedContextOf(request.raw), context.settings.get('opds.basic')),
  )
}

const shelfRoutes = ({ catalogue }: FeedDependencies, { feed }: Binding): void => {
  feed(shelves.keepReading, ({ viewer, query }) => catalogue.keepReading(viewer, query))
  feed(shelves.onDeck, ({ viewer, query }) => catalogue.onDeck(viewer, query))
  feed(shelves.recent, ({ viewer, query }) => catalogue.recent(viewer, query))
  feed(shelves.books, ({ viewer, query }) => catalogue.books(viewer, query))
  feed(shelves.series, ({ viewer, query }) => catalogue.series(viewer, query))
  feed(shelves.booksOfSeries, ({ viewer, params, query }) => catalogue.booksOfSeries(viewer, params.id, query))
}

const listRoutes = ({ catalogue }: FeedDependencies, { feed }: Binding): void => {
  feed(shelves.letters, ({ viewer }) => catalogue.letters(viewer))
  feed(shelves.seriesByLetter, ({ viewer, params, query }) => catalogue.seriesByLetter(viewer, params.letter, query))
  feed(shelves.libraries, ({ viewer, query }) => catalogue.libraries(viewer, query))
  feed(shelves.library, ({ viewer, params }) => catalogue.library(viewer, params.id))
  feed(shelves.collections, ({ viewer, query }) => catalogue.collections(viewer, query))
  feed(shelves.collection, ({ viewer, params, query }) => catalogue.collection(viewer, params.id, query))
  feed(shelves.readLists, ({ viewer, query }) => catalogue.readLists(viewer, query))
  feed(shelves.readList, ({ viewer, params, query }) => catalogue.readList(viewer, params.id, query))
  feed(shelves.genres, ({ viewer, query }) => catalogue.terms(viewer, 'genre', query))
  feed(shelves.tags, ({ viewer, query }) => catalogue.terms(viewer, 'tag', query))
  feed(shelves.people, ({ viewer, query }) => catalogue.terms(viewer, 'person', query))
  feed(shelves.publishers, ({ viewer }) => catalogue.publishers(viewer))
  feed(shelves.languages, ({ viewer }) => catalogue.languages(viewer))
}

const personalRoutes = ({ catalogue }: FeedDependencies, { feed }: Binding): void => {
  feed(shelves.wanted, ({ viewer, query }) => catalogue.wantToRead(viewer, query))
  feed(shelves.wantedSeries, ({ viewer, query }) => catalogue.seriesToRead(viewer, query))
  feed(shelves.presets, ({ viewer }) => catalogue.presets(viewer))
  feed(shelves.seriesOfPreset, ({ viewer, params, query }) => catalogue.seriesOfPreset(viewer, params.id, query))
  feed(shelves.booksOfPreset, ({ viewer, params, query }) => catalogue.booksOfPreset(viewer, params.id, query))
}

const bookRoutes = (
  { app, context: { viewerOf }, catalogue, feedContextOf }: FeedDependencies,
  { contents, pages }: OpdsDependencies,
): void => {
  const found = async ({ caller, request }: HandlerContext, id: string) => {
    const viewer = await viewerOf(caller)
    const publication: Publication = await catalogue.book(viewer, id)
    return { viewer, publication, feedContext: feedContextOf(request.raw, caller) }
  }
  serve(app, opds.readOpds1Book, async (input) => {
    const { publication, feedContext } = await found(input, input.params.id)
    return writeEntry(publication, feedContext)
  })
  serve(app, opds.readOpds2Book, async (input) => {
    const { publication, feedContext } = await found(input, input.params.id)
    return toPublication(publication, feedContext)
  })
  serve(app, opds.readOpdsManifest, async (input) => {
    const { viewer, publication, feedContext } = await found(input, input.params.id)
    return webManifestOf(publication, await contents.manifest(viewer, input.params.id), feedContext)
  })
  serve(app, opds.readOpdsDivina, async (input) => {
    const { viewer, publication, feedContext } = await found(input, input.params.id)
    const { toc } = await contents.manifest(viewer, input.params.id)
    return divinaOf(publication, { pages: await pages.list(viewer, input.params.id), toc }, feedContext)
  })
}

const coverRoutes = (app: FastifyInstance, { db, viewerOf }: Context, { covers }: OpdsDependencies): void => {
  for (const [cover, thumbnail, find] of coversOf(db)) {
    serveMedia(app, cover, async ({ caller, params, query }) => {
      const viewer = await viewerOf(caller)
      const { of, id } = await find(viewer, params.id)
      return covers[of](viewer, id, { ...query, size: 'large' })
    })
    serveMedia(app, thumbnail, async ({ caller, params, query }) => {
      const viewer = await viewerOf(caller)
      const { of, id } = await find(viewer, params.id)
      return covers[of](viewer, id, query)
    })
  }
}

const mediaRoutes = (app: FastifyInstance, { db, viewerOf }: Context, dependencies: OpdsDependencies): void => {
  const { contents } = dependencies
  serveMedia(app, opds.readOpdsPage, async ({ caller, params, query }) =>
    readPageAsJpeg(dependencies, await viewerOf(caller), params, query.width),
  )
  serveMedia(app, opds.readOpds2Page, async ({ caller, params }) =>
    readPageAsStated(dependencies, await viewerOf(caller), params),
  )
  serveMedia(app, opds.readOpdsResource, async ({ caller, params: { id, path } }) =>
    contents.resource(await viewerOf(caller), { bookId: id, path }),
  )
  serveDownload(app, opds.downloadOpdsBook, async ({ caller, params, query }) =>
    downloadOffered({ ...dependencies, db }, await viewerOf(caller), params.id, query),
  )
}

const progressRoutes = ({ app, context, feedContextOf }: FeedDependencies, { contents }: OpdsDependencies): void => {
  const { db, viewerOf } = context
  const readerOf = ({ caller, visitor, request }: HandlerContext) =>
    readerFrom(context, { caller, userAgent: visitor.userAgent, headers: request.headers })
  serve(app, opds.readOpdsProgression, async ({ caller, params }) =>
    readOpdsProgression(db.read, await viewerOf(caller), params.id),
  )
  serve(app, opds.saveOpdsProgression, async ({ params, body, ...from }) =>
    saveOpdsProgression(db, await readerOf(from), params.id, body),
  )
  serve(app, opds.readOpdsPosition, async ({ caller, params, request }) =>
    readOpdsPosition(db.read, await viewerOf(caller), params.id, {
      contents,
      feedContext: feedContextOf(request.raw, caller),
    }),
  )
  serve(app, opds.saveOpdsPosition, async ({ params, body, ...from }) =>
    saveOpdsPosition(db, await readerOf(from), params.id, body),
  )
}
