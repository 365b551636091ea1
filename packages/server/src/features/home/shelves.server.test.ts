import { type Arbitrary, assert, asyncProperty, constantFrom, integer, record, subarray, tuple } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import { recountSeries } from '../reading/reading.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { selectOnDeck, selectOpenBooks } from './queries.ts'

interface Book {
  readonly id: string
  readonly series: number
  readonly age: number
}

let server: TestServer
let userId: string
let seriesIds: string[]
let books: Book[]
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  userId = (await server.person('reader')).id
  const series = await addManySeries(
    db,
    await addLibrary(db),
    [1, 2, 3].map((number) => ({ title: `Series ${number}` })),
  )
  seriesIds = series.map(({ id }) => id)
  books = []
  for (const [index, each] of series.entries()) {
    const ages = [6, 18, 6, 6]
    const ids = await addBooks(
      db,
      each,
      ages.map((age_rating) => ({ age_rating })),
    )
    books.push(...ids.map((id, position) => ({ id, series: index, age: ages[position] ?? 0 })))
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const viewerWith = (ageCeiling: number | null): Viewer => ({
  userId,
  rule: { ...everything, ageCeiling },
  deletedLibraries: [],
  seesPaths: false,
})

/** It says of one book whether it is not opened, open, finished, or finished and open again; and when. */
interface ReadingCase {
  readonly state: 'unread' | 'open' | 'read' | 'again'
  readonly minute: number
}
const readingCase: Arbitrary<ReadingCase> = record({
  state: constantFrom('unread', 'open', 'read', 'again'),
  minute: integer({ min: 0, max: 50 }),
})
const readings = tuple(...Array.from({ length: 12 }, () => readingCase))

const at = (minute: number, second: number): string => new Date(Date.UTC(2026, 10, 1, 10, minute, second)).toISOString()

const write = async (reading: readonly ReadingCase[], missing: readonly number[]): Promise<void> => {
  const rows = reading.flatMap(({ state, minute }, index) => {
    const book = books[index]
    if (state === 'unread' || !book) return []
    const time = at(minute, index)
    const isRead = state !== 'open'
    return [
      {
        user_id: userId,
        book_id: book.id,
        entry_id: book.id,
        device_id: 'unknown',
        page: 3,
        percentage: null,
        page_count: 20,
        completed: isRead ? (1 as const) : (0 as const),
        rereading: state === 'again' ? (1 as const) : (0 as const),
        started_at: time,
        updated_at: time,
        completed_at: isRead ? time : null,
      },
    ]
  })
  await server.context.db.write(async (db) => {
    await db.deleteFrom('read_progress').where('user_id', '=', userId).execute()
    await insertMany(db, 'read_progress', rows)
    await db.updateTable('book').set({ state: 'present' }).execute()
    const gone = missing.flatMap((index) => books[index]?.id ?? [])
    if (gone.length > 0) await db.updateTable('book').set({ state: 'missing' }).where('id', 'in', gone).execute()
    await recountSeries(db, seriesIds)
  })
}

/** The model works as the rules are worded, one book after the other. */
const naive = (reading: readonly ReadingCase[], missing: readonly number[], ceiling: number | null) => {
  const seen = books
    .map((book, index) => ({
      ...book,
      place: index,
      state: reading[index]?.state,
      time: at(reading[index]?.minute ?? 0, index),
    }))
    .filter(({ age, place }) => (ceiling === null || age <= ceiling) && !missing.includes(place))
  const isOpen = (state: string | undefined) => state === 'open' || state === 'again'
  const newest = <Item extends { readonly time: string }>(items: readonly Item[]): Item[] =>
    items.toSorted((one, other) => (one.time < other.time ? 1 : -1))
  const deck = seriesIds.flatMap((_, index) => {
    const ofSeries = seen.filter(({ series }) => series === index)
    const next = ofSeries.find(({ state }) => state === 'unread')
    const opened = ofSeries.filter(({ state }) => state !== 'unread')
    if (!next || opened.length === 0 || opened.some(({ state }) => isOpen(state))) return []
    return [{ id: next.id, time: newest(opened)[0]?.time ?? '' }]
  })
  return {
    open: newest(seen.filter(({ state }) => isOpen(state))).map(({ id }) => id),
    deck: newest(deck).map(({ id }) => id),
  }
}

test('READ-4 C17 on deck and what is open are what one would pick by hand, whoever asks and whatever they may see', async () => {
  const { db } = server.context
  const indexes = Array.from({ length: 12 }, (_, index) => index)
  await assert(
    asyncProperty(readings, subarray(indexes, { maxLength: 3 }), async (reading, missing) => {
      await write(reading, missing)
      for (const ceiling of [null, 99, 12]) {
        const viewer = viewerWith(ceiling)
        const shown = {
          open: await selectOpenBooks(db.read, viewer, 50),
          deck: await selectOnDeck(db.read, viewer, 50),
        }
        expect(shown).toEqual(naive(reading, missing, ceiling))
      }
    }),
    { numRuns: 40 },
  )
})
