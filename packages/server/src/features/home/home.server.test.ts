import * as api from '@carrel/api'
import type { Kysely, KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AddedLibrary, type AddedSeries, addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { plansOfMillion } from '../../../test/plans-of-a-million.ts'
import { plansOf, slowSteps, statementsOf } from '../../../test/plans.ts'
import type { ReadDb } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { homesOf } from './home.ts'
import {
  countOpenBooks,
  selectDeviceNames,
  selectFinished,
  selectFollowedUnread,
  selectOnDeck,
  selectOpenBooks,
  selectPileRows,
  selectReadLongAgo,
} from './queries.ts'

const { clock, pass } = movableClock()
let server: TestServer
let manga: AddedLibrary
let comics: AddedLibrary
let series: AddedSeries[]
/** Three of each series, in their order. */
let books: string[][]
beforeAll(async () => {
  server = await startServer({ clock })
  const { db } = server.context
  manga = await addLibrary(db)
  comics = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  const hours = (index: number) => `2026-11-01T1${index}:00:00.000Z`
  const titled = (titles: readonly string[], from: number) =>
    titles.map((title, index) => ({ title, created_at: hours(from + index), updated_at: hours(9 - from - index) }))
  series = [
    ...(await addManySeries(db, manga, titled(['Alpha', 'Beta', 'Gamma'], 0))),
    ...(await addManySeries(db, comics, titled(['Delta', 'Epsilon'], 3))),
  ]
  books = []
  for (const [index, each] of series.entries())
    books.push(
      await addBooks(
        db,
        each,
        [0, 1, 2].map((position) => ({ created_at: `2026-11-02T1${index}:0${position}:00.000Z` })),
      ),
    )
})
afterAll(() => server[Symbol.asyncDispose]())

const bookAt = (ofSeries: number, index: number): string => books[ofSeries]?.[index] ?? ''
const seriesAt = (index: number): string => series[index]?.id ?? ''

const homeOf = async ({ call }: Person, query: { limit?: number; libraryId?: string } = {}) => {
  const { layout, isOfDevice: _, later: __, piles: ___, ...shelves } = bodyOf(await call(api.readHome, { query }))
  const titles = Object.fromEntries(
    Object.entries(shelves).map(([name, items]) => [name, items.map(({ title }) => title)]),
  )
  return { layout, ...titles } as Record<api.HomeShelf | 'layout', string[]>
}

const finish = async (reader: Person, ofSeries: number, index: number) => {
  pass(minute)
  bodyOf(await reader.call(api.markBookRead, { params: { id: bookAt(ofSeries, index) } }))
}
const turn = async (reader: Person, [ofSeries, index]: readonly [number, number], currentPage: number) => {
  pass(minute)
  bodyOf(await reader.call(api.saveProgress, { params: { id: bookAt(ofSeries, index) }, body: { currentPage } }))
}
const say = (reader: Person, index: number, status: api.ReadingStatus) => {
  pass(minute)
  return reader.call(api.saveReadingStatus, { params: { id: seriesAt(index) }, body: { status } })
}

test('READ-4 C17 somebody new finds what has come last, and nothing of anybody else', async () => {
  const other = await server.person('reader')
  await turn(other, [0, 0], 5)
  await finish(other, 1, 0)
  const reader = await server.person('reader')

  expect(await homeOf(reader, { limit: 3 })).toEqual({
    layout: [...api.homeShelves],
    continueReading: [],
    onDeck: [],
    followedUnread: [],
    recentlyAddedBooks: ['Epsilon 3', 'Epsilon 2', 'Epsilon 1'],
    recentlyAddedSeries: ['Epsilon', 'Delta', 'Gamma'],
    recentlyUpdatedSeries: ['Alpha', 'Beta', 'Gamma'],
    recentlyFinished: [],
    readAgain: [],
  })
  expect((await homeOf(reader, { libraryId: manga.id })).recentlyAddedSeries).toEqual(['Gamma', 'Beta', 'Alpha'])
  const full = bodyOf(await reader.call(api.readHome, {}))
  expect(full.recentlyAddedBooks).toEqual(
    bodyOf(await reader.call(api.listBooks, { query: { sort: 'date_added,desc' } })).data,
  )
  for (const limit of [0, 51])
    expect(errorOf(await reader.call(api.readHome, { query: { limit } }))).toMatchObject({ error: 'validation_failed' })
})

test('READ-4 C17 on deck is the first unread book after a finished one, and not while one is open', async () => {
  const reader = await server.person('reader')
  await finish(reader, 0, 0)
  await finish(reader, 1, 1)
  await turn(reader, [3, 0], 7)
  expect(await homeOf(reader)).toMatchObject({
    continueReading: ['Delta 1'],
    onDeck: ['Beta 1', 'Alpha 2'],
    recentlyFinished: ['Beta 2', 'Alpha 1'],
  })

  // Reading last where nothing is finished brings nothing on deck, and an open book takes its series off.
  await turn(reader, [0, 1], 3)
  expect(await homeOf(reader)).toMatchObject({ continueReading: ['Alpha 2', 'Delta 1'], onDeck: ['Beta 1'] })
  await finish(reader, 0, 1)
  expect(await homeOf(reader)).toMatchObject({ continueReading: ['Delta 1'], onDeck: ['Alpha 3', 'Beta 1'] })
  await finish(reader, 0, 2)
  expect(await homeOf(reader)).toMatchObject({
    onDeck: ['Beta 1'],
    recentlyFinished: ['Alpha 3', 'Alpha 2', 'Beta 2', 'Alpha 1'],
  })

  // A book that is read again is open.
  await turn(reader, [1, 1], 9)
  expect(await homeOf(reader)).toMatchObject({ continueReading: ['Beta 2', 'Delta 1'], onDeck: [] })
  await finish(reader, 1, 1)
  expect(await homeOf(reader)).toMatchObject({
    continueReading: ['Delta 1'],
    onDeck: ['Beta 1'],
    recentlyFinished: ['Beta 2', 'Alpha 3', 'Alpha 2', 'Alpha 1'],
  })
  bodyOf(await reader.call(api.markBookUnread, { params: { id: bookAt(1, 1) } }))
  expect(await homeOf(reader)).toMatchObject({ onDeck: [], recentlyFinished: ['Alpha 3', 'Alpha 2', 'Alpha 1'] })
  expect(await homeOf(reader, { libraryId: manga.id })).toMatchObject({ continueReading: [] })
})

test('READ-4 what is paused or dropped is not put before its reader, until they think better of it', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  for (const each of [reader, other]) {
    await finish(each, 0, 0)
    await turn(each, [1, 0], 4)
  }
  expect(bodyOf(await say(reader, 0, 'dropped'))).toMatchObject({ seriesId: seriesAt(0), status: 'dropped' })
  bodyOf(await say(reader, 1, 'paused'))
  bodyOf(await say(reader, 2, 'planned'))
  expect(await homeOf(reader)).toMatchObject({ onDeck: [], continueReading: [] })
  expect(await homeOf(other)).toMatchObject({ onDeck: ['Alpha 2'], continueReading: ['Beta 1'] })

  const listed = async (status?: api.ReadingStatus) =>
    bodyOf(await reader.call(api.listSeriesByReadingStatus, { query: { ...(status && { status }) } })).data.map(
      ({ title, readingStatus }) => [title, readingStatus],
    )
  expect(await listed()).toEqual([
    ['Gamma', 'planned'],
    ['Beta', 'paused'],
    ['Alpha', 'dropped'],
  ])
  expect(await listed('paused')).toEqual([['Beta', 'paused']])
  bodyOf(await say(reader, 0, 'reading'))
  expect((await reader.call(api.clearReadingStatus, { params: { id: seriesAt(1) } })).status).toBe(204)
  expect(await homeOf(reader)).toMatchObject({ onDeck: ['Alpha 2'], continueReading: ['Beta 1'] })
  const one = bodyOf(await reader.call(api.readSeries, { params: { id: seriesAt(1) } }))
  expect(one.readingStatus).toBeNull()
  expect(bodyOf(await other.call(api.readSeries, { params: { id: seriesAt(0) } })).readingStatus).toBeNull()
})

test('READ-4 followed series with something unread stand on a shelf of their own', async () => {
  const reader = await server.person('reader')
  for (const index of [0, 4]) {
    pass(minute)
    expect((await reader.call(api.followSeries, { params: { id: seriesAt(index) } })).status).toBe(204)
  }
  expect((await homeOf(reader)).followedUnread).toEqual(['Epsilon', 'Alpha'])
  for (const index of [0, 1, 2]) await finish(reader, 4, index)
  expect((await homeOf(reader)).followedUnread).toEqual(['Alpha'])
  expect((await homeOf(reader, { libraryId: comics.id })).followedUnread).toEqual([])
})

test('READ-4 each arranges their own home; what they leave out is empty', async () => {
  const reader = await server.person('reader')
  const save = (layout: api.Home['layout'] | null) => reader.call(api.saveHomeLayout, { body: { layout } })
  expect(bodyOf(await save(['recentlyAddedSeries', 'onDeck']))).toEqual({ layout: ['recentlyAddedSeries', 'onDeck'] })
  expect(await homeOf(reader, { limit: 1 })).toEqual({
    layout: ['recentlyAddedSeries', 'onDeck'],
    continueReading: [],
    onDeck: [],
    followedUnread: [],
    recentlyAddedBooks: [],
    recentlyAddedSeries: ['Epsilon'],
    recentlyUpdatedSeries: [],
    recentlyFinished: [],
    readAgain: [],
  })
  expect(errorOf(await save(['onDeck', 'onDeck']))).toMatchObject({ error: 'validation_failed' })
  expect(bodyOf(await save(null)).layout).toEqual([...api.homeShelves])
  expect((await homeOf(reader)).layout).toEqual([...api.homeShelves])
  const search = 'search:019aa3b2-6c7e-7000-8000-000000000050' as const
  expect(bodyOf(await save([search, 'onDeck'])).layout).toEqual([search, 'onDeck'])
  expect((await homeOf(reader)).layout).toEqual([search, 'onDeck'])
  // Another client may have written anything into the preference.
  const params = { key: 'home.layout' }
  bodyOf(await reader.call(api.savePreference, { params, body: { value: ['onDeck', 7, 'nonsense', 'onDeck'] } }))
  expect((await homeOf(reader)).layout).toEqual(['onDeck'])
})

test('READ-4 a device may have a home of its own, until it is to be as everywhere', async () => {
  const reader = await server.person('reader')
  const save = (layout: api.HomeShelf[] | null, deviceId?: string) =>
    reader.call(api.saveHomeLayout, { body: { layout, ...(deviceId !== undefined && { deviceId }) } })
  const layoutOn = async (deviceId: string) => {
    const { layout, isOfDevice } = bodyOf(await reader.call(api.readHome, { query: { deviceId } }))
    return [layout, isOfDevice]
  }
  await save(['recentlyAddedSeries'])
  await save(['onDeck'], 'phone')
  expect(await layoutOn('phone')).toEqual([['onDeck'], true])
  expect(await layoutOn('tablet')).toEqual([['recentlyAddedSeries'], false])
  expect(bodyOf(await save(null, 'phone')).layout).toEqual(['recentlyAddedSeries'])
  expect(await layoutOn('phone')).toEqual([['recentlyAddedSeries'], false])
})

test('H2 so many shelves with something on them are enough, and the others are asked for by name', async () => {
  const reader = await server.person('reader')
  const first = bodyOf(await reader.call(api.readHome, { query: { filled: 1 } }))
  expect(first.recentlyAddedBooks.length).toBeGreaterThan(0)
  expect(first.recentlyAddedSeries).toEqual([])
  expect(first.later).toEqual(['recentlyAddedSeries', 'recentlyUpdatedSeries', 'recentlyFinished', 'readAgain'])
  const rest = bodyOf(await reader.call(api.readHome, { query: { shelves: first.later.join(',') } }))
  expect(rest).toMatchObject({ later: [], recentlyAddedBooks: [], layout: [...api.homeShelves] })
  expect(rest.recentlyAddedSeries.length).toBeGreaterThan(0)
})

test('READ-4 what was read to its end long ago is there to be read again, unless something is unread or open in it', async () => {
  await using server = await startServer({ clock })
  const { db } = server.context
  const [alpha, beta] = await addManySeries(db, await addLibrary(db), [{ title: 'Alpha' }, { title: 'Beta' }])
  if (!alpha || !beta) throw new Error('There is no series')
  const [first = '', second = ''] = await addBooks(db, alpha, [{}, {}])
  const [other = ''] = await addBooks(db, beta, [{}, {}])
  const reader = await server.person('reader')
  const again = async () => bodyOf(await reader.call(api.readHome, {})).readAgain.map(({ title }) => title)
  const read = (id: string, at: string) =>
    reader.call(api.saveProgress, { params: { id }, body: { currentPage: 1, completed: true, at } })
  for (const id of [first, other]) bodyOf(await read(id, '2026-02-01T10:00:00.000Z'))
  expect(await again()).toEqual([])
  bodyOf(await read(second, '2026-02-02T10:00:00.000Z'))
  expect(await again()).toEqual(['Alpha'])
  bodyOf(await reader.call(api.saveProgress, { params: { id: first }, body: { currentPage: 9 } }))
  expect(await again()).toEqual([])
})

/** It counts the statements of a home. */
const statementsFor = async (userId: string): Promise<number> => {
  const { db } = server.context
  let count = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // A statement that is made once is run each time.
    transformResult: async ({ result }) => {
      count += 1
      return result
    },
  }
  const counted = (db.read as unknown as Kysely<Schema>).withPlugin(counting)
  const viewer = { userId, rule: everything, deletedLibraries: [], seesPaths: false }
  const readHome = homesOf({ read: counted, readSlowly: counted, changeMark: db.changeMark })
  await readHome(viewer, { limit: 20 }, clock())
  return count
}

test('READ-4 a home takes as many statements for somebody who has read much as for somebody who has read little', async () => {
  const little = await server.person('reader')
  const much = await server.person('reader')
  await finish(little, 0, 0)
  for (const index of [0, 1, 2]) {
    await finish(much, index, 0)
    await turn(much, [index === 0 ? 3 : 4, index], 5)
    await much.call(api.followSeries, { params: { id: seriesAt(index) } })
  }
  const count = await statementsFor(little.id)
  expect(count).toBeLessThanOrEqual(16)
  expect(await statementsFor(much.id)).toBe(count)
})

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const viewers = [
  { rule: everything, deletedLibraries: [] },
  { rule: { ...everything, libraries: ['a', 'b'] }, deletedLibraries: ['c'] },
  { rule: { ...everything, libraries: ['a'], allowTags: ['t'] }, deletedLibraries: [] },
].map((each): Viewer => ({ userId: 'u', seesPaths: false, ...each }))

test('READ-4 W16 W1 each shelf is read in the order of an index, however much somebody has read', async () => {
  const long = '2026-05-01T00:00:00.000Z'
  const ids = ['a', 'b', 'c']
  const shelves: readonly ((db: ReadDb, viewer: Viewer) => Promise<unknown>)[] = [
    ...[selectOpenBooks, selectOnDeck, selectFinished, selectFollowedUnread].map(
      (select) => (db: ReadDb, viewer: Viewer) => select(db, viewer, 20),
    ),
    (db, viewer) => selectOpenBooks(db, viewer, 20, [{ bookId: 'a', at: long }]),
    (db, viewer) => selectReadLongAgo(db, viewer, 20, long),
    (db, viewer) => countOpenBooks(db, viewer),
    (db, viewer) => selectDeviceNames(db, viewer.userId, ids),
    (db, viewer) => selectPileRows(db, viewer, [['a', long]]),
  ]
  const questions = viewers.flatMap((viewer) => shelves.map((select) => (db: ReadDb) => select(db, viewer)))
  const { database } = server.context.config
  const statements = (await Promise.all(questions.map(statementsOf))).flat()
  const plans = await plansOf(database, statements)

  expect(plans.length).toBeGreaterThanOrEqual(questions.length)
  expect(plans.filter(({ steps }) => slowSteps(steps).length > 0)).toEqual([])
  // SQLite's plans for a million are among those above.
  const ofMillion = database.kind === 'postgres' ? await plansOfMillion(database.url, statements) : []
  expect(ofMillion.filter(({ slow }) => slow.length > 0)).toEqual([])
})

describe('what came last', () => {
  const pile = ({ book, count, firstNumber, lastNumber }: api.PileOfBooks) => [
    book.title,
    count,
    firstNumber,
    lastNumber,
  ]

  test('H4 it is there once for each series, with how much came within a week', async () => {
    await using server = await startServer({ clock })
    const { db } = server.context
    const library = await addLibrary(db)
    const [one, other, third] = await addManySeries(db, library, [
      { title: 'Steel' },
      { title: 'Orbit' },
      { title: 'Alone' },
    ])
    if (!one || !other || !third) throw new Error('There is no series')
    await addBooks(
      db,
      one,
      [1, 2, 3, 4].map((number) => ({
        number,
        age_rating: number === 4 ? 18 : 6,
        created_at: `2026-11-0${number}T10:00:00.000Z`,
      })),
    )
    await addBooks(db, other, [
      { number: 1, age_rating: 6, created_at: '2026-10-01T10:00:00.000Z' },
      { number: 7, age_rating: 6, created_at: '2026-11-03T11:00:00.000Z' },
    ])
    await addBooks(db, third, [{ number: null, age_rating: 18, created_at: '2026-11-05T10:00:00.000Z' }])
    const pilesOf = async ({ call }: Person) => {
      const { layout, piles, recentlyAddedBooks } = bodyOf(await call(api.readHome, { query: { grouped: true } }))
      expect(recentlyAddedBooks).toEqual([])
      expect(layout).not.toContain('recentlyAddedSeries')
      return piles.map(pile)
    }
    expect(await pilesOf(await server.person('reader'))).toEqual([
      ['Alone 1', 1, null, null],
      ['Steel 1', 4, 1, 4],
      ['Orbit 7', 1, 7, 7],
    ])
    // What somebody does not see is not counted for them, and brings no series to the top.
    const child = await server.person('reader', { access: { ageCeiling: 12 } })
    expect(await pilesOf(child)).toEqual([
      ['Orbit 7', 1, 7, 7],
      ['Steel 1', 3, 1, 3],
    ])
  })

  test('H4 a series of which hundreds came at once does not hide the others', async () => {
    await using server = await startServer({ clock })
    const { db } = server.context
    const [many, few] = await addManySeries(db, await addLibrary(db), [{ title: 'Many' }, { title: 'Few' }])
    if (!many || !few) throw new Error('There is no series')
    const at = '2026-11-05T10:00:00.000Z'
    await addBooks(
      db,
      many,
      Array.from({ length: 450 }, (_, index) => ({ number: index + 1, created_at: at })),
    )
    await addBooks(db, few, [{ number: 1, created_at: '2026-11-01T10:00:00.000Z' }])
    const reader = await server.person('reader')
    const { piles } = bodyOf(await reader.call(api.readHome, { query: { grouped: true, limit: 5 } }))
    expect(piles.map(pile)).toEqual([
      ['Many 1', 450, 1, 450],
      ['Few 1', 1, 1, 1],
    ])
  })
})

test('READ-4 C17 on deck is what comes next as books are numbered by now', async () => {
  const { db } = server.context
  const library = await addLibrary(db, { name: 'Numbered', path: '/data/numbered' })
  const [zeta] = await addManySeries(db, library, [{ title: 'Zeta' }])
  if (!zeta) throw new Error('No series was added')
  const [first = '', second = '', third = ''] = await addBooks(db, zeta, [{}, {}, {}])
  const editor = await server.person('editor')
  const reader = await server.person('reader')
  const number = async (id: string, number: string) =>
    bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body: { number } }))
  await number(first, '1')
  await number(second, '2')
  await number(third, '3')
  bodyOf(await reader.call(api.markBookRead, { params: { id: first } }))
  const onDeck = async () => bodyOf(await reader.call(api.readHome, { query: { libraryId: library.id } })).onDeck
  expect((await onDeck()).map(({ id }) => id)).toEqual([second])
  await number(third, '1.5')
  expect((await onDeck()).map(({ id }) => id)).toEqual([third])
})
