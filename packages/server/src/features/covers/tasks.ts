import { join } from 'node:path'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { BookCoverInput, BookCovers } from '../../decoders/cover.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { BookFault, type Fault } from '../../formats/book-format.ts'
import { defineTask, moreToDo, type TaskContext } from '../../tasks/define-task.ts'
import { answers } from '../../platform/storage/library-reads.ts'
import { objectsAt, StoreAway, type StoredAt } from '../../platform/objects/objects.ts'
import { watchStorage } from '../../platform/storage/storage-watch.ts'
import { coverInputs } from './cover-input.ts'
import {
  countQueued,
  deleteOrphans,
  deleteQueued,
  selectSubjects,
  selectUsedHashes,
  selectQueued,
  type SubjectRow,
} from './queries.ts'
import { type FailedCover, type MadeForBook, recordCovers, recordFailures } from './record-covers.ts'
import { coverFolder, type CoverStore, coverStore, nameInKey } from './store.ts'

interface CoverTaskContext extends Pick<Context, 'config' | 'settings' | 'runLimited'> {
  readonly decoders: Decoders
}

const day = 24 * 60 * 60 * 1000
const booksAtOnce = 32
/** A store that has not answered, or takes nothing for now, is tried again after this. */
const storeAwayMs = 30_000
/** The folder is on a disk that is full, of room or of files, or that may only be read: which passes. */
const takesNothing = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']
const jobMaxMs = 30_000

/** It makes all covers in the queue. One task for all of them; what is queued while it runs it makes as well. */
export const makeCovers = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'make_covers',
  priority: 20,
  endsWithinMs: day,
  key: () => 'all',
  startable: { byHand: true },
  run: async (payload, context, resources: CoverTaskContext) => {
    const run = new CoverRun(context, resources)
    try {
      do await run.work()
      while (!(await endsNow(context, run)))
      return run.figures
    } catch (error) {
      if (!(error instanceof StoreAway) && !isTakingNothing(error)) throw error
      // What could not be stored is still in the queue.
      return { putOff: { until: new Date(context.clock().getTime() + storeAwayMs), payload } }
    }
  },
})

const isTakingNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && takesNothing.includes(String(error.code))

/** A book may have come between the last look and the end: then it goes on. What lies where nothing answers waits. */
const endsNow = ({ finish }: TaskContext, run: CoverRun): Promise<boolean> =>
  finish(async (db) => ((await countQueued(db, run.rootsAway)) > 0 ? moreToDo : run.figures))

const orphansAtOnce = 250

/** It deletes the covers of books and series that have been deleted, and pictures that no cover shows. */
export const cleanUpCovers = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'cleanup_covers',
  priority: 10,
  endsWithinMs: day,
  key: () => 'all',
  startable: { byHand: true },
  run: async (_, context, { config }: CoverTaskContext) => {
    const { db, write, signal } = context
    let forgotten = 0
    for (;;) {
      signal.throwIfAborted()
      const names = await write((db) => deleteOrphans(db, orphansAtOnce))
      if (names.length === 0) break
      await forgetPictures(coverStore(config), db.read, names)
      forgotten += names.length
    }
    const strays = await removeStrays(context, config)
    return { result: { forgotten, strays }, items: forgotten + strays }
  },
})

/** Whoever has made a picture says within this who shows it. */
const strayAfterMs = day

/** Pictures whose maker was killed, or that could not be removed when they were replaced. */
const removeStrays = async ({ db, clock, signal }: TaskContext, storedAt: StoredAt): Promise<number> => {
  const store = coverStore(storedAt)
  const before = clock().getTime() - strayAfterMs
  let present = new Set<string>()
  let removed = 0
  const removeFound = async (): Promise<void> => {
    const used = await selectUsedHashes(db.readSlowly, [...present])
    const strays = [...present].filter((name) => !used.has(name))
    await store.remove(strays)
    removed += strays.length
    present = new Set()
  }
  for await (const { key, changedAt } of objectsAt(storedAt).list(coverFolder)) {
    signal.throwIfAborted()
    const name = nameInKey(key)
    if (name !== undefined && changedAt.getTime() < before) present.add(name)
    if (present.size >= orphansAtOnce) await removeFound()
  }
  await removeFound()
  return removed
}

class CoverRun {
  readonly #context: TaskContext
  readonly #resources: CoverTaskContext
  readonly #store: CoverStore
  readonly #away = new Set<string>()
  #made = 0
  #failed = 0
  #total = 0

  constructor(context: TaskContext, resources: CoverTaskContext) {
    this.#context = context
    this.#resources = resources
    this.#store = coverStore(resources.config)
  }

  /** Roots whose storage does not answer: a scan that finds them again wants their covers again. */
  get rootsAway(): readonly string[] {
    return [...this.#away]
  }

  get figures() {
    return { result: { made: this.#made, failed: this.#failed }, items: this.#made }
  }

  async work(): Promise<void> {
    const { db, signal, progress } = this.#context
    this.#total = this.#made + this.#failed + (await countQueued(db.readSlowly, this.rootsAway))
    for (;;) {
      signal.throwIfAborted()
      const queued = await selectQueued(db.read, booksAtOnce, this.rootsAway)
      if (queued.length === 0) return
      await this.#makeSome(new Map(queued.map(({ book_id, tries }) => [book_id, tries])))
      const current = this.#made + this.#failed
      progress({ current, total: Math.max(this.#total, current), message: null })
    }
  }

  async #makeSome(triesOf: ReadonlyMap<string, number>): Promise<void> {
    const { db, write, clock } = this.#context
    const ids = [...triesOf.keys()]
    const rows = (await selectSubjects(db.readSlowly, ids)).filter(({ analysis }) => isWorthATry(analysis))
    const made: MadeForBook[] = []
    const failed: (FailedCover & { readonly rootId: string })[] = []
    await this.#makeEach(rows, (row, covers) => {
      if ('row' in covers) made.push(covers)
      else failed.push({ bookId: row.id, rootId: row.root_id, tries: triesOf.get(row.id) ?? 0, fault: covers.fault })
    })
    const existingIds = new Set(rows.map(({ id }) => id))
    const gone = ids.filter((id) => !existingIds.has(id))
    const atFault = failed.filter(({ rootId }) => !this.#away.has(rootId))
    const replaced = await write(async (db) => {
      await deleteQueued(db, gone)
      await recordFailures(db, atFault, clock())
      return recordCovers(db, made, clock())
    })
    await forgetPictures(this.#store, db.read, replaced)
    this.#made += made.length
    this.#failed += atFault.length + gone.length
  }

  async #makeEach(
    rows: readonly SubjectRow[],
    take: (row: SubjectRow, made: MadeForBook | { readonly fault: Fault }) => void,
  ): Promise<void> {
    const { config } = this.#resources
    const { db } = this.#context
    const cacheDir = join(config.dataDir, 'cache', 'unpacked')
    const inputs = await coverInputs(db.readSlowly, rows, { sizes: this.#coverSizes(), cacheDir })
    const all = rows.flatMap((row, index) => {
      const input = inputs[index]
      return input ? [{ row, input }] : []
    })
    const ofRoots = Map.groupBy(all, ({ row }) => row.root_id)
    await Promise.all([...ofRoots.values()].map((ofRoot) => this.#makeInRoot(ofRoot, take)))
  }

  async #makeInRoot(
    ofRoot: readonly { readonly row: SubjectRow; readonly input: BookCoverInput }[],
    take: (row: SubjectRow, made: MadeForBook | { readonly fault: Fault }) => void,
  ): Promise<void> {
    const { signal } = this.#context
    const { decoders, runLimited } = this.#resources
    const { root_id: rootId, root_path: rootPath } = ofRoot[0]?.row ?? { root_id: '', root_path: '' }
    using storage = watchStorage(() => answers(runLimited, rootPath), signal)
    await storage.check()
    const makeOne = async ({ row, input }: (typeof ofRoot)[number]): Promise<void> => {
      if (storage.isAway()) return
      try {
        const options = { silenceMaxMs: jobMaxMs, signal: storage.signal, patient: true }
        const covers = await decoders.run('bookCover', input, options)
        take(row, await storeCovers(this.#store, row, covers, input.folderPicture === 'series'))
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof BookFault)) throw error
        if (error.code === 'timeout' || error.code === 'unreadable') await storage.check()
        take(row, { fault: { code: error.code, message: error.message } })
      }
    }
    await Promise.all(ofRoot.map(makeOne))
    if (storage.isAway()) this.#away.add(rootId)
  }

  #coverSizes() {
    return coverSizesOf(this.#resources.settings)
  }
}

export const coverSizesOf = (settings: Context['settings']) => ({
  edge: settings.get('thumbnail.max_dimension'),
  quality: settings.get('thumbnail.quality'),
})

/** A book that cannot be read has its error already. */
export const isWorthATry = (analysis: SubjectRow['analysis']): boolean => analysis === 'done' || analysis === 'pending'

export const storeCovers = async (
  store: CoverStore,
  row: SubjectRow,
  { book, series }: BookCovers,
  isSeriesChecked: boolean,
): Promise<MadeForBook> => ({
  row,
  // It is made again from the book when it is lost; nobody looks for the picture of a series again.
  book: { ...book, contentHash: await store.put(book, { isLasting: false }) },
  series: series ? { ...series, contentHash: await store.put(series) } : isSeriesChecked ? null : undefined,
})

/** Pictures that were replaced, unless another cover shows the same. */
export const forgetPictures = async (
  store: CoverStore,
  db: TaskContext['db']['read'],
  names: readonly string[],
): Promise<void> => {
  const used = await selectUsedHashes(db, names)
  try {
    await store.remove(names.filter((name) => !used.has(name)))
  } catch (error) {
    // They are in nobody's way, and go with the next cleaning.
    if (!(error instanceof StoreAway)) throw error
  }
}
