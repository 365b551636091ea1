import type { TaskContext } from '../../tasks/define-task.ts'
import { announce } from '../../events/outbox.ts'
import type { StoredFiles } from './identity/store-files.ts'
import type { IdentifiedFile } from './identity/identified-file.ts'
import type { Removal } from './removals/removals.ts'
import type { ScanOptions } from './resources.ts'
import type { ScanError } from './targets.ts'
import type { WalkSummary } from './walker/messages.ts'

const errorsKept = 100
const tellEveryMs = 500

type Phase = 'walking' | 'applying' | 'analysing' | 'covers'

/** What a scan has counted so far, and the telling of it. */
export class ScanFigures {
  readonly #options: Pick<ScanOptions, 'scanId' | 'libraryId'>
  readonly #context: TaskContext
  readonly #startedAt = performance.now()
  readonly #errors: ScanError[] = []
  #phase: Phase = 'walking'
  #seenInOtherRoots = 0
  #filesProcessed = 0
  #filesToStore = 0
  #seriesAdded = 0
  #booksUpdated = 0
  #booksMoved = 0
  #booksMissing = 0
  #booksRestored = 0
  #toldAt = 0
  booksAdded = 0
  filesTotal = 0
  errorCount = 0

  constructor(options: Pick<ScanOptions, 'scanId' | 'libraryId'>, context: TaskContext) {
    this.#options = options
    this.#context = context
  }

  walked(seenInRoot: number): void {
    this.filesTotal = this.#seenInOtherRoots + seenInRoot
    this.#context.progress({ current: this.filesTotal, total: this.filesTotal, message: null })
    void this.show().catch(() => undefined)
  }

  rootDone({ filesSeen, rootError, errors, errorCount }: WalkSummary): void {
    this.#seenInOtherRoots += filesSeen
    this.filesTotal = this.#seenInOtherRoots
    const all = rootError ? [rootError] : errors
    this.addErrors(all.map(({ path, code }) => ({ path, code, message: inWords(code) })))
    this.errorCount += rootError ? 0 : errorCount - all.length
  }

  addErrors(errors: readonly ScanError[]): void {
    this.errorCount += errors.length
    this.#errors.push(...errors.slice(0, errorsKept - this.#errors.length))
  }

  enter(phase: Phase, filesToStore: number): void {
    this.#phase = phase
    this.#filesToStore = filesToStore
  }

  addStored(identifiedFiles: readonly IdentifiedFile[], { newBookIds, seriesCreated, knownBooks }: StoredFiles): void {
    this.#filesProcessed += identifiedFiles.length
    this.booksAdded += newBookIds.length
    this.#seriesAdded += seriesCreated.length
    for (const { change } of knownBooks) {
      if (change === 'moved') this.#booksMoved += 1
      else if (change === 'restored') this.#booksRestored += 1
      else if (change === 'replaced') this.#booksUpdated += 1
    }
  }

  removed({ missing }: Pick<Removal, 'missing'>): void {
    this.#booksMissing = missing.length
  }

  columns() {
    return {
      phase: this.#phase,
      files_total: this.filesTotal,
      files_processed: this.filesTotal - this.#filesToStore + this.#filesProcessed,
      books_added: this.booksAdded,
      books_updated: this.#booksUpdated,
      books_moved: this.#booksMoved,
      books_missing: this.#booksMissing,
      books_restored: this.#booksRestored,
      series_added: this.#seriesAdded,
      error_count: this.errorCount,
      errors: JSON.stringify(this.#errors),
    }
  }

  result() {
    const { errors: _, phase: __, ...figures } = this.columns()
    return figures
  }

  /** To whoever follows, twice a second at most. */
  async show(): Promise<void> {
    const now = performance.now()
    if (now - this.#toldAt < tellEveryMs) return
    this.#toldAt = now
    const { write, clock } = this.#context
    const { scanId, libraryId } = this.#options
    const columns = this.columns()
    const isWalking = this.#phase === 'walking'
    const done = isWalking ? this.filesTotal : this.#filesProcessed
    const ratePerSecond = Math.round((done / Math.max(1, now - this.#startedAt)) * 1000)
    const left = this.#filesToStore - this.#filesProcessed
    const secondsLeft = isWalking || ratePerSecond === 0 ? null : Math.ceil(left / ratePerSecond)
    const event = {
      type: 'scan_progress' as const,
      libraryId,
      scanId,
      phase: this.#phase,
      filesTotal: columns.files_total,
      filesProcessed: columns.files_processed,
      errorCount: columns.error_count,
      ratePerSecond,
      secondsLeft,
    }
    const audiences = [{ of: [{ libraryId, isWhole: true as const }], isSeen: true }]
    await write((db) => announce(db, [{ event, to: { libraryId, permission: 'libraries:read', audiences } }], clock()))
  }
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'It is not there.',
  ENOTDIR: 'It is not a folder.',
  EACCES: 'It may not be read.',
  EPERM: 'It may not be read.',
  EIO: 'The storage reports an error.',
  ENOTCONN: 'The storage is not connected.',
  ESTALE: 'The storage is not connected.',
  ETIMEDOUT: 'The storage does not answer.',
  ELOOP: 'The folders lie too deep in each other.',
}

const inWords = (code: string): string => words[code] ?? `It cannot be looked at (${code}).`
