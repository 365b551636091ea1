import { mkdir } from 'node:fs/promises'
import { openUnfinished } from '../../database/unfinished.ts'
import type { TaskContext } from '../../tasks/define-task.ts'
import { keyOfUser } from './links.ts'
import { type BookMatching, matchBooks } from './matching/books.ts'
import { type LibraryChoice, type LibraryMatch, matchLibraries } from './matching/libraries.ts'
import { type OurLibrary, selectOurLibraries, selectOurUsers } from './matching/queries.ts'
import { matchSeries } from './matching/series.ts'
import { matchUsers, type UserMatch } from './matching/users.ts'
import { deletePartsOf, deleteSomeParts, type RunRow, selectLinks, updateRun } from './queries.ts'
import { type RecordType, SourceFault, type SourceRecord } from './records.ts'
import { countsOf, makeReport, type Report } from './report.ts'
import { openSourceOf, type SourceResources } from './open-source.ts'
import type { SourceReader } from './sources/start-reader.ts'
import { allStaged, stagedRows, stageIn } from './staging.ts'
import { uploadFolder } from './upload-parts.ts'

/** Reads a whole store and finds what of it is here. Nothing but the tables of imports is written. */
export const readSource = async (
  run: RunRow,
  context: TaskContext,
  resources: SourceResources,
): Promise<{ records: number }> => {
  const { write, signal, progress, clock } = context
  await forgetParts(run.id, context)
  const folder = uploadFolder(resources.config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await using unfinished = await openUnfinished(folder)
  using reader = await openSourceOf(run, resources, { signal, scratch: unfinished.in('') })
  const counts = await stageAll(run.id, reader, context)
  progress({ current: 0, total: 0, message: 'matching' })
  const ours = await selectOurLibraries(context.db.readSlowly)
  const libraries = await matchLibraries(context.db.readSlowly, run.id, {
    theirs: await allStaged(context.db.readSlowly, run.id, 'library'),
    ours,
    chosen: chosenIn(run),
  })
  const matched = await matchAll(run, { reader, libraries, ours }, context)
  const of = {
    importId: run.id,
    kind: run.kind,
    found: countsOf(counts),
    chosen: chosenIn(run),
    now: clock(),
    ...matched,
  }
  const report = await makeReport(context.db.readSlowly, of)
  const [source] = await allStaged(context.db.readSlowly, run.id, 'source')
  await write((db) =>
    updateRun(db, run.id, {
      state: 'ready',
      busy: null,
      version: versionOf(source),
      report: JSON.stringify(report),
      ready_at: clock().toISOString(),
    }),
  )
  return { records: [...counts.values()].reduce((sum, count) => sum + count, 0) }
}

/** Books that have come since are matched too: with other libraries, and after these were scanned. */
export const matchAgain = async (
  run: RunRow,
  { reader, libraries }: { readonly reader: SourceReader; readonly libraries: readonly LibraryMatch[] },
  context: TaskContext,
): Promise<Report> => {
  const before = JSON.parse(run.report) as Report
  for (const type of ['bookMatch', 'seriesMatch'] as const) await context.write((db) => deletePartsOf(db, run.id, type))
  const ours = await selectOurLibraries(context.db.readSlowly)
  const matched = await matchAll(run, { reader, libraries, ours }, context)
  const of = {
    importId: run.id,
    kind: run.kind,
    found: before.found,
    chosen: chosenIn(run),
    now: context.clock(),
    ...matched,
  }
  return makeReport(context.db.readSlowly, of)
}

/** It is what the contract has checked. */
const chosenIn = ({ libraries }: RunRow): readonly LibraryChoice[] => JSON.parse(libraries) as LibraryChoice[]

const versionOf = (source: SourceRecord | undefined): string | null => source?.version ?? source?.schema ?? null

const partsAtOnce = 20

/** What an earlier run has left is read again. */
export const forgetParts = async (importId: string, { write, signal }: TaskContext): Promise<void> => {
  for (let isMore = true; isMore;) {
    signal.throwIfAborted()
    isMore = await write((db) => deleteSomeParts(db, importId, partsAtOnce))
  }
}

const recordsMax = 50_000_000

const stageAll = async (
  importId: string,
  reader: SourceReader,
  { write, signal, progress }: TaskContext,
): Promise<ReadonlyMap<RecordType, number>> => {
  const staging = stageIn({ write }, importId)
  const counts = new Map<RecordType, number>()
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const records = await reader.next()
    if (!records) break
    for (const record of records) {
      counts.set(record.type, (counts.get(record.type) ?? 0) + 1)
      await staging.add(record.type, record)
    }
    total += records.length
    if (total > recordsMax) throw new SourceFault('too_large', 'There is more in it than fifty million records.')
    progress({ current: total, total: 0, message: 'reading' })
  }
  await staging.end()
  return counts
}

interface ToMatch {
  readonly reader: SourceReader
  readonly libraries: readonly LibraryMatch[]
  readonly ours: readonly OurLibrary[]
}

const matchAll = async (run: RunRow, { reader, libraries, ours }: ToMatch, context: TaskContext) => {
  const { readSlowly } = context.db
  const mapped = mappedOf(libraries)
  const books = await matchBooks({
    db: context.db,
    importId: run.id,
    reader,
    ours,
    mapped,
    otherTitles: await otherTitlesOf(run.id, context),
    signal: context.signal,
    onHashed: (current, total) => context.progress({ current, total, message: 'hashing' }),
  } satisfies BookMatching)
  const series = await matchSeries(readSlowly, run.id, { books: books.matches, mapped })
  const staging = stageIn(context, run.id)
  for (const match of books.matches) await staging.add('bookMatch', match)
  for (const match of series) await staging.add('seriesMatch', match)
  await staging.end()
  return {
    books,
    libraries: [...libraries],
    series: new Map(series.map((match) => [match.theirs, match.ours])),
    users: await usersOf(run, context),
  }
}

/** A library that is to come is known as one, and has no books yet. */
export const mappedOf = (libraries: readonly LibraryMatch[]): ReadonlyMap<string, string | null> =>
  new Map(
    libraries.flatMap(({ theirs, ours, path }): [string, string | null][] =>
      ours !== null ? [[theirs, ours]] : path === null ? [] : [[theirs, null]],
    ),
  )

/** Many titles of many series are too much to keep for the few books that are found by them. */
const titlesMax = 200_000

const otherTitlesOf = async (
  importId: string,
  { db }: TaskContext,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const titles = new Map<string, readonly string[]>()
  for await (const { records } of stagedRows(db.readSlowly, importId, 'series'))
    for (const { id, otherTitles } of records)
      if (otherTitles.length > 0 && titles.size < titlesMax) titles.set(id, otherTitles)
  return titles
}

const usersOf = async (run: RunRow, { db }: TaskContext): Promise<UserMatch[]> => {
  const theirs = await allStaged(db.readSlowly, run.id, 'user')
  const states = new Map<string, number>()
  for (const type of ['progress', 'session', 'completion'] as const)
    for await (const { records } of stagedRows(db.readSlowly, run.id, type))
      for (const { user } of records) states.set(user, (states.get(user) ?? 0) + 1)
  const links = await selectLinks(db.readSlowly, run.kind, theirs.map(keyOfUser))
  const linked = new Map(
    theirs.flatMap((user) => {
      const link = links.get(keyOfUser(user))
      return link ? [[user.id, link.ours] as const] : []
    }),
  )
  return matchUsers(theirs, { ours: await selectOurUsers(db.readSlowly), linked, byUserId: run.by_user_id, states })
}
