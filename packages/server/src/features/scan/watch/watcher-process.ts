import { type ChildProcess, spawn } from 'node:child_process'
import { childEnvironment } from '../../../platform/processes/child-environment.ts'
import type { Log } from '../../../platform/log.ts'
import type { FromWatcher, ToWatcher, WatchedRoot } from './watcher/messages.ts'
import { endWithUs } from '../../../platform/processes/end-with-us.ts'

export interface WatcherContext {
  readonly log: Log
  readonly onTouched: (rootId: string, folders: readonly string[]) => void
  /** From now on what happens in it is heard of. */
  readonly onWatched: (rootId: string) => void
  readonly timing?: Partial<WatcherTiming>
  /** Another program in the place of the watcher, for tests. */
  readonly program?: URL
}

export interface WatcherTiming {
  /** Storage that gives no answer for this long is taken for hung. */
  readonly silenceMaxMs: number
  /** One that hung is tried again after this; after twice as long each time it hangs again. */
  readonly hungFirstMs: number
  readonly restartFirstMs: number
}

const usualTiming: WatcherTiming = { silenceMaxMs: 10_000, hungFirstMs: 5 * 60_000, restartFirstMs: 1000 }
const longestMs = 3600_000

// From the sources the watcher runs the .ts file, from the bundle the .js file beside the bundle.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './watcher/main.ts' : './watcher.js', import.meta.url)

/**
 * The process that watches folders, on this side: there while there is something to watch, started again when it ends,
 * and given up when it waits for storage that hangs; then that storage is left out for a while.
 */
export class WatcherProcess {
  readonly #context: WatcherContext
  readonly #timing: WatcherTiming
  #requestedRoots = new Map<string, WatchedRoot>()
  /** The path at which a root was found to lie on another machine. */
  readonly #remote = new Map<string, string>()
  readonly #hung = new Map<string, { readonly until: number; readonly pauseMs: number }>()
  #child: ChildProcess | undefined
  /** What the child has been told to watch, as text. */
  readonly #sent = new Map<string, string>()
  #restart: NodeJS.Timeout | undefined
  #restartMs: number
  #silence: NodeJS.Timeout | undefined
  #hasLimit = false

  constructor(context: WatcherContext) {
    this.#context = context
    this.#timing = { ...usualTiming, ...context.timing }
    this.#restartMs = this.#timing.restartFirstMs
  }

  /** These and no others. Also looks whether those that are watched already are still what they were. */
  setRoots(roots: readonly WatchedRoot[]): void {
    this.#requestedRoots = new Map(roots.map((root) => [root.id, root]))
    this.#bringUpToDate()
    if (this.#child) this.#send({ kind: 'check' })
  }

  stop(): void {
    this.#requestedRoots.clear()
    this.#bringUpToDate()
  }

  #bringUpToDate(): void {
    const now = performance.now()
    const roots = [...this.#requestedRoots.values()].filter(
      ({ id, path }) => this.#remote.get(id) !== path && (this.#hung.get(id)?.until ?? 0) <= now,
    )
    if (roots.length === 0) return this.#end()
    if (!this.#child && this.#restart) return
    this.#child ??= this.#start()
    const texts = new Map(roots.map((root) => [root.id, JSON.stringify(root)]))
    for (const rootId of this.#sent.keys())
      if (!texts.has(rootId)) {
        this.#sent.delete(rootId)
        this.#send({ kind: 'leave', rootId })
      }
    for (const root of roots) {
      const text = texts.get(root.id) ?? ''
      if (this.#sent.get(root.id) === text) continue
      this.#sent.set(root.id, text)
      this.#send({ kind: 'watch', root })
    }
  }

  #start(): ChildProcess {
    const child = spawn(
      process.execPath,
      [
        '--max-semi-space-size=1',
        '--max-old-space-size=256',
        '--optimize-for-size',
        (this.#context.program ?? ownProgram).pathname,
      ],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'json', env: childEnvironment() },
    )
    endWithUs(child)
    child.on('message', (message: FromWatcher) => this.#hear(child, message))
    child.once('error', (error) => this.#ended(child, error.message))
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `code ${code}`))
    return child
  }

  #send(message: ToWatcher): void {
    // One that could not be started has no channel.
    if (this.#child?.connected) this.#child.send(message, () => undefined)
  }

  #hear(child: ChildProcess, message: FromWatcher): void {
    if (child !== this.#child) return
    const { log, onTouched, onWatched } = this.#context
    if (message.kind === 'busy') this.#expectSign(message.rootId)
    if (message.kind === 'turning') this.#silence?.refresh()
    if (message.kind === 'free') clearTimeout(this.#silence)
    if (message.kind === 'touched') onTouched(message.rootId, message.folders)
    if (message.kind === 'watched') {
      this.#restartMs = this.#timing.restartFirstMs
      this.#hung.delete(message.rootId)
      log.debug(
        { path: this.#pathOf(message.rootId), folders: message.folders },
        'The folders of a library are watched',
      )
      onWatched(message.rootId)
    }
    if (message.kind === 'remote') {
      this.#remote.set(message.rootId, this.#pathOf(message.rootId) ?? '')
      log.info(
        { path: this.#pathOf(message.rootId) },
        'This folder lies on another machine: it is looked at once a day',
      )
    }
    if (message.kind === 'limited' && !this.#hasLimit) {
      this.#hasLimit = true
      const advice = message.by === 'system' ? '; raise fs.inotify.max_user_watches to watch all' : ''
      log.warn(
        { watched: message.folders },
        `There are more folders than can be watched: the others are looked at once a day${advice}`,
      )
    }
  }

  #expectSign(rootId: string): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      const pauseMs = Math.min((this.#hung.get(rootId)?.pauseMs ?? this.#timing.hungFirstMs / 2) * 2, longestMs)
      this.#hung.set(rootId, { until: performance.now() + pauseMs, pauseMs })
      this.#context.log.warn(
        { path: this.#pathOf(rootId) },
        'This folder gives no answer: it is not watched for a while',
      )
      this.#goOn(this.#timing.restartFirstMs)
    }, this.#timing.silenceMaxMs)
  }

  #ended(child: ChildProcess, end: string): void {
    if (child !== this.#child) return
    this.#context.log.warn({ end }, 'The process that watches folders has ended; starting it again')
    this.#restartMs = Math.min(this.#restartMs * 2, longestMs)
    this.#goOn(this.#restartMs)
  }

  /** With another process, after a while. What happens until then nobody hears of. */
  #goOn(pauseMs: number): void {
    const unheard = [...this.#sent.keys()]
    this.#end()
    this.#restart = setTimeout(() => {
      this.#restart = undefined
      this.#bringUpToDate()
      for (const rootId of unheard) if (this.#requestedRoots.has(rootId)) this.#context.onTouched(rootId, [''])
    }, pauseMs)
  }

  #end(): void {
    clearTimeout(this.#restart)
    clearTimeout(this.#silence)
    this.#restart = undefined
    const child = this.#child
    this.#child = undefined
    this.#sent.clear()
    // A process that waits for hung storage may not even die; it is not waited for.
    child?.removeAllListeners('message')
    child?.on('error', () => undefined)
    child?.kill('SIGKILL')
    child?.unref()
  }

  #pathOf(rootId: string): string | undefined {
    return this.#requestedRoots.get(rootId)?.path
  }
}
