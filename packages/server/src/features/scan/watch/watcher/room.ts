import { readFileSync } from 'node:fs'
import type { Limit } from './messages.ts'

/** Each costs this process about 1.2 KB, and the kernel as much again (decision 021). */
const foldersMax = 30_000
/** Other programs of the same user watch as well, and draw on the same number. */
const shareOfSystem = 0.75
const usualSystemMax = 8192
const usualQueueMax = 16_384

const systemNumber = (name: string, usual: number): number => {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8')) || usual
  } catch {
    return usual
  }
}

interface RoomLimits {
  readonly foldersMax: number
  /** The system allows this many to a user, all programs together. */
  readonly systemMax: number
  /** Events that wait to be heard. */
  readonly queueMax: number
}

const limitsHere = (): RoomLimits => ({
  foldersMax,
  systemMax: systemNumber('max_user_watches', usualSystemMax),
  queueMax: systemNumber('max_queued_events', usualQueueMax),
})

/** How many folders may be watched, all roots together, and whether the system could keep up with telling. */
export class Room {
  readonly #onLimit: (by: Limit, folders: number) => void
  readonly #onOverflow: () => void
  readonly #max: number
  readonly #limit: Limit
  readonly #queueMax: number
  #taken = 0
  #isFull = false
  #heardInTurn = 0

  constructor(onLimit: (by: Limit, folders: number) => void, onOverflow: () => void, limits = limitsHere()) {
    const ofSystem = Math.floor(limits.systemMax * shareOfSystem)
    this.#max = Math.min(limits.foldersMax, ofSystem)
    this.#limit = ofSystem < limits.foldersMax ? 'system' : 'memory'
    // Some have been heard already while the others came.
    this.#queueMax = limits.queueMax / 2
    this.#onLimit = onLimit
    this.#onOverflow = onOverflow
  }

  take(): boolean {
    if (this.#isFull) return false
    if (this.#taken >= this.#max) {
      this.#fill(this.#limit)
      return false
    }
    this.#taken += 1
    return true
  }

  give(folders: number): void {
    this.#taken -= folders
    if (folders > 0) this.#isFull = false
  }

  /** ENOSPC: too many watches; EMFILE: too many programs that watch. */
  refused(code: string | undefined): void {
    if (code === 'ENOSPC' || code === 'EMFILE') this.#fill('system')
  }

  /**
   * The system drops events without our being told when its queue is full. All that is in the queue is heard in one turn of
   * this process: as many as could fill it mean that some may be missing.
   */
  heard(): void {
    if (this.#heardInTurn === 0)
      setImmediate(() => {
        if (this.#heardInTurn >= this.#queueMax) this.#onOverflow()
        this.#heardInTurn = 0
      })
    this.#heardInTurn += 1
  }

  #fill(by: Limit): void {
    this.#isFull = true
    this.#onLimit(by, this.#taken)
  }
}
