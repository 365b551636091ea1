import { type Endpoint, permissions } from '@carrel/api'
import * as opds from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { readerFrom } from '../../features/reading/reading.ts'
import { cachedAnswers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { permissionMissing } from '../../http/reply/error-reply.ts'
import { serveDownload } from '../../http/files/download.ts'
import { serveMedia } from '../../http/files/media.ts'
import type { Texts } from '../../texts/texts.ts'
import { serve, serveCached, serveCachedText, type HandlerContext, type WithQuery } from '../../http/serve.ts'
import { writeAtom, writeEntry, writeSearchDescription } from './v1/atom.ts'
import { authenticationDocument } from './authentication.ts'
import { type Catalogue, cataloguesOf } from './feeds/catalogue.ts'
import { coversOf } from './entries/covers.ts'
import type { Feed, Publication } from './feed.ts'
import { downloadOffered, type OpdsDependencies, readPageAsJpeg, readPageAsStated } from './books/media.ts'
import { divinaOf, webManifestOf } from './books/manifest.ts'
import { toOpds2, toPublication } from './v2/opds2.ts'
import { keyOfOffer } from './offering.ts'
import { type FeedContexts, spokenContextsFrom } from './feed-context.ts'
import { readOpdsPosition, readOpdsProgression, saveOpdsPosition, saveOpdsProgression } from './books/progression.ts'
import { searchFrom, searchSeriesFrom } from './feeds/search.ts'

export type { OpdsDependencies } from './books/media.ts'

/** Feeds are asked for again and again, and change when something is committed; so many are kept, if they are not large. */
const keptMax = { feeds: 100, letters: 300_000, publications: 100 }

interface FeedDependencies {
  readonly app: FastifyInstance
  readonly context: Context
  readonly catalogueIn: (texts: Texts) => Catalogue
  readonly feedContextOf: FeedContexts
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
  const feedContextOf = spokenContextsFrom(context.config)
  const feeds = { app, context, catalogueIn: cataloguesOf(context), feedContextOf }
  const binding = bindingOf(feeds)
  startRoutes(feeds, binding)
  shelfRoutes(binding)
  listRoutes(binding)
  personalRoutes(binding)
  bookRoutes(feeds, dependencies)
  coverRoutes(app, context, dependencies)
  mediaRoutes(app, context, dependencies)
  progressRoutes(feeds, dependencies)
}

type FeedInput<Input> = WithQuery<Input> & HandlerContext & SpokenRequest
/** The catalogue is in the language of the one who asks. */
interface SpokenRequest {
  readonly viewer: Viewer
  readonly catalogue: Catalogue
  readonly texts: Texts
}
type Find<Input> = (input: FeedInput<Input>) => Promise<Feed>

const bindingOf = ({ app, context: { db, viewerOf }, catalogueIn, feedContextOf }: FeedDependencies): Binding => {
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
  const callContextOf = async ({ caller, request, reply }: HandlerContext) => {
    const feedContext = await feedContextOf({ request, reply }, caller)
    const { origin, texts } = feedContext
    const viewer = await viewerOf(caller)
    return {
      spoken: { viewer, catalogue: catalogueIn(texts), texts },
      viewer,
      feedContext,
      key: `${origin} ${texts.language} ${keyOfOffer(feedContext)} ${feedContext.embedsMetadata} ${request.originalUrl}`,
    }
  }
  const findFeed = async <Input>(
    input: WithQuery<Input> & HandlerContext,
    spoken: SpokenRequest,
    find: Find<Input>,
  ) => {
    requireProgress(input)
    return withRequestedPath(await find(Object.assign(input, spoken)), input.request.originalUrl)
  }
  const atom: Binding['atom'] = (endpoint, find) =>
    serveCachedText(app, endpoint, async (input) => {
      const { spoken, viewer, feedContext, key } = await callContextOf(input)
      return texts(viewer, key, async () => ({ text: writeAtom(await findFeed(input, spoken, find), feedContext) }))
    })
  const json: Binding['json'] = (endpoint, find) =>
    serveCached(app, endpoint, async (input) => {
      const { spoken, viewer, feedContext, key } = await callContextOf(input)
      return documents(viewer, key, async () => toOpds2(await findFeed(input, spoken, find), feedContext))
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

const startRoutes = ({ app, context, feedContextOf }: FeedDependencies, { atom, json, feed }: Binding): void => {
  for (const endpoint of [opds.readOpdsStart, opds.readOpds1Start, opds.readOpdsCatalog])
    atom(endpoint, ({ catalogue, viewer }) => catalogue.start(viewer))
  json(opds.readOpds2, async ({ catalogue, viewer }) => ({
    ...(await catalogue.start(viewer)),
    groups: await catalogue.groupsOfStart(viewer),
  }))
  atom(opds.searchOpds1, ({ viewer, query, ...spoken }) => searchFrom(spoken, viewer, query, 'v1'))
  json(opds.searchOpds2, ({ viewer, query, ...spoken }) => searchFrom(spoken, viewer, query, 'v2'))
  feed(shelves.searchSeries, ({ catalogue, viewer, query }) => searchSeriesFrom(catalogue, viewer, query))
  serve(app, opds.readOpdsSearchDescription, async ({ request, reply, guest }) =>
    writeSearchDescription(await feedContextOf({ request, reply }, guest ?? anybody)),
  )
  serve(app, opds.readOpdsAuthentication, async (exchange) =>
    authenticationDocument(await feedContextOf(exchange), context.settings.get('opds.basic')),
  )
}

const shelfRoutes = ({ feed }: Binding): void => {
  feed(shelves.keepReading, ({ catalogue, viewer, query }) => catalogue.keepReading(viewer, query))
  feed(shelves.onDeck, ({ catalogue, viewer, query }) => catalogue.onDeck(viewer, query))
  feed(shelves.recent, ({ catalogue, viewer, query }) => catalogue.recent(viewer, query))
  feed(shelves.books, ({ catalogue, viewer, query }) => catalogue.books(viewer, query))
  feed(shelves.series, ({ catalogue, viewer, query }) => catalogue.series(viewer, query))
  feed(shelves.booksOfSeries, ({ catalogue, viewer, params, query }) =>
    catalogue.booksOfSeries(viewer, params.id, query),
  )
}

const listRoutes = ({ feed }: Binding): void => {
  feed(shelves.letters, ({ catalogue, viewer }) => catalogue.letters(viewer))
  feed(shelves.seriesByLetter, ({ catalogue, viewer, params, query }) =>
    catalogue.seriesByLetter(viewer, params.letter, query),
  )
  feed(shelves.libraries, ({ catalogue, viewer, query }) => catalogue.libraries(viewer, query))
  feed(shelves.library, ({ catalogue, viewer, params }) => catalogue.library(viewer, params.id))
  feed(shelves.collections, ({ catalogue, viewer, query }) => catalogue.collections(viewer, query))
  feed(shelves.collection, ({ catalogue, viewer, params, query }) => catalogue.collection(viewer, params.id, query))
  feed(shelves.readLists, ({ catalogue, viewer, query }) => catalogue.readLists(viewer, query))
  feed(shelves.readList, ({ catalogue, viewer, params, query }) => catalogue.readList(viewer, params.id, query))
  feed(shelves.genres, ({ catalogue, viewer, query }) => catalogue.terms(viewer, 'genre', query))
  feed(shelves.tags, ({ catalogue, viewer, query }) => catalogue.terms(viewer, 'tag', query))
  feed(shelves.people, ({ catalogue, viewer, query }) => catalogue.terms(viewer, 'person', query))
  feed(shelves.publishers, ({ catalogue, viewer }) => catalogue.publishers(viewer))
  feed(shelves.languages, ({ catalogue, viewer }) => catalogue.languages(viewer))
}

const personalRoutes = ({ feed }: Binding): void => {
  feed(shelves.wanted, ({ catalogue, viewer, query }) => catalogue.wantToRead(viewer, query))
  feed(shelves.wantedSeries, ({ catalogue, viewer, query }) => catalogue.seriesToRead(viewer, query))
  feed(shelves.presets, ({ catalogue, viewer }) => catalogue.presets(viewer))
  feed(shelves.seriesOfPreset, ({ catalogue, viewer, params, query }) =>
    catalogue.seriesOfPreset(viewer, params.id, query),
  )
  feed(shelves.booksOfPreset, ({ catalogue, viewer, params, query }) =>
    catalogue.booksOfPreset(viewer, params.id, query),
  )
}

const bookRoutes = (
  { app, context: { viewerOf }, catalogueIn, feedContextOf }: FeedDependencies,
  { contents, pages }: OpdsDependencies,
): void => {
  const findPublication = async ({ caller, request, reply }: HandlerContext, id: string) => {
    const feedContext = await feedContextOf({ request, reply }, caller)
    const viewer = await viewerOf(caller)
    const publication: Publication = await catalogueIn(feedContext.texts).book(viewer, id)
    return { viewer, publication, feedContext }
  }
  serve(app, opds.readOpds1Book, async (input) => {
    const { publication, feedContext } = await findPublication(input, input.params.id)
    return writeEntry(publication, feedContext)
  })
  serve(app, opds.readOpds2Book, async (input) => {
    const { publication, feedContext } = await findPublication(input, input.params.id)
    return toPublication(publication, feedContext)
  })
  serve(app, opds.readOpdsManifest, async (input) => {
    const { viewer, publication, feedContext } = await findPublication(input, input.params.id)
    return webManifestOf(publication, await contents.manifest(viewer, input.params.id), feedContext)
  })
  serve(app, opds.readOpdsDivina, async (input) => {
    const { viewer, publication, feedContext } = await findPublication(input, input.params.id)
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
    downloadOffered({ ...dependencies, db }, await viewerOf(caller), params.id, {
      ...query,
      metadata: caller.downloadMetadata,
    }),
  )
}

const progressRoutes = ({ app, context, feedContextOf }: FeedDependencies, { contents }: OpdsDependencies): void => {
  const { db, viewerOf } = context
  const readerOf = ({ caller, visitor, request }: HandlerContext) =>
    readerFrom(context, { caller, userAgent: visitor.userAgent, headers: request.headers })
  serve(app, opds.readOpdsProgression, async ({ caller, params, request, reply }) => {
    const { texts } = await feedContextOf({ request, reply }, caller)
    return readOpdsProgression(db.read, await viewerOf(caller), params.id, texts)
  })
  serve(app, opds.saveOpdsProgression, async ({ params, body, ...from }) => {
    const { texts } = await feedContextOf(from, from.caller)
    return saveOpdsProgression(db, { ...(await readerOf(from)), texts }, params.id, body)
  })
  serve(app, opds.readOpdsPosition, async ({ caller, params, request, reply }) =>
    readOpdsPosition(db.read, await viewerOf(caller), params.id, {
      contents,
      feedContext: await feedContextOf({ request, reply }, caller),
    }),
  )
  serve(app, opds.saveOpdsPosition, async ({ params, body, ...from }) =>
    saveOpdsPosition(db, await readerOf(from), params.id, body),
  )
}
