/** When a folder that was touched is looked at. */
export interface Patience {
  /** Once nothing more has happened in it for this long, … */
  readonly quietMs: number
  /** … and after this long although it goes on. */
  readonly longestWaitMs: number
}

export const usualPatience: Patience = { quietMs: 5000, longestWaitMs: 60_000 }

/** More folders of one library than this are not told apart: all of it is looked at. */
export const foldersMax = 100

interface Times {
  readonly firstAt: number
  lastAt: number
}

/** What has been touched in one library, and when it is time to look. Times by `performance.now()`. */
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

  /** The folders it is time to look at; undefined when it is for none. Empty: the whole library. */
  due(now: number): readonly string[] | undefined {
    const { quietMs, longestWaitMs } = this.#patience
    const due = [...this.#folders]
      .filter(([, { firstAt, lastAt }]) => now - lastAt >= quietMs || now - firstAt >= longestWaitMs)
      .map(([path]) => path)
    if (due.length === 0) return undefined
    return this.#isWhole ? [] : due
  }

  /** A look at them was asked for at that time; what has been touched since is still to be looked at. */
  settle(paths: readonly string[], askedAt: number): void {
    for (const path of paths.length === 0 ? [''] : paths) {
      const times = this.#folders.get(path)
      if (!times) continue
      if (times.lastAt < askedAt) this.#folders.delete(path)
      else this.#folders.set(path, { firstAt: askedAt, lastAt: times.lastAt })
    }
    if (this.isEmpty) this.#isWhole = false
  }
}

/** Whether a look at these folders (none: everything) is a look at those. */
export const covers = (looked: readonly string[], asked: readonly string[]): boolean =>
  looked.length === 0 ||
  (asked.length > 0 &&
    asked.every((path) => looked.some((each) => path === each || path.startsWith(each === '/' ? '/' : `${each}/`))))
