import { lstatSync, type Stats, statfsSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { pathForSystem } from '../../../../platform/files/file-names.ts'
import { excluder } from '../../../../platform/files/globs.ts'
import { isRemoteType } from '../../../../platform/files/remote.ts'
import { isIgnored, kindOf } from '../../walker/kinds.ts'
import {
  depthOf,
  type Folder,
  type Listener,
  namesOfFolders,
  newFolder,
  pathOf,
  startWatching,
  stopWatching,
} from './folder-tree.ts'
import type { FromWatcher, WatchedRoot } from './messages.ts'
import type { Room } from './room.ts'

const depthMax = 64
/** The process must turn now and then, to hear and to be heard. */
const turnMs = 15
const tellMs = 1000
/** More names than this in half a second are not told apart: the whole root is looked at. */
const namesMax = 10_000

interface RootWatchOptions {
  readonly tell: (message: FromWatcher) => void
  readonly room: Room
  /** There are names to be sorted, or the root must be looked at anew. */
  readonly onNews: (root: RootWatch) => void
}

const noIdentity = { dev: -1, ino: -1 }

type State = 'new' | 'away' | 'watched' | 'remote'

/**
 * Watches every folder of one root, from the top down. What it hears is a name in a folder; it looks what has that name
 * now, and tells which folder a scan should look at. Not one event is taken for more than that.
 */
export class RootWatch {
  readonly #root: WatchedRoot
  readonly #context: RootWatchOptions
  readonly #extensions: ReadonlySet<string>
  readonly #isExcluded: (path: string, isFolder: boolean) => boolean
  #state: State = 'new'
  #top = newFolder('', undefined)
  #identity: Pick<Stats, 'dev' | 'ino'> | undefined
  /** What was heard and has not been sorted yet. True: something may have come or gone. */
  #heard = new Map<Folder, Map<string, boolean>>()
  #heardCount = 0
  #hasLostCount = false
  #toldAt = performance.now()

  constructor(root: WatchedRoot, context: RootWatchOptions) {
    this.#root = root
    this.#context = context
    this.#extensions = new Set(root.extensions)
    this.#isExcluded = excluder(root.exclude)
  }

  get id(): string {
    return this.#root.id
  }

  /** Watches what is not watched yet; what is no longer what it was, anew. */
  async check(): Promise<void> {
    const stats = this.#readRoot()
    const isSame = stats?.dev === this.#identity?.dev && stats?.ino === this.#identity?.ino
    // What hangs most must not be asked again and again.
    if (this.#state === 'remote' || (isSame && this.#state !== 'new')) return
    const wasThere = this.#state !== 'new'
    this.#forget()
    this.#identity = stats && { dev: stats.dev, ino: stats.ino }
    if (!stats) this.#state = 'away'
    else if (this.#isRemote()) {
      this.#state = 'remote'
      this.#context.tell({ kind: 'remote', rootId: this.id })
    } else await this.#watchAll()
    if (wasThere) this.#touched([''])
  }

  /** There were so many events that some were lost, so everything is looked at again. */
  async startOver(): Promise<void> {
    this.#forget()
    this.#identity = noIdentity
    await this.check()
  }

  /** Looks at what has been heard of. */
  async sort(): Promise<void> {
    const heard = this.#heard
    this.#heard = new Map()
    this.#heardCount = 0
    if (this.#hasLostCount) {
      this.#hasLostCount = false
      return this.startOver()
    }
    const touched = new Set<string>()
    for (const [folder, names] of heard) {
      if (!folder.watcher) continue
      const path = pathOf(folder)
      for (const [name, mayBeNew] of names) {
        const toScan = await this.#folderToScan(folder, path, name, mayBeNew)
        if (toScan !== undefined) touched.add(toScan)
      }
    }
    this.#touched([...touched])
    if (heard.has(this.#top)) await this.check()
  }

  /** Everything that may have been heard is uncertain from here on. */
  lose(): void {
    this.#hasLostCount = true
    this.#context.onNews(this)
  }

  close(): void {
    this.#forget()
  }

  #forget(): void {
    this.#context.room.give(stopWatching(this.#top))
    this.#top = newFolder('', undefined)
    this.#heard = new Map()
    this.#heardCount = 0
    this.#identity = undefined
  }

  #readRoot(): Stats | undefined {
    try {
      const stats = lstatSync(pathForSystem(this.#root.path))
      return stats.isDirectory() ? stats : undefined
    } catch {
      return undefined
    }
  }

  #isRemote(): boolean {
    try {
      return isRemoteType(statfsSync(pathForSystem(this.#root.path)).type)
    } catch {
      return false
    }
  }

  async #watchAll(): Promise<void> {
    this.#state = 'watched'
    const folders = await this.#watchFrom(this.#top)
    this.#context.tell({ kind: 'watched', rootId: this.id, folders })
  }

  /** Level by level: what is new mostly comes near the top, and there may not be room for all. */
  async #watchFrom(first: Folder): Promise<number> {
    let count = 0
    let turnedAt = performance.now()
    let level = [first]
    while (level.length > 0) {
      const next: Folder[] = []
      for (const folder of level) {
        if (!this.#watchOne(folder)) continue
        count += 1
        next.push(...(folder.below?.values() ?? []))
        if (performance.now() - turnedAt < turnMs) continue
        this.#sign()
        await turn()
        turnedAt = performance.now()
      }
      level = next
    }
    return count
  }

  /** First watched, then listed: what comes between the two is heard of, what came before is seen. */
  #watchOne(folder: Folder): boolean {
    if (!this.#context.room.take()) return false
    const relative = pathOf(folder)
    const path = this.#absolute(relative)
    try {
      startWatching(folder, path, this.#hear)
      const names = namesOfFolders(path).filter((name) => this.#isRelevant(relative + name, name, true))
      if (names.length > 0 && depthOf(folder) < depthMax)
        folder.below = new Map(names.map((name) => [name, newFolder(name, folder)]))
      return true
    } catch (error) {
      // Gone again, or not ours to read; or the system has no more to give.
      if (!folder.watcher) this.#context.room.give(1)
      this.#context.room.refused((error as NodeJS.ErrnoException).code)
      return false
    }
  }

  readonly #hear: Listener = (folder, event, name) => {
    this.#context.room.heard()
    const names = this.#heard.get(folder) ?? new Map<string, boolean>()
    this.#heard.set(folder, names)
    const key = name ?? ''
    if (!names.has(key)) this.#heardCount += 1
    names.set(key, event === 'rename' || names.get(key) === true)
    if (this.#heardCount > namesMax) {
      this.#heard.clear()
      this.#heardCount = 0
      this.#hasLostCount = true
    }
    this.#context.onNews(this)
  }

  /** Which folder a scan should look at because of this name; undefined when it is none of its business. */
  async #folderToScan(folder: Folder, path: string, name: string, mayBeNew: boolean): Promise<string | undefined> {
    const isFolder = name === '' ? false : this.#isFolder(path + name)
    const subfolder = folder.below?.get(name)
    if (!isFolder) {
      if (subfolder) this.#drop(folder, subfolder)
      if (subfolder && isFolder === undefined) return `${path}${name}/`
      return subfolder || name === '' || this.#isRelevant(path + name, name, false) ? path : undefined
    }
    if (!this.#isRelevant(path + name, name, true) || depthOf(folder) >= depthMax) return undefined
    // Only its mode or its times: what is in it is as it was, unless it could not be looked into before.
    if (subfolder?.watcher && !mayBeNew) return `${path}${name}/`
    if (subfolder) this.#drop(folder, subfolder)
    const fresh = newFolder(name, folder)
    folder.below ??= new Map()
    folder.below.set(name, fresh)
    await this.#watchFrom(fresh)
    return `${path}${name}/`
  }

  /** Undefined: there is nothing of that name. */
  #isFolder(relative: string): boolean | undefined {
    try {
      return lstatSync(pathForSystem(this.#absolute(relative))).isDirectory()
    } catch {
      return undefined
    }
  }

  #isRelevant(relative: string, name: string, isFolder: boolean): boolean {
    if (isIgnored(name) || this.#isExcluded(relative, isFolder)) return false
    return isFolder || kindOf(name, this.#extensions) !== 'other'
  }

  #drop(above: Folder, folder: Folder): void {
    above.below?.delete(folder.name)
    this.#context.room.give(stopWatching(folder))
  }

  #absolute(relative: string): string {
    return relative === '' ? this.#root.path : `${this.#root.path}/${relative}`
  }

  #touched(folders: readonly string[]): void {
    if (folders.length > 0) this.#context.tell({ kind: 'touched', rootId: this.id, folders })
  }

  #sign(): void {
    const now = performance.now()
    if (now - this.#toldAt < tellMs) return
    this.#toldAt = now
    this.#context.tell({ kind: 'turning' })
  }
}
