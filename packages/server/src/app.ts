import { dirname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { doorFrames, doorRoutes, type DoorDependencies } from './doors/doors.ts'
import { accessRoutes } from './features/access/routes.ts'
import { readCollectionAhead, readReadListAhead } from './features/ahead/ahead.ts'
import { aheadRoutes } from './features/ahead/routes.ts'
import { annotationRoutes } from './features/annotations/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { backupRoutes } from './features/backups/routes.ts'
import { bookErrorRoutes } from './features/book-errors/routes.ts'
import { collectionRoutes } from './features/collections/routes.ts'
import { connectionRoutes } from './features/connections/routes.ts'
import { contentsReading } from './features/contents/contents.ts'
import { contentsRoutes } from './features/contents/routes.ts'
import { createCoverReader } from './features/covers/covers.ts'
import { coverRoutes } from './features/covers/routes.ts'
import { bookRoutes } from './features/books/routes.ts'
import { deviceRoutes } from './features/devices/routes.ts'
import { editingRoutes } from './features/editing/routes.ts'
import { duplicateRoutes } from './features/duplicates/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { exportRoutes } from './features/exports/routes.ts'
import { metadataEmbedding } from './features/files/files.ts'
import { fileRoutes } from './features/files/routes.ts'
import { fontRoutes } from './features/fonts/routes.ts'
import { followingRoutes } from './features/following/routes.ts'
import { filterPresetRoutes } from './features/filter-presets/routes.ts'
import { exampleLibraryRoutes } from './features/example-library/routes.ts'
import { homeRoutes } from './features/home/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { importRoutes } from './features/imports/routes.ts'
import { koreaderRoutes } from './features/koreader/routes.ts'
import { inventoryRoutes } from './features/inventory/routes.ts'
import { libraryRoutes } from './features/libraries/routes.ts'
import { matchingRoutes } from './features/matching/routes.ts'
import { mergingRoutes } from './features/merging/routes.ts'
import { oidcRoutes } from './features/oidc/routes.ts'
import { type DecoderUse, createPageReader } from './features/pages/pages.ts'
import { pageRoutes } from './features/pages/routes.ts'
import { pluginRoutes } from './features/plugins/routes.ts'
import { deleteRecommendationBatch } from './features/recommendations/recommendations.ts'
import { recommendationRoutes } from './features/recommendations/routes.ts'
import { userPluginRoutes } from './features/user-plugins/routes.ts'
import { preferenceRoutes } from './features/preferences/routes.ts'
import { ratingRoutes } from './features/ratings/routes.ts'
import { readerSettingRoutes } from './features/reader-settings/routes.ts'
import { readListRoutes } from './features/read-lists/routes.ts'
import { readingRoutes } from './features/reading/routes.ts'
import { scanRoutes } from './features/scan/routes.ts'
import { noteCostly, noteSentFile, requestAnalysis, scanOfLibraries, startScan } from './features/scan/scan.ts'
import { searchRoutes } from './features/search/routes.ts'
import { seriesRoutes } from './features/series/routes.ts'
import { seriesStatusRoutes } from './features/series-status/routes.ts'
import { settingRoutes } from './features/settings/routes.ts'
import { setupRoutes } from './features/setup/routes.ts'
import { wantToReadRoutes } from './features/want-to-read/routes.ts'
import { accessTokens } from './features/sign-in/access-token.ts'
import { signInActivityRoutes } from './features/sign-in-activity/routes.ts'
import { recordSignIns } from './features/sign-in-activity/sign-in-activity.ts'
import { identifier } from './features/sign-in/identify.ts'
import { trackLastUsed } from './features/sign-in/last-used.ts'
import { signInRoutes } from './features/sign-in/routes.ts'
import type { SignInContext } from './features/sign-in/sign-in.ts'
import { statisticsRoutes } from './features/statistics/routes.ts'
import { taskRoutes } from './features/task-admin/routes.ts'
import { termRoutes } from './features/terms/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { serveDocs } from './http/openapi/docs.ts'
import { openEdge } from './http/edge/edge.ts'
import { guardRoutes } from './http/guard/guard.ts'
import { mediaLane } from './http/rate-limit/media-lane.ts'
import { tokenBuckets } from './http/rate-limit/rate-limit.ts'
import { sharedTokenBuckets } from './http/rate-limit/shared-rate-limit.ts'
import { watchStop } from './http/edge/stopping.ts'
import { traceRequests } from './http/edge/trace.ts'
import { serveWebFiles } from './http/web-app/web-files.ts'
import { libraryReads } from './platform/storage/library-reads.ts'

/** The table of contents: everything the server answers, by name. `more` lets a test bring routes of its own. */
export const buildApp = async (
  context: Context,
  more: (app: FastifyInstance) => void = () => undefined,
): Promise<FastifyInstance> => {
  const { config, db, log, clock, secret, passwords, settings, webApp } = context
  const { buckets: shared } = db
  const limiter = shared ? sharedTokenBuckets({ rates: settings, shared, log }) : tokenBuckets(settings)
  const tokens = accessTokens(secret, clock)
  const lastUsed = trackLastUsed(db, log)
  const activity = recordSignIns(db, log, clock)
  const signIn = { db, clock, passwords, tokens, secret, activity }

  const app = await openEdge({ config, log, limiter, doors: doorFrames(context), explain: db.dialect.explain, webApp })
  if (context.telemetry) traceRequests(app, context.telemetry)
  app.addHook('onClose', () => lastUsed.flush())
  app.addHook('onClose', () => activity.flush())
  const isStopping = watchStop(app, context.draining)
  guardRoutes(app, { config, log, limiter, identify: identifier({ ...signIn, lastUsed }), freshen: settings.freshen })

  const events = await eventRoutes(app, context)
  healthRoutes(app, context, { isStopping, openStreams: events.open })
  userAndSignInRoutes(app, context, signIn)
  accessRoutes(app, context)
  apiKeyRoutes(app, context)
  scanRoutes(app, context)
  duplicateRoutes(app, context)
  mergingRoutes(app, context)
  settingRoutes(app, context)
  readingRoutes(app, context)
  statisticsRoutes(app, context)
  homeRoutes(app, context)
  followingRoutes(app, context)
  annotationRoutes(app, context)
  fontRoutes(app, context)
  deviceRoutes(app, context)
  connectionRoutes(app, context)
  importRoutes(app, context)
  koreaderRoutes(app, context)
  libraryRoutes(app, context, scanOfLibraries)
  exampleLibraryRoutes(app, context, scanOfLibraries)
  seriesRoutes(app, context)
  aheadRoutes(app, context)
  seriesStatusRoutes(app, context)
  bookRoutes(app, context)
  searchRoutes(app, context)
  editingRoutes(app, context)
  termRoutes(app, context)
  filterPresetRoutes(app, context)
  ratingRoutes(app, context)
  collectionRoutes(app, context, readCollectionAhead)
  readListRoutes(app, context, readReadListAhead)
  readerSettingRoutes(app, context)
  wantToReadRoutes(app, context)
  workRoutes(app, context)
  const shown = mediaRoutes(app, context)
  bookErrorRoutes(app, context)
  doorRoutes(app, context, { ...shown, events, activity })
  more(app)

  if (config.docsEnabled) serveDocs(app, config.basePath)
  if (webApp) serveWebFiles(app, webApp)
  return app
}

/** These routes are about users and how they sign in. */
const userAndSignInRoutes = (app: FastifyInstance, context: Context, signIn: SignInContext): void => {
  setupRoutes(app, context, signIn)
  signInRoutes(app, context, signIn)
  oidcRoutes(app, context, signIn)
  signInActivityRoutes(app, context, signIn.activity)
  userRoutes(app, context)
  preferenceRoutes(app, context)
}

/** These routes are about workers, and about what they run. */
const workRoutes = (app: FastifyInstance, context: Context): void => {
  inventoryRoutes(app, context)
  // Most of that is code for workers, which the process that answers has no use for until somebody starts a task.
  taskRoutes(app, context, async () => (await import('./work.ts')).taskDefinitions)
  pluginRoutes(app, context)
  userPluginRoutes(app, context, deleteRecommendationBatch)
  recommendationRoutes(app, context)
  matchingRoutes(app, context)
  exportRoutes(app, context)
  backupRoutes(app, context)
}

/** These routes answer with the content of books, over one set of open files. */
const mediaRoutes = (app: FastifyInstance, context: Context): Omit<DoorDependencies, 'events' | 'activity'> => {
  const { db, clock, log, runLimited } = context
  const reads = libraryReads(runLimited)
  app.addHook('onClose', () => reads.close())
  const lane = mediaLane()
  const decoderUse: DecoderUse = {
    libraryReads: reads,
    noteCostly: (bookId, fault) => noteCostly(db, bookId, fault, clock()),
  }
  const pages = createPageReader({
    ...context,
    ...decoderUse,
    requestAnalysis: ({ id, libraryId }) => {
      requestAnalysis(db, [id], libraryId, clock()).catch((err: unknown) =>
        log.warn({ err }, 'A book could not be put first among those that are to be read'),
      )
    },
    requestScan: ({ libraryId, file }) => {
      db.write((db) => startScan(db, { libraryId, paths: [dirname(file.path)] }, clock())).catch((err: unknown) =>
        log.warn({ err }, 'A folder whose files have changed could not be scanned'),
      )
    },
  })
  const { unpackedDir } = pages
  const reading = createCoverReader({ ...context, libraryReads: reads, unpackedDir })
  pageRoutes(app, context, { reading: pages, lane })
  const embedding = metadataEmbedding({
    ...context,
    ...decoderUse,
    noteSent: (bookId, koreader) => noteSentFile(db, bookId, koreader, clock()),
  })
  fileRoutes(app, context, { libraryReads: reads, pages, embedding })
  const covers = { ...context, libraryReads: reads, unpackedDir, reading, pages }
  coverRoutes(app, context, { ...covers, lane })
  const contents = contentsReading({ ...context, ...decoderUse, pages })
  contentsRoutes(app, context, contents)
  return { pages, covers, contents, libraryReads: reads, embedding }
}
