import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportChoice } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { openUnfinished } from '../../../database/unfinished.ts'
import { libraryReads } from '../../../platform/storage/library-reads.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { spineReading } from '../../contents/contents.ts'
import { noteCostly } from '../../scan/scan.ts'
import { countParts, insertEffect, type RunRow, selectLinks, updateRun } from '../queries.ts'
import { openSourceOf } from '../open-source.ts'
import { keyOfUser } from '../links.ts'
import { mappedOf } from '../read-source.ts'
import type { Report } from '../report.ts'
import type { SourceReader } from '../sources/start-reader.ts'
import { allStaged, stagedRows } from '../staging.ts'
import { uploadFolder } from '../upload-parts.ts'
import {
  type AbsentBook,
  added,
  type AnyStep,
  type Applying,
  type ApplyResources,
  type Counts,
  seeingAll,
} from './step.ts'
import { loggedIn } from './logged.ts'
import { steps } from './steps.ts'
import { withLibraries } from './libraries.ts'

export type { ApplyResources } from './step.ts'

/** Where an import goes on: in this step, in this row of records, behind so many of them. */
interface Cursor {
  readonly step: string
  readonly place: number
  readonly offset: number
}

/** Until a new library is scanned this looks now and then. */
const waitMs = 2000

/**
 * It takes over what was chosen, some records at a time. Each transaction holds what is done, how to take it back and
 * where to go on: whenever this is ended, it goes on there, and nothing is done twice.
 */
export const applyAll = async (
  startedRun: RunRow,
  task: TaskContext,
  resources: ApplyResources,
): Promise<number | { readonly waitsUntil: Date }> => {
  await using source = await openLazily(startedRun, task, resources)
  await using ourBooks = readOurBooks(startedRun, task, resources)
  const run = await withLibraries(startedRun, { task, resources, reader: source.reader })
  if (run === undefined) return { waitsUntil: new Date(task.clock().getTime() + waitMs) }
  const chosen = (JSON.parse(run.choose ?? '{}') ?? {}) as ImportChoice
  const taking = steps.filter(({ part }) => chosen[part] !== false)
  const cursor = run.cursor === null ? undefined : (JSON.parse(run.cursor) as Cursor)
  const first = Math.max(
    0,
    taking.findIndex(({ name }) => name === cursor?.step),
  )
  const parts = await countParts(task.db.readSlowly, run.id)
  const total = taking.reduce((sum, { reads }) => sum + (parts.get(reads) ?? 0), 0)
  const matched = await matchesOf(run, task.db.readSlowly)
  let absent: ReturnType<typeof absentBooksOf> | undefined
  const absentBooks = () => (absent ??= absentBooksOf(run, task.db.readSlowly, matched.books))
  let taken = JSON.parse(run.taken) as Counts
  let current = taking.slice(0, first).reduce((sum, { reads }) => sum + (parts.get(reads) ?? 0), 0)
  for (const step of taking.slice(first)) {
    const users = await usersOf(run, task.db.read)
    const applying: Applying = {
      run,
      task,
      resources,
      now: task.clock(),
      chosen,
      ...matched,
      users,
      absentBooks,
      reader: source.reader,
      spineOf: ourBooks.spineOf,
    }
    const from = cursor?.step === step.name ? cursor : undefined
    for await (const row of stagedRows(task.db.readSlowly, run.id, step.reads, from?.place)) {
      const offset = row.place === from?.place ? from.offset : 0
      taken = await takeRow({ step, applying, taken }, row, offset)
      current += 1
      task.progress({ current, total, message: step.name })
    }
  }
  await task.write((db) =>
    updateRun(db, run.id, {
      state: 'applied',
      busy: null,
      cursor: null,
      applied_at: task.clock().toISOString(),
      undone_at: null,
    }),
  )
  return Object.values(taken).reduce((sum, count) => sum + count, 0)
}

interface Taking {
  readonly step: AnyStep
  readonly applying: Applying
  readonly taken: Counts
}

const takeRow = async (
  { step, applying, taken: before }: Taking,
  { place, records }: { readonly place: number; readonly records: readonly unknown[] },
  from: number,
): Promise<Counts> => {
  const { task, run } = applying
  let taken = before
  for (let offset = from; offset < records.length; offset += step.atOnce) {
    task.signal.throwIfAborted()
    // The row holds records of the type that the step reads.
    const some = records.slice(offset, offset + step.atOnce) as never
    const prepared = (await step.prepare?.(applying, some)) as never
    taken = await task.write(async (db) => {
      const { done, counts } = await step.take(db, applying, some, prepared)
      if (done !== undefined) await insertEffect(db, run.id, { step: step.name, done })
      const sum = added(taken, counts)
      const cursor: Cursor = { step: step.name, place, offset: offset + step.atOnce }
      await updateRun(db, run.id, { cursor: JSON.stringify(cursor), taken: JSON.stringify(sum) })
      return sum
    })
  }
  return taken
}

const matchesOf = async (run: RunRow, db: ReadDb) => {
  const { libraries } = JSON.parse(run.report) as Report
  const books = new Map<string, string>()
  for await (const { records } of stagedRows(db, run.id, 'bookMatch'))
    for (const { theirs, ours } of records) if (ours !== null) books.set(theirs, ours)
  const series = new Map<string, string>()
  for await (const { records } of stagedRows(db, run.id, 'seriesMatch'))
    for (const { theirs, ours } of records) series.set(theirs, ours)
  const mapped = [...mappedOf(libraries)].flatMap(([theirs, ours]): [string, string][] =>
    ours === null ? [] : [[theirs, ours]],
  )
  return { books, series, libraries: new Map(mapped), logged: await loggedIn(db, run.id) }
}

/** No list remembers where more than these were. */
const absentMax = 200_000

const absentBooksOf = async (
  run: RunRow,
  db: ReadDb,
  here: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, AbsentBook>> => {
  const absent = new Map<string, AbsentBook>()
  for await (const { records } of stagedRows(db, run.id, 'book'))
    for (const { id, seriesTitle, number, volume } of records)
      if (seriesTitle !== null && !here.has(id) && absent.size < absentMax)
        absent.set(id, { series: seriesTitle, number, volume })
  return absent
}

/** Our users by theirs: matched ones, and ones that this import or an earlier one has made. */
const usersOf = async (run: RunRow, db: ReadDb): Promise<ReadonlyMap<string, string>> => {
  const { users } = JSON.parse(run.report) as Report
  const theirs = await allStaged(db, run.id, 'user')
  const links = await selectLinks(db, run.kind, theirs.map(keyOfUser))
  return new Map([
    ...users.flatMap(({ theirs: id, ours }): [string, string][] => (ours === null ? [] : [[id, ours]])),
    ...theirs.flatMap((user): [string, string][] => {
      const link = links.get(keyOfUser(user))
      return link ? [[user.id, link.ours]] : []
    }),
  ])
}

/** Most imports have no covers: the store is opened for the first of them. */
const openLazily = async (
  run: RunRow,
  { signal }: TaskContext,
  resources: ApplyResources,
): Promise<AsyncDisposable & { readonly reader: () => Promise<SourceReader> }> => {
  const folder = uploadFolder(resources.config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let opened: Promise<SourceReader> | undefined
  const stack = new AsyncDisposableStack()
  const open = async (): Promise<SourceReader> => {
    const unfinished = stack.use(await openUnfinished(folder))
    return stack.use(await openSourceOf(run, resources, { signal, scratch: unfinished.in('') }))
  }
  return {
    reader: () => (opened ??= open()),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Whoever imports sees all books; only those are opened of which a mark does not say itself in which part it is. */
const readOurBooks = (
  run: RunRow,
  task: TaskContext,
  { decoders, config, runLimited }: ApplyResources,
): AsyncDisposable & Pick<Applying, 'spineOf'> => {
  const reads = libraryReads(runLimited)
  const spineOf = spineReading({
    db: task.db,
    decoders,
    libraryReads: reads,
    noteCostly: (bookId, fault) => noteCostly(task, bookId, fault, task.clock()),
    unpackedDir: join(config.dataDir, 'cache', 'unpacked'),
  })
  return {
    spineOf: (bookId) => spineOf(seeingAll(run.by_user_id), bookId),
    [Symbol.asyncDispose]: () => reads.close(),
  }
}
