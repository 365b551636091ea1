import { availableParallelism } from 'node:os'
import type { Context } from './context.ts'
import { type Decoders, openDecoders } from './decoders/pool.ts'
import { relayEvents } from './events/relay.ts'
import { followFiles, type ListKind } from './catalogue/member-lists/member-lists.ts'
import { verifyCatalogue } from './catalogue/shown/tasks.ts'
import { collections } from './features/collections/collections.ts'
import { readLists } from './features/read-lists/read-lists.ts'
import { backUp } from './features/backups/tasks.ts'
import { renewCovers } from './features/covers/renew-covers.ts'
import { cleanUpCovers, makeCovers } from './features/covers/tasks.ts'
import { remakeCovers } from './features/covers/remake.ts'
import { cleanUpBulkEdits, editMany, undoMany } from './features/editing/tasks.ts'
import { findDuplicates } from './features/duplicates/tasks.ts'
import { checkDatabase } from './features/health/check-database.ts'
import { cleanUpExports, exportCatalogue } from './features/exports/tasks.ts'
import { cleanUpImports } from './features/imports/clean-up.ts'
import { importFromServer } from './features/imports/tasks.ts'
import { cleanUpNotifications, deliverWebhook, tellFollowers } from './features/following/tasks.ts'
import { autoMatch } from './features/matching/jobs/auto-match.ts'
import { startMatchingAfterScan } from './features/matching/jobs/start-matching.ts'
import { refreshMatches } from './features/matching/jobs/refresh-matches.ts'
import { fetchCovers } from './features/matching/jobs/fetch-covers.ts'
import { cleanUpEvents } from './features/events/tasks.ts'
import { readListsAgain } from './features/scan/read-again/read-lists-again.ts'
import { readNamesAgain } from './features/scan/read-again/read-names-again.ts'
import {
  analyseLibrary,
  cleanUpMissing,
  joinFiles,
  purgeMissing,
  regroupLibrary,
  relinkMissing,
  scanLibrary,
} from './features/scan/tasks.ts'
import { cleanUpPlugins } from './features/plugins/clean-up.ts'
import { installPluginPackage } from './features/plugins/installing/packages.ts'
import { refreshOne, tellDismissal } from './features/recommendations/tasks.ts'
import { type Plugins, type PluginTiming, runPlugins } from './features/plugins/running/run.ts'
import { ownTrust } from './features/user-plugins/own-trust.ts'
import { cleanUpSearchWords, indexBooksOfSeries, rebuildSearch } from './catalogue/search-index/tasks.ts'
import { checkAllReading, importHistory, rebuildReading, recountFigures } from './features/reading/tasks.ts'
import { linkKoreader, takeInKoreader } from './features/koreader/tasks.ts'
import { forgetLibrary, hideLibrary } from './features/libraries/tasks.ts'
import { readSidecarsAfterScan, readSidecarsOf, writeAllSidecars } from './features/sidecars/tasks.ts'
import { cleanUpSessions } from './features/sessions/tasks.ts'
import { cleanUpSignInActivity } from './features/sign-in-activity/tasks.ts'
import { cleanUpTasks } from './features/task-admin/tasks.ts'
import { repeat } from './platform/repeat.ts'
import type { WriteDb } from './database/database.ts'
import type { TaskDefinition } from './tasks/define-task.ts'
import type { Telemetry } from './platform/telemetry/telemetry.ts'
import { startWorker, type WorkerTiming } from './tasks/worker.ts'

/** Tasks get this besides their payload and their context. */
export interface WorkContext extends Pick<Context, 'config' | 'settings' | 'runLimited' | 'secret'> {
  readonly decoders: Decoders
  readonly plugins: Plugins
  /** A file is read once it has looked the same twice, this far apart (C11). */
  readonly settleMs: number
  readonly afterScan: (db: WriteDb, libraryId: string, now: Date) => Promise<void>
  /** What files name is made one of these. */
  readonly listKinds: readonly ListKind[]
}

/** The table of contents of the worker: every kind of task there is. */
export const taskDefinitions: readonly TaskDefinition<never, WorkContext>[] = [
  scanLibrary,
  analyseLibrary,
  makeCovers,
  remakeCovers,
  cleanUpCovers,
  renewCovers,
  regroupLibrary,
  followFiles,
  joinFiles,
  relinkMissing,
  purgeMissing,
  cleanUpMissing,
  readNamesAgain,
  readListsAgain,
  cleanUpSessions,
  cleanUpSignInActivity,
  cleanUpTasks,
  cleanUpEvents,
  rebuildReading,
  tellFollowers,
  deliverWebhook,
  cleanUpNotifications,
  recountFigures,
  importHistory,
  checkAllReading,
  linkKoreader,
  takeInKoreader,
  rebuildSearch,
  cleanUpSearchWords,
  indexBooksOfSeries,
  findDuplicates,
  hideLibrary,
  forgetLibrary,
  editMany,
  undoMany,
  cleanUpBulkEdits,
  exportCatalogue,
  cleanUpExports,
  importFromServer,
  cleanUpImports,
  backUp,
  installPluginPackage,
  refreshOne,
  tellDismissal,
  autoMatch,
  refreshMatches,
  fetchCovers,
  cleanUpPlugins,
  checkDatabase,
  verifyCatalogue,
  writeAllSidecars,
  readSidecarsOf,
]

export interface Work {
  /** Nothing runs here that its end would cut off: no task, and no plugin. */
  isIdle(): boolean
  /** It hands tasks that cannot be finished at once back to the queue. */
  stop(): Promise<void>
}

/** It says what a worker does; absent fields have their usual value. */
export interface WorkChoice {
  readonly definitions?: readonly TaskDefinition<never, WorkContext>[]
  readonly timing?: Partial<WorkerTiming>
  readonly settleMs?: number
  readonly pluginTiming?: PluginTiming
  /** Whoever gives them closes them. */
  readonly decoders?: Decoders
}

export interface WorkOptions extends WorkChoice {
  readonly onStuck: () => void
}

/** Settings announce their changes; this interval is for missed announcements. */
const settingsEveryMs = 5000

const usualSettleMs = 2000
/** More decoders would wait for the storage, not for each other. */
const decodersMax = 4

/** It is what a worker does: it runs tasks and plugins, numbers events, and follows changed settings. */
export const startWork = (context: Context, options: WorkOptions): Work => {
  const { db, log, clock, settings, config, runLimited, secret } = context
  const {
    definitions = taskDefinitions,
    timing = {},
    settleMs = usualSettleMs,
    pluginTiming,
    decoders: given,
    onStuck,
  } = options
  const relay = relayEvents(db, log)
  const freshening = repeat({
    work: async () => settings.freshen(),
    everyMs: settingsEveryMs,
    log,
    trouble: 'Settings could not be read again',
  })
  const stopListening = db.wakeUps.on('revisions', freshening.wake)
  const { workerConcurrency: concurrency } = config
  const decoders = given ?? openDecoders({ log, size: Math.min(availableParallelism(), decodersMax) })
  const plugins = runPlugins({ ...context, decoders }, { timing: pluginTiming, own: ownTrust(context) })
  const afterScan = async (db: WriteDb, libraryId: string, now: Date): Promise<void> => {
    await readSidecarsAfterScan(db, { config }, libraryId, now)
    await startMatchingAfterScan(db, { settings }, libraryId, now)
  }
  const listKinds: readonly ListKind[] = [readLists, collections]
  const work = { settleMs, afterScan, listKinds }
  const resources = { config, settings, decoders, plugins, runLimited, secret, ...work }
  const observed = context.telemetry ? definitions.map(tracedBy(context.telemetry)) : definitions
  const worker = startWorker({ db, log, clock, resources, definitions: observed, concurrency, onStuck, timing })

  return {
    isIdle: () => worker.isIdle() && plugins.isIdle(),
    stop: async () => {
      stopListening()
      await freshening.stop()
      // Plugins that a task still waits for end while the worker stops.
      await Promise.all([worker.stop(), plugins.stop()])
      if (!given) await decoders.close()
      await relay?.stop()
    },
  }
}

const tracedBy =
  (telemetry: Telemetry) =>
  (definition: TaskDefinition<never, WorkContext>): TaskDefinition<never, WorkContext> => ({
    ...definition,
    run: (...given) => telemetry.task(definition.type, () => definition.run(...given)),
  })
