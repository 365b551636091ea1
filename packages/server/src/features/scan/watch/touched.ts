/** When a folder that was touched is scanned. */
export interface Patience {
  /** Once nothing more has happened in it for this long, … */
  readonly quietMs: number
  /** … and after this long although it goes on. */
  readonly longestWaitMs: number
}

export const usualPatience: Patience = { quietMs: 5000, longestWaitMs: 60_000 }

/** More folders of one library than this are not told apart: all of it is scanned. */
export const foldersMax = 100

interface Times {
  readonly firstAt: number
  lastAt: number
}

/** What has been touched in one library, and when it is time to scan it. Times by `performance.now()`. */
export class Touched {
  /** By the absolute path, without a slash at its end. */
  #folders = new Map<string, Times>()
  #isWhole = false
  readonly #patience: Patience

  constructor(patience: Patience) {
    this.#patience = patience
  }

  get isEmpty(): boolean {
    return this.#folders.size === 0
  }

  note(path: string, now: number): void {
    const key = this.#isWhole ? '' : path
    const times = this.#folders.get(key)
    if (times) times.lastAt = now
    else this.#folders.set(key, { firstAt: now, lastAt: now })
    if (this.#folders.size > foldersMax) this.noteWhole(now)
  }

  noteWhole(now: number): void {
    const firstAt = Math.min(now, ...[...this.#folders.values()].map((times) => times.firstAt))
    this.#isWhole = true
    this.#folders = new Map([['', { firstAt, lastAt: now }]])
  }

  /** The folders it is time to scan; undefined when it is for none. Empty: the whole library. */
  due(now: number): readonly string[] | undefined {
    const { quietMs, longestWaitMs } = this.#patience
    const due = [...this.#folders]
      .filter(([, { firstAt, lastAt }]) => now - lastAt >= quietMs || now - firstAt >= longestWaitMs)
      .map(([path]) => path)
    if (due.length === 0) return undefined
    return this.#isWhole ? [] : due
  }

  /** A scan of them was requested at that time; what has been touched since is still to be scanned. */
  settle(paths: readonly string[], requestedAt: number): void {
    for (const path of paths.length === 0 ? [''] : paths) {
      const times = this.#folders.get(path)
      if (!times) continue
      if (times.lastAt < requestedAt) this.#folders.delete(path)
      else this.#folders.set(path, { firstAt: requestedAt, lastAt: times.lastAt })
    }
    if (this.isEmpty) this.#isWhole = false
  }
}

/** Whether a scan of these folders (none: everything) is a scan of those. */
export const covers = (scanned: readonly string[], requested: readonly string[]): boolean =>
  scanned.length === 0 ||
  (requested.length > 0 &&
    requested.every((path) =>
      scanned.some((each) => path === each || path.startsWith(each === '/' ? '/' : `${each}/`)),
    ))
