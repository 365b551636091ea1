import type { WriteDb } from '../../database/database.ts'
import type { TaskContext, TaskResult } from '../../tasks/define-task.ts'
import { announce } from '../../events/outbox.ts'
import { noteArrivals } from '../following/following.ts'
import { recountLibrary, setRootStates } from '../libraries/libraries.ts'
import { announceBooks } from '../../catalogue/visibility/visibility.ts'
import { readerOf } from './analysis/analyse-files.ts'
import { analyseLibraries, holdAnalyses } from './analysis/analyse-library.ts'
import { extensionsOf } from './extensions.ts'
import { type Findings, withoutUnseen } from './identity/findings.ts'
import type { ScanOptions, ScanResources } from './resources.ts'
import { identifyFiles } from './identity/identify-files.ts'
import { relinkPresent, relinkLeft, relinkLost } from './relinks/relink.ts'
import { type ScannedLibrary } from './library.ts'
import {
  clearDivided,
  selectScannedLibrary,
  selectStoredFiles,
  selectStoredFolders,
  selectScan,
  updateAllPending,
  updateScan,
  updateUnreadablePending,
} from './queries.ts'
import { type StoredFiles, storeFiles } from './identity/store-files.ts'
import type { IdentifiedFile } from './identity/identified-file.ts'
import { type Removal, removeLost } from './removals/removals.ts'
import { walkLimited } from './walker/run-walk.ts'
import { ScanFigures } from './scan-figures.ts'
import { followMovedFolders } from './identity/follow-moved-folders.ts'
import { followRenamed } from './identity/follow-renamed.ts'
import { splitMerged } from './identity/split-merged.ts'
import { followSeries, regroupRest } from './identity/follow-series.ts'
import { applySidecars } from './analysis/sidecars.ts'
import { type SidecarChanges } from './analysis/sidecar-changes.ts'
import { findToSettle, settleFiles, settleLibrary } from './several-files/settle.ts'
import { pushAll } from '../../platform/push-all.ts'
import { Spool } from './walker/spool.ts'
import { targetsOf } from './targets.ts'
import type { StoredFile } from './walker/messages.ts'
import { announceRefreshed, refresh, announcedSinglyMax } from '../../catalogue/shown/shown.ts'

/** Rows that one transaction writes; others wait for it. */
const batch = 250
const rowsAtOnce = 3000

/**
 * One scan of one library. The order of its steps matters:
 *
 * 1. Walk the roots, in a process of its own, and compare them with what is stored.
 * 2. Identify which book each new or changed file is.
 * 3. Let series and folders follow their books, before these are stored anywhere else.
 * 4. Store the files, a batch in each transaction, and refresh what is shown of them.
 * 5. Remove what is lost, or hold it: last, because any file that was stored may have been one that seemed lost.
 * 6. Give lost books the copies of theirs that are there, and settle books that have several files.
 * 7. Finish, and enqueue the reading of what was listed.
 */
export class ScanRun {
  readonly #options: ScanOptions
  readonly #context: TaskContext
  readonly #resources: ScanResources
  readonly #figures: ScanFigures
  /** It counts the changes of sight, of books and series, that were told. */
  #changesTold = 0

  constructor(options: ScanOptions, context: TaskContext, resources: ScanResources) {
    this.#options = options
    this.#context = context
    this.#resources = resources
    this.#figures = new ScanFigures(options, context)
  }

  async run(): Promise<TaskResult | undefined> {
    const { db, write, clock } = this.#context
    const library = await selectScannedLibrary(db.read, this.#options.libraryId)
    const scan = await selectScan(db.read, this.#options.scanId)
    if (!library || !scan) return { result: { skipped: 'The library is gone.' }, items: 0 }
    await write((db) =>
      updateScan(db, scan.id, { status: 'processing', phase: 'walking', started_at: clock().toISOString() }),
    )
    const added = await Spool.open(this.#resources.config.dataDir, scan.id)
    try {
      const findings = await this.#findChanges(library, added)
      await this.#apply(library, withoutUnseen(findings))
      return undefined
    } catch (error) {
      await this.#noteFailure(error)
      throw error
    } finally {
      await added.remove()
    }
  }

  async #findChanges(library: ScannedLibrary, added: Spool): Promise<Findings> {
    const { db, signal } = this.#context
    const findings: Findings = { walked: [], added, changed: [], vanished: [], sidecars: [] }
    const { targets, errors } = targetsOf(library, this.#options.paths)
    this.#figures.addErrors(errors)
    const isTooLarge = (): boolean => findings.changed.length + findings.vanished.length > 2_000_000
    for (const { root, folder } of targets) {
      const sidecars: SidecarChanges = { rootId: root.id, added: [], changed: [], vanished: [] }
      const summary = await walkLimited(this.#resources.runLimited, {
        target: { rootPath: root.path, folder, exclude: library.exclude, extensions: extensionsOf(library.formats) },
        readStored: (of, after, rows) =>
          selectStoredFolders(db.readSlowly, { rootId: root.id, below: folder, of }, after, rows),
        onChanges: async (changes) => {
          if (isTooLarge()) throw new Error('More has changed than one scan can take in.')
          await added.add(root.id, changes.added)
          const inRoot = (stored: StoredFile) => ({ rootId: root.id, stored })
          pushAll(findings.changed, changes.changed.map(inRoot))
          pushAll(findings.vanished, changes.vanished.map(inRoot))
          pushAll(sidecars.added, changes.sidecarsAdded)
          pushAll(sidecars.changed, changes.sidecarsChanged)
          pushAll(sidecars.vanished, changes.sidecarsVanished)
        },
        onProgress: (seen) => this.#figures.walked(seen),
        signal,
      })
      findings.walked.push({ root, folder, summary })
      findings.sidecars.push(sidecars)
      this.#figures.rootDone(summary)
    }
    for (const rootId of library.removedRootIds) pushAll(findings.vanished, await this.#allIn(rootId))
    return findings
  }

  async #allIn(rootId: string): Promise<Findings['vanished']> {
    const all: Findings['vanished'] = []
    let after: StoredFile | undefined
    do {
      const rows = await selectStoredFiles(this.#context.db.readSlowly, { rootId, below: '' }, after, rowsAtOnce)
      all.push(...rows.map((stored) => ({ rootId, stored })))
      after = rows.at(-1)
    } while (after)
    return all
  }

  async #apply(library: ScannedLibrary, findings: Findings): Promise<void> {
    const { finish, clock, db, signal } = this.#context
    const { settings } = this.#resources
    this.#figures.enter('applying', findings.added.count + findings.changed.length)
    const reader = readerOf(this.#resources, signal)
    const outcome = await identifyFiles({ db: db.readSlowly, library, findings, reader })
    await followRenamed({ library, findings, outcome, context: this.#context })
    const { scanId } = this.#options
    const tracked = { scanId, library, outcome, context: this.#context }
    await splitMerged(tracked)
    const divided = await followSeries(tracked)
    await followMovedFolders({ library, findings, outcome, context: this.#context })
    const restored: string[] = []
    const unsettled: string[] = []
    const foundAnyway = new Set<string>()
    const areFoldersNew = findings.walked.every(({ summary }) => summary.filesKnown === 0)
    for await (const identifiedFiles of outcome.identifiedFiles(batch)) {
      const { grown, rescued } = await this.#store(library, identifiedFiles, areFoldersNew)
      for (const id of rescued) foundAnyway.add(id)
      unsettled.push(...grown, ...(await findToSettle(db.read, library, identifiedFiles)))
      restored.push(
        ...identifiedFiles.flatMap(({ change, bookId }) =>
          change === 'restored' && bookId !== undefined ? bookId : [],
        ),
      )
    }
    await regroupRest(divided, this.#context)
    if (this.#options.mode === 'full') await this.#readAllAnew(library)
    await applySidecars({ library, changes: findings.sidecars, context: this.#context, reader })
    const removal = await removeLost({
      library,
      findings,
      lost: outcome.lost().filter(({ bookId }) => !foundAnyway.has(bookId)),
      scanId: this.#options.scanId,
      limits: { percent: settings.get('scan.hold_percent'), books: settings.get('scan.hold_books') },
      isConfirmed: settings.get('scan.auto_confirm'),
      context: this.#context,
    })
    const toRead = [
      ...(await relinkLost(removal.missing, this.#context)),
      // One that came back may be the copy of a book that was lost with it, and whose file will not come back.
      ...(await relinkPresent(restored, this.#context)),
      ...(this.#context.isRepeated ? await relinkLeft(library.id, this.#context) : []),
    ]
    await this.#settle(library, unsettled)
    // Whoever reads that it is done may ask for the next one: that must not be taken for this one.
    await finish(async (db) => {
      await holdAnalyses(db, new Set([library.id, ...toRead]))
      await this.#finish(db, findings, removal, clock())
      await analyseLibraries(db, toRead, clock())
      return { result: this.#figures.result(), items: this.#figures.filesTotal }
    })
  }

  async #store(
    library: ScannedLibrary,
    identifiedFiles: readonly IdentifiedFile[],
    areFoldersNew: boolean,
  ): Promise<Pick<StoredFiles, 'grown' | 'rescued'>> {
    this.#context.signal.throwIfAborted()
    const now = this.#context.clock()
    const stored = await this.#context.write(async (db) => {
      const stored = await storeFiles(db, library, identifiedFiles, { now, mayBeNew: true, areFoldersNew })
      await this.#refresh(db, stored, now)
      await noteArrivals(db, this.#options.scanId, stored.newBookIds, now)
      this.#figures.addStored(identifiedFiles, stored)
      await updateScan(db, this.#options.scanId, this.#figures.columns())
      return stored
    })
    await this.#figures.show()
    return stored
  }

  async #refresh(db: WriteDb, stored: StoredFiles, now: Date): Promise<void> {
    const told = await announceRefreshed(
      db,
      await refresh(db, stored.touched, now),
      now,
      announcedSinglyMax - this.#changesTold,
    )
    this.#changesTold += told.count
    if (this.#figures.booksAdded + stored.newBookIds.length > announcedSinglyMax) return
    await announceBooks(db, 'book_created', stored.newBookIds, now)
    const isNew = new Set(stored.newBookIds)
    await announceBooks(
      db,
      'book_updated',
      [...stored.bookIds, ...stored.grown].filter((id) => !isNew.has(id) && !told.bookIds.has(id)),
      now,
    )
  }

  /** Not before all that has vanished is known to be gone: which book has which file must not change until then. */
  async #settle(library: ScannedLibrary, bookIds: readonly string[]): Promise<void> {
    const settling = { library, context: this.#context }
    const mayBeUnsettled = this.#context.isRepeated || this.#options.mode === 'full'
    if (mayBeUnsettled) await settleLibrary(settling)
    else await settleFiles(settling, [...new Set(bookIds)])
  }

  async #readAllAnew(library: ScannedLibrary): Promise<void> {
    let after = ''
    for (;;) {
      const last = await this.#context.write((db) => updateAllPending(db, library.id, after, batch * 4))
      if (last === undefined) return
      after = last
    }
  }

  async #finish(db: WriteDb, findings: Findings, removal: Removal, now: Date): Promise<void> {
    const { scanId, libraryId } = this.#options
    const at = now.toISOString()
    const isUnavailable = findings.walked.some(({ summary }) => summary.rootError !== undefined || removal.isSuspect)
    const wasUnavailable = await setRootStates(
      db,
      libraryId,
      findings.walked.map(({ root, summary }) => ({
        id: root.id,
        isAvailable: summary.rootError === undefined,
        // A root that may not be what it was is not taken for what it should be.
        ...(summary.rootError === undefined && !removal.isSuspect && { device: summary.device, inode: summary.inode }),
      })),
      now,
    )
    await recountLibrary(db, libraryId, at)
    if (findings.walked.some(({ summary }) => summary.rootError !== undefined) && !wasUnavailable)
      await announce(
        db,
        [{ event: { type: 'library_unavailable', libraryId }, to: { libraryId, permission: 'libraries:read' } }],
        now,
      )
    await announce(
      db,
      [{ event: { type: 'library_updated', libraryId }, to: { libraryId, permission: 'libraries:read' } }],
      now,
    )
    this.#figures.removed(removal)
    const status = removal.heldId
      ? 'held'
      : this.#figures.errorCount > 0 || isUnavailable
        ? 'completed_with_errors'
        : 'completed'
    await updateScan(db, scanId, { ...this.#figures.columns(), status, phase: null, completed_at: at })
    await clearDivided(db, libraryId)
    await updateUnreadablePending(db, libraryId)
    await analyseLibraries(db, [libraryId], now)
  }

  /** A retry begins anew; until then this is how it stands. */
  async #noteFailure(error: unknown): Promise<void> {
    const { write, signal, clock } = this.#context
    if (signal.aborted) return
    this.#figures.addErrors([
      { path: '', code: 'failed', message: error instanceof Error ? error.message : String(error) },
    ])
    const ended = { status: 'failed' as const, phase: null, completed_at: clock().toISOString() }
    const changes = { ...this.#figures.columns(), ...ended }
    try {
      await write((db) => updateScan(db, this.#options.scanId, changes))
    } catch {
      // What went wrong is told by the task.
    }
  }
}
