import { Type } from 'typebox'
import type { WriteDb } from '../../../database/database.ts'
import { defineTask, moreToDo, type TaskContext } from '../../../tasks/define-task.ts'
import { enqueue, holdTasks } from '../../../tasks/queue.ts'
import { startMakingCovers } from '../../covers/covers.ts'
import { startTelling } from '../../following/following.ts'
import { findDuplicatesIn, hasUncompared } from '../../duplicates/duplicates.ts'
import { recountLibrary } from '../../libraries/libraries.ts'
import { analyseFiles, type Reader, type ReadFile, readerOf } from './analyse-files.ts'
import { applyAnalyses, type ToApply } from './apply-analysis.ts'
import { fileToRead } from '../identity/identify-files.ts'
import { type ScannedLibrary } from '../library.ts'
import {
  selectScannedLibrary,
  countToAnalyse,
  type FileToReadRow,
  selectFilesToRead,
  selectRequestedFiles,
} from '../queries.ts'
import { chooseBest } from '../several-files/choose.ts'
import { selectWithSeveralFiles } from '../several-files/queries.ts'
import { relinkPresent, relinkLeft } from '../relinks/relink.ts'
import type { ScanResources } from '../resources.ts'
import { announceRefreshed, refresh, announcedSinglyMax } from '../../../catalogue/shown/shown.ts'

const day = 24 * 60 * 60 * 1000
const filesAtOnce = 384
const requestedAtOnce = 32

/**
 * Opens what is listed and has not been read: pages, metadata, fingerprints. What somebody looks at goes first. One task
 * for a library, however many books wait.
 */
export const analyseLibrary = defineTask(Type.Object({ libraryId: Type.String() }), {
  type: 'analyse_library',
  priority: 50,
  endsWithinMs: day,
  key: ({ libraryId }) => libraryId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async ({ libraryId }, context, resources: ScanResources) => {
    const library = await selectScannedLibrary(context.db.read, libraryId)
    if (!library) return { result: { skipped: 'The library is gone.' } }
    return new AnalysisRun(library, context, readerOf(resources, context.signal)).run(resources.afterScan)
  },
})

export const analyseLibraries = async (db: WriteDb, libraryIds: readonly string[], now: Date): Promise<void> => {
  for (const libraryId of libraryIds) await enqueue(db, analyseLibrary, { libraryId }, { now })
}

/** Nothing that is left to be read from here on is missed by one that is about to end. It comes first in a transaction. */
export const holdAnalyses = async (db: WriteDb, libraryIds: Iterable<string>): Promise<void> => {
  await holdTasks(
    db,
    analyseLibrary,
    [...libraryIds].map((libraryId) => ({ libraryId })),
  )
}

class AnalysisRun {
  readonly #library: ScannedLibrary
  readonly #context: TaskContext
  readonly #reader: Reader
  readonly #rootOf: ReadonlyMap<string, string>
  /** It counts the changes of sight, of books and series, that were told. */
  #changesTold = 0
  #read = 0
  #faults = 0
  #crashed = 0
  /** It counts the books that have another file from now on. */
  #exchanged = 0
  /** These were looked at last and could not be read yet: the next scan sees what has become of them. */
  readonly #unsettled = new Set<string>()
  #toReadCount = 0
  #bytes = 0

  constructor(library: ScannedLibrary, context: TaskContext, reader: Reader) {
    this.#library = library
    this.#context = context
    this.#reader = reader
    this.#rootOf = new Map(library.roots.map(({ id, path }) => [id, path]))
  }

  async run(afterScan: ScanResources['afterScan']) {
    this.#toReadCount = await countToAnalyse(this.#context.db.readSlowly, this.#library.id)
    do await this.#readUntilDone()
    while (!(await this.#endsNow(afterScan)))
    return undefined
  }

  async #readUntilDone(): Promise<void> {
    do {
      this.#crashed = 0
      this.#exchanged = 0
      await this.#readAll()
      if (this.#context.isRepeated) await this.#readAnew(await relinkLeft(this.#library.id, this.#context))
      // Files that ended their decoder are still to be read, until they have done so too often; so are those that stand in for others.
    } while (this.#crashed + this.#exchanged > 0)
  }

  /** Whoever wants a book read joins this task until it has ended, also when that has taken its last look: then it goes on. */
  async #endsNow(afterScan: ScanResources['afterScan']): Promise<boolean> {
    const { db, finish, clock } = this.#context
    // Now they are called what their books say.
    const hasGrown = await hasUncompared(db.readSlowly, this.#library.id)
    return finish(async (db) => {
      if (await this.#isAnythingLeft(db)) return moreToDo
      const now = clock()
      await recountLibrary(db, this.#library.id, now.toISOString())
      if (hasGrown) await findDuplicatesIn(db, this.#library.id, now)
      // Not before: whoever looks at a book meanwhile is shown its cover all the same.
      await startMakingCovers(db, now)
      await startTelling(db, this.#library.id, now)
      await afterScan?.(db, this.#library.id, now)
      return { result: { read: this.#read, faults: this.#faults }, items: this.#read, bytes: this.#bytes }
    })
  }

  async #isAnythingLeft(db: WriteDb): Promise<boolean> {
    // A root that is away has many of them, and a scan that finds it again asks for all of them.
    if (this.#unsettled.size > filesAtOnce) return false
    const max = this.#unsettled.size + 1
    const requested = await selectRequestedFiles(db, this.#library.id, max)
    const left = [...requested, ...(await selectFilesToRead(db, this.#library.id, '', max))]
    return left.some(({ id }) => !this.#unsettled.has(id))
  }

  async #readAll(): Promise<void> {
    let written: Promise<void> = Promise.resolve()
    for await (const files of this.#filesToRead()) {
      const reading = analyseFiles(
        this.#reader,
        files.map((file) => this.#toRead(file)),
      )
      reading.catch(() => undefined)
      // While some are written others are being read, so that no decoder waits.
      await written
      written = reading.then((results) => this.#write(files, results))
      written.catch(() => undefined)
      const total = Math.max(this.#toReadCount, this.#read)
      this.#context.progress({ current: this.#read, total, message: null })
    }
    await written
  }

  /** Each once: one that is still being written stays for the next scan, which sees what has become of it. */
  async *#filesToRead(): AsyncGenerator<FileToReadRow[]> {
    const { db, signal } = this.#context
    const seen = new Set<string>()
    let after = ''
    for (;;) {
      signal.throwIfAborted()
      const requested = await selectRequestedFiles(db.read, this.#library.id, requestedAtOnce)
      const first = requested.filter(({ id }) => !seen.has(id))
      for (const { id } of first) seen.add(id)
      if (first.length > 0) yield first
      const next = await selectFilesToRead(db.read, this.#library.id, after, filesAtOnce)
      after = next.at(-1)?.id ?? after
      if (next.length > 0) yield next
      else if (first.length === 0) return
    }
  }

  /** What cannot be read is passed over where its book has another file, until it can be read again. */
  async #passOver(db: WriteDb, settled: readonly ToApply[], now: Date): Promise<number> {
    const ids = settled.map(({ bookId }) => bookId)
    return (await chooseBest(db, await selectWithSeveralFiles(db, ids), now)).length
  }

  /** Files that books have taken over wait in these libraries; this one has a task already, which is the one that runs. */
  async #readAnew(libraryIds: readonly string[]): Promise<void> {
    const { write, clock } = this.#context
    const others = libraryIds.filter((id) => id !== this.#library.id)
    this.#exchanged += libraryIds.length - others.length
    if (others.length > 0) await write((db) => analyseLibraries(db, others, clock()))
  }

  #toRead({ root_id, folder, name, size, modified_us, changed_us, is_folder }: FileToReadRow) {
    return fileToRead(this.#rootOf.get(root_id) ?? '', [folder, name, size, modified_us, changed_us, 0, 0, is_folder])
  }

  async #write(files: readonly FileToReadRow[], results: readonly ReadFile[]): Promise<void> {
    const { write, clock } = this.#context
    const now = clock()
    const settled = files.flatMap(({ id, book_id }, index) => {
      const result = results[index]
      if (result === undefined || 'isUnsettled' in result) {
        this.#unsettled.add(id)
        return []
      }
      this.#unsettled.delete(id)
      return [{ bookId: book_id, ...result }]
    })
    if (settled.length === 0) return
    await write(async (db) => {
      const refreshed = await refresh(db, await applyAnalyses(db, settled, now), now)
      this.#exchanged += await this.#passOver(db, settled, now)
      const told = await announceRefreshed(db, refreshed, now, announcedSinglyMax - this.#changesTold)
      this.#changesTold += told.count
    })
    const bookIds = settled.map(({ bookId }) => bookId)
    await this.#readAnew(await relinkPresent(bookIds, this.#context))
    this.#read += settled.length
    const faults = settled.flatMap((each) => ('fault' in each ? each.fault : []))
    this.#faults += faults.length
    this.#crashed += faults.filter(({ code }) => code === 'crashed').length
    this.#bytes += files.reduce((sum, { size }) => sum + size, 0)
  }
}
