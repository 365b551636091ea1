import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addBooksTo, addSeriesTo, addShelf } from '../../../../test/reading-content.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { testDialect } from '../../../../test/test-database.ts'
import { workOn } from '../../../../test/work.ts'
import { enqueue } from '../../../tasks/queue.ts'
import type { ReadBook } from '../book.ts'
import { listHistory } from '../progress/progress.ts'
import { countUpToNow, rebuildProjections } from '../reading.ts'
import { rebuildReading } from '../tasks.ts'
import { fold, inOrder, nothingRead, step } from './fold.ts'
import { toEntry } from './queries.ts'
import { type NewLogEntry, record } from './record.ts'

const start = Date.parse('2026-11-01T10:00:00.000Z')
const now = new Date('2026-11-21T10:00:00.000Z')
const minute = 60_000

interface LogEntryCase {
  readonly minutes: number
  readonly page: number
  readonly deviceId: string
  readonly kind: NewLogEntry['kind']
  readonly outright: boolean
  readonly book: number
}

const someSaid = (count: { minLength: number; maxLength: number }, minutesMax: number) =>
  fc.array(
    fc.record<LogEntryCase>({
      minutes: fc.integer({ min: 0, max: minutesMax }),
      page: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 })),
      deviceId: fc.constantFrom('tablet', 'phone', 'reader'),
      kind: fc.oneof(
        { arbitrary: fc.constant('progress' as const), weight: 40 },
        { arbitrary: fc.constantFrom('completed' as const, 'reset' as const), weight: 1 },
      ),
      outright: fc.oneof({ arbitrary: fc.constant(false), weight: 60 }, { arbitrary: fc.constant(true), weight: 1 }),
      book: fc.nat({ max: 2 }),
    }),
    { ...count, size: 'max' },
  )

const entryFrom = ({ minutes, page, book, ...rest }: LogEntryCase, books: readonly ReadBook[]): NewLogEntry => {
  const ended = start + minutes * minute
  const about = books[book]
  if (!about) throw new Error('There is no such book')
  return {
    ...rest,
    id: randomUUID(),
    book: about,
    source: 'session',
    page,
    percentage: null,
    time: { started: ended - minute, ended },
  }
}

const shelved = async (server: TestServer): Promise<readonly ReadBook[]> => {
  const { db } = server.context
  const shelf = await addShelf(db)
  const other = { ...shelf, seriesId: await addSeriesTo(db, shelf.libraryId, 'Other') }
  const ids = [...(await addBooksTo(db, shelf, 2)), ...(await addBooksTo(db, other, 1))]
  return ids.map((id, index) => ({
    id,
    seriesId: index < 2 ? shelf.seriesId : other.seriesId,
    seriesName: 'Nemo',
    libraryId: shelf.libraryId,
    format: 'cbz',
    pageCount: 200,
    isPresent: true,
  }))
}

type KeptTable =
  | 'read_progress'
  | 'read_completion'
  | 'series_progress'
  | 'reading_head'
  | 'reading_session'
  | 'reading_figure'

/** All that is kept beside the log. */
const keptOf = async ({ context: { db } }: TestServer, userId: string) => {
  await countUpToNow(db, userId, now)
  const of = (table: KeptTable) => db.read.selectFrom(table).selectAll().where('user_id', '=', userId).execute()
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  return {
    progress: sorted(await of('read_progress')),
    completions: sorted(await of('read_completion')),
    series: sorted(await of('series_progress')),
    heads: sorted((await of('reading_head')).map((head) => ({ ...head, unsaved: 0 }))),
    sessions: sorted(await of('reading_session')),
    figures: sorted(await of('reading_figure')),
  }
}

/** The same, worked out from the whole log at once. */
const expectWholeFold = async (server: TestServer, userId: string, books: readonly ReadBook[]): Promise<void> => {
  const { db } = server.context
  for (const { id } of books) {
    const rows = await db.read
      .selectFrom('reading_log')
      .selectAll()
      .where('user_id', '=', userId)
      .where('book_id', '=', id)
      .execute()
    const entries = rows.map((row) => toEntry(row))
    const head = await db.read
      .selectFrom('reading_head')
      .select('state')
      .where('user_id', '=', userId)
      .where('book_id', '=', id)
      .executeTakeFirst()
    expect(head?.state ?? JSON.stringify(nothingRead)).toBe(JSON.stringify(fold(entries)))
    const { held, completed } = verdictsOf(entries)
    const completions = await db.read
      .selectFrom('read_completion')
      .select('id')
      .where('user_id', '=', userId)
      .where('book_id', '=', id)
      .execute()
    expect(completions.map((each) => each.id).sort()).toEqual(completed.sort())
    const viewer = { userId, rule: everything, seesPaths: false, deletedLibraries: [] }
    const history = await listHistory(db.read, viewer, id, { page: 2, pageSize: 40, limit: 40, offset: 40 })
    expect(history.data.filter(({ heldBack }) => heldBack).map((each) => each.id)).toEqual(
      inOrder(entries)
        .toReversed()
        .slice(40, 80)
        .flatMap((entry) => (held.has(entry.id) ? entry.id : [])),
    )
  }
}

const everything = { libraries: 'all', ageCeiling: null, includeUnrated: true, allowTags: [], denyTags: [] } as const

const verdictsOf = (entries: Parameters<typeof fold>[0]) => {
  let state = nothingRead
  const held = new Set<string>()
  const completed: string[] = []
  for (const entry of inOrder(entries)) {
    const stepped = step(state, entry)
    state = stepped.state
    if (stepped.isHeld) held.add(entry.id)
    for (const id of stepped.released) held.delete(id)
    if (stepped.completion) completed.push(entry.id)
  }
  return { held, completed }
}

const isSqlite = testDialect === 'sqlite'

test('C12 READ-1 entries of several devices come to the same in whatever order, batch and number they arrive', async () => {
  await using server = await startServer()
  const { db } = server.context
  const books = await shelved(server)
  await fc.assert(
    fc.asyncProperty(
      someSaid({ minLength: 1, maxLength: 50 }, 300),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 50, maxLength: 50 }),
      fc.infiniteStream(fc.nat()),
      async (all, sizes, chances) => {
        const reader = await server.person('reader')
        const entries = all.map((each) => entryFrom(each, books))
        // Each is sent, some are sent again, in another order.
        const sent = [...entries, ...entries.filter((_, index) => index % 3 === 0)]
          .map((entry) => ({ entry, rank: chances.next().value }))
          .sort((one, other) => one.rank - other.rank)
          .map(({ entry }) => entry)
        const batches: NewLogEntry[][] = []
        for (let from = 0; from < sent.length;) {
          const size: number = sizes[batches.length % sizes.length] ?? 1
          batches.push([...new Map(sent.slice(from, from + size).map((entry) => [entry.id, entry])).values()])
          from += size
        }
        for (const batch of batches) {
          // Some are counted at once, some later, and some of these before others come.
          const chance: number = chances.next().value % 4
          await db.write((db) => record(db, reader.id, batch, { now, countsLater: chance > 0 }))
          if (chance === 1) await countUpToNow(db, reader.id, now)
        }

        await expectWholeFold(server, reader.id, books)
        const stored = await keptOf(server, reader.id)
        await rebuildProjections({ db, write: db.write }, reader.id)
        expect(await keptOf(server, reader.id)).toEqual(stored)
      },
    ),
    { numRuns: isSqlite ? 25 : 5, endOnFailure: true },
  )
})

test('C12 READ-1 the same holds for long logs, of which only a part is folded again, and for nodes that write at once', async () => {
  await using server = await startServer()
  const { db } = server.context
  const books = await shelved(server)
  await fc.assert(
    fc.asyncProperty(someSaid({ minLength: 1500, maxLength: 2500 }, 20_000), async (all) => {
      const reader = await server.person('reader')
      const entries = all.map((each) => entryFrom(each, books))
      const inTime = entries.toSorted((one, other) => (one.time?.ended ?? 0) - (other.time?.ended ?? 0))
      // Most come as they happen; at last four nodes bring the rest, of which some happened long before.
      const isLate = (index: number) => index % 20 === 0 || index > inTime.length - 100
      const soon = inTime.filter((_, index) => !isLate(index))
      const late = inTime.filter((_, index) => isLate(index)).sort((one, other) => (one.id < other.id ? -1 : 1))
      for (let from = 0; from < soon.length; from += 100)
        await db.write((db) => record(db, reader.id, soon.slice(from, from + 100), { now, countsLater: true }))
      await Promise.all(
        Array.from({ length: 4 }, async (_, node) => {
          for (let from = 3 * node; from < late.length; from += 12)
            await db.write((db) => record(db, reader.id, late.slice(from, from + 3), { now, countsLater: node > 0 }))
        }),
      )

      await expectWholeFold(server, reader.id, books)
      const snapshots = await db.read
        .selectFrom('reading_snapshot')
        .selectAll()
        .where('user_id', '=', reader.id)
        .execute()
      expect(snapshots.length).toBeGreaterThan(0)
      const stored = await keptOf(server, reader.id)
      await rebuildProjections({ db, write: db.write }, reader.id)
      expect(await keptOf(server, reader.id)).toEqual(stored)
    }),
    { numRuns: isSqlite ? 4 : 2, endOnFailure: true },
  )
})

test('READ-1 what was spoilt beside the log is made again from it by a task', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  const books = await shelved(server)
  const readers = [await server.person('reader'), await server.person('reader')]
  for (const { id } of readers) {
    const entries = fc
      .sample(someSaid({ minLength: 60, maxLength: 60 }, 300), 1)[0]
      ?.map((each) => entryFrom(each, books))
    await db.write((db) => record(db, id, entries ?? [], { now }))
  }
  const stored = await Promise.all(readers.map(({ id }) => keptOf(server, id)))
  const [, second] = readers
  const stranger = await server.person('reader')
  await db.write(async (db) => {
    await db.deleteFrom('series_progress').execute()
    await db
      .updateTable('read_progress')
      .set({ page: 7, user_id: stranger.id })
      .where('user_id', '=', second?.id ?? '')
      .execute()
    await db.deleteFrom('read_completion').execute()
    await db.updateTable('reading_head').set({ state: '{}' }).execute()
  })
  await using _ = workOn(server, [rebuildReading])
  const { taskId } = await db.write((db) => enqueue(db, rebuildReading, {}, { now: clock() }))
  await expect
    .poll(() => db.read.selectFrom('task').select(['status', 'result']).where('id', '=', taskId).executeTakeFirst())
    .toMatchObject({ status: 'completed' })

  expect(await Promise.all(readers.map(({ id }) => keptOf(server, id)))).toEqual(stored)
  expect((await keptOf(server, stranger.id)).progress).toEqual([])
})
