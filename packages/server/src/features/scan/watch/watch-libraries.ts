import { join } from 'node:path'
import type { Context } from '../../../context.ts'
import { repeat } from '../../../platform/repeat.ts'
import { extensionsOf } from '../extensions.ts'
import { startScan } from '../scan.ts'
import {
  deleteOldScans,
  type NewestScan,
  type RootToWatch,
  selectNewestScan,
  selectRootsToWatch,
  selectUnreadFolders,
} from './queries.ts'
import { covers, foldersMax, type Patience, Touched, usualPatience } from './touched.ts'
import { WatcherProcess, type WatcherTiming } from './watcher-process.ts'

export interface WatchTiming extends WatcherTiming, Patience {
  /** How often the list of libraries is read, … */
  readonly librariesEveryMs: number
  /** … what is to be scanned by now is checked, … */
  readonly dueEveryMs: number
  /** … and whether files were left unread; after twice as long each time they are still there. */
  readonly unreadEveryMs: number
}

const usualTiming = { librariesEveryMs: 10_000, dueEveryMs: 1000, unreadEveryMs: 60_000 }
const unreadLongestMs = 3600_000
/** How many scans of a library are remembered before those of single folders are forgotten. */
const scansKept = 500

type WatchContext = Pick<Context, 'db' | 'log' | 'clock' | 'settings'>

export interface Watching {
  stop(): Promise<void>
}

/**
 * Follows the folders of libraries. What is heard of them proves nothing: it says where a scan should look, once it has
 * become quiet there, and never while another scan of the library is on its way.
 */
export const watchLibraries = (context: WatchContext, timing: Partial<WatchTiming> = {}): Watching => {
  const { librariesEveryMs, dueEveryMs, unreadEveryMs } = { ...usualTiming, ...timing }
  const { log } = context
  const watch = new LibraryWatch(context, timing)
  const everyNow = [
    { work: () => watch.refresh(), everyMs: librariesEveryMs },
    { work: () => watch.scanDue(), everyMs: dueEveryMs },
    { work: () => watch.noteUnread(unreadEveryMs), everyMs: unreadEveryMs },
  ].map((each) => repeat({ ...each, log, trouble: 'The folders of libraries could not be followed; trying again' }))
  return {
    stop: async () => {
      await Promise.all(everyNow.map((each) => each.stop()))
      watch.stop()
    },
  }
}

interface Followed {
  readonly touched: Touched
  /** Something was touched since it was last looked which scan is the newest. */
  isFresh: boolean
  /** The newest scan when something was last touched: it may have looked too early. */
  scanBefore: string | undefined
}

const newlyFollowed = (patience: Patience): Followed => ({
  touched: new Touched(patience),
  isFresh: true,
  scanBefore: undefined,
})

class LibraryWatch {
  readonly #context: WatchContext
  readonly #watcher: WatcherProcess
  readonly #patience: Patience
  #roots = new Map<string, RootToWatch>()
  /** Nobody has committed anything since these roots were read. */
  #readWith: number | undefined
  /** These roots were there when this process started: their libraries have been looked at as usual. */
  #atStart: ReadonlySet<string> | undefined
  readonly #followed = new Map<string, Followed>()
  readonly #unread = new Map<string, { readonly nextAt: number; readonly pauseMs: number }>()

  constructor(context: WatchContext, timing: Partial<WatchTiming>) {
    this.#context = context
    this.#patience = { ...usualPatience, ...timing }
    this.#watcher = new WatcherProcess({
      log: context.log,
      timing,
      onTouched: (rootId, folders) => {
        for (const folder of folders) this.#note(rootId, folder)
      },
      onWatched: (rootId) => void this.#catchUp(rootId),
    })
  }

  async refresh(): Promise<void> {
    const { db, settings } = this.#context
    const commits = db.commitsSeen()
    const isSame = commits !== undefined && commits === this.#readWith
    const watched = isSame ? [...this.#roots.values()] : await selectRootsToWatch(db.read)
    this.#readWith = commits
    const roots = settings.get('scan.watch') ? watched : []
    this.#roots = new Map(roots.map((root) => [root.id, root]))
    this.#atStart ??= new Set(this.#roots.keys())
    this.#watcher.setRoots(
      roots.map(({ id, path, exclude, formats }) => ({ id, path, exclude, extensions: extensionsOf(formats) })),
    )
    const libraries = new Set(roots.map(({ libraryId }) => libraryId))
    for (const libraryId of this.#followed.keys()) if (!libraries.has(libraryId)) this.#followed.delete(libraryId)
  }

  async scanDue(): Promise<void> {
    for (const [libraryId, followed] of this.#followed) await this.#scanIfDue(libraryId, followed)
  }

  /** Files that were still being written when they were to be read, and whose end nobody may hear of. */
  async noteUnread(everyMs: number): Promise<void> {
    const { db } = this.#context
    const libraries = new Set([...this.#roots.values()].map(({ libraryId }) => libraryId))
    for (const libraryId of libraries) {
      const waiting = this.#unread.get(libraryId)
      if (waiting && waiting.nextAt > performance.now()) continue
      const folders = await selectUnreadFolders(db.readSlowly, libraryId, foldersMax + 1)
      if (!folders) continue
      if (folders.length === 0) {
        this.#unread.delete(libraryId)
        continue
      }
      const pauseMs = Math.min((waiting?.pauseMs ?? everyMs / 2) * 2, unreadLongestMs)
      this.#unread.set(libraryId, { nextAt: performance.now() + pauseMs, pauseMs })
      for (const { rootId, folder } of folders) this.#note(rootId, folder)
    }
  }

  stop(): void {
    this.#watcher.stop()
  }

  #note(rootId: string, folder: string): void {
    const root = this.#roots.get(rootId)
    if (!root) return
    const { libraryId, path } = root
    const followed = this.#followed.get(libraryId) ?? newlyFollowed(this.#patience)
    this.#followed.set(libraryId, followed)
    followed.isFresh = true
    followed.touched.note(join(path, folder).replace(/(?<=.)\/$/, ''), performance.now())
  }

  /** A library that came while this process runs may have been scanned before its folders were watched. */
  async #catchUp(rootId: string): Promise<void> {
    const root = this.#roots.get(rootId)
    if (!root || this.#atStart?.has(rootId)) return
    const newest = await selectNewestScan(this.#context.db.read, root.libraryId).catch(() => undefined)
    if (newest) this.#note(rootId, '')
  }

  async #scanIfDue(libraryId: string, followed: Followed): Promise<void> {
    const { db, log, clock } = this.#context
    const { touched } = followed
    if (touched.isEmpty) return
    if (followed.isFresh) {
      followed.isFresh = false
      followed.scanBefore = (await selectNewestScan(db.read, libraryId))?.id
    }
    const requestedAt = performance.now()
    const due = touched.due(requestedAt)
    if (!due) return
    const newest = await selectNewestScan(db.read, libraryId)
    if (isScanOf(due, newest, followed)) return touched.settle(due, requestedAt)
    if (newest?.isRunning) return
    const { alreadyRunning, scanId } = await db.write(async (db) => {
      await deleteOldScans(db, libraryId, scansKept)
      return startScan(db, { libraryId, paths: due }, clock())
    })
    if (alreadyRunning) return
    log.debug({ libraryId, scanId, folders: due.length }, 'Something has happened in these folders: looking')
    touched.settle(due, requestedAt)
  }
}

/** Another node, or somebody, has asked for a scan of these folders since the last of them was touched. */
const isScanOf = (due: readonly string[], newest: NewestScan | undefined, { scanBefore, isFresh }: Followed): boolean =>
  newest !== undefined && newest.id !== scanBefore && !isFresh && newest.counts && covers(newest.paths, due)
