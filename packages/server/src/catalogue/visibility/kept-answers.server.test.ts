import * as api from '@carrel/api'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { testDialect } from '../../../test/test-database.ts'
import { concernOf } from '../../database/whom-it-concerns.ts'

let server: TestServer
let one: Person
let other: Person
let seriesId: string
let bookId: string
beforeAll(async () => {
  server = await startServer({ env: { CARREL_SETTING_COMPAT_ENABLED: 'true' } })
  const { db } = server.context
  const library = await addLibrary(db)
  const series = await addSeries(db, library, { title: 'Nemo' })
  seriesId = series.id
  bookId = (await addBooks(db, series, [{ page_count: 20 }, { page_count: 20 }]))[0] ?? ''
  await addBooks(db, await addSeries(db, library, { title: 'Aronnax' }), [{ page_count: 20 }])
  ;[one, other] = [await server.person('reader'), await server.person('reader')]
})
afterAll(() => server[Symbol.asyncDispose]())

const isUnread = { condition: { readStatus: { operator: 'is', value: 'unread' } } } as const
const asks: Readonly<Record<string, (person: Person) => Promise<{ readonly ok: boolean }>>> = {
  'all books': ({ call }) => call(api.listBooks, { query: { pageSize: 10 } }),
  'all series': ({ call }) => call(api.listSeries, { query: { pageSize: 10 } }),
  'unread books': ({ call }) => call(api.listBooksByCondition, { query: { pageSize: 10 }, body: isUnread }),
  'a search': ({ call }) => call(api.search, { query: { q: 'nemo' } }),
}

/** What is asked of lists: not who asks, nor whether anything has changed. */
const statementsFor = async (ask: () => Promise<{ readonly ok: boolean }>): Promise<number> => {
  const from = server.logLines.length
  expect((await ask()).ok).toBe(true)
  return server.logLines
    .slice(from)
    .filter(({ sql }) => typeof sql === 'string' && /"?(?:book|series)(?:_search)?"?\b/.test(sql)).length
}

/** Figures are counted when somebody asks for them, and otherwise a moment later, among the statements that are looked at. */
const writeAndCount = async (person: Person, write: (person: Person) => Promise<{ readonly ok: boolean }>) => {
  expect((await write(person)).ok).toBe(true)
  expect((await person.call(api.readReadingStats, { query: {} })).ok).toBe(true)
}

/** They are those of one person alone. */
const ownWrites: Readonly<Record<string, (person: Person) => Promise<{ readonly ok: boolean }>>> = {
  'turns a page': ({ call }) => call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 3 } }),
  'is back at the beginning': ({ call }) => call(api.deleteProgress, { params: { id: bookId } }),
  'rates a book': ({ call }) => call(api.saveBookRating, { params: { id: bookId }, body: { rating: 50 } }),
  'wants a series': ({ call }) => call(api.addWantToRead, { body: { seriesId } }),
  'follows a series': ({ call }) => call(api.followSeries, { params: { id: seriesId } }),
  'puts a series aside': ({ call }) =>
    call(api.saveReadingStatus, { params: { id: seriesId }, body: { status: 'paused' } }),
  'keeps a preference': ({ call }) =>
    call(api.savePreference, { params: { key: 'test' }, body: { value: { of: 'mine' } } }),
  'signs in again': ({ username, password }) => server.call(api.login, { body: { username, password } }),
}

for (const [what, write] of Object.entries(ownWrites))
  test(`W1 when somebody ${what}, others are answered as they were, without a statement`, async () => {
    const questions = Object.values(asks)
    for (const ask of questions) await ask(other)
    await writeAndCount(one, write)
    for (const ask of questions) expect(await statementsFor(() => ask(other))).toBe(0)

    await writeAndCount(other, write)
    for (const ask of questions) expect(await statementsFor(() => ask(other))).toBeGreaterThan(0)
  })

test('W1 what apps ask and where news are sent ends nothing of what is kept, not even for whom it is', async () => {
  const questions = Object.values(asks)
  for (const ask of questions) await ask(one)
  const { key } = bodyOf(await one.call(api.createApiKey, { body: { name: 'E-reader' } }))
  await plainRequest(`${server.url}/koreader/users/auth`, { headers: { 'x-auth-user': key } })
  expect(bodyOf(await one.call(api.listConnections, {})).data).toHaveLength(1)
  bodyOf(await one.call(api.createFeedKey, {}))
  bodyOf(await one.call(api.saveWebhook, { body: { url: 'https://books.example' } }))
  for (const ask of questions) expect(await statementsFor(() => ask(one))).toBe(0)
})

/** The statements by which the rows of a page are found; none where they are known. */
const statementsFinding = async (ask: () => Promise<{ readonly ok: boolean }>): Promise<string[]> => {
  const from = server.logLines.length
  expect((await ask()).ok).toBe(true)
  const texts = server.logLines.slice(from).flatMap(({ sql }) => (typeof sql === 'string' ? [sql] : []))
  return texts.slice(0, texts.findLastIndex((text) => / = page\.id /.test(text)) + 1)
}

const turnPage = (person: Person, currentPage: number) =>
  writeAndCount(person, ({ call }) => call(api.saveProgress, { params: { id: bookId }, body: { currentPage } }))

const testsByKind = {
  id: () => ({ operator: 'is', value: seriesId }),
  flag: () => ({ operator: 'isFalse' }),
  status: () => ({ operator: 'is', value: 'in_progress' }),
  text: () => ({ operator: 'contains', value: 'nemo' }),
  number: () => ({ operator: 'gte', value: 1 }),
  date: () => ({ operator: 'after', value: '2020-01-01T00:00:00Z' }),
} as const

type Ask = (person: Person) => Promise<{ readonly ok: boolean }>

const byOrders = (what: string, orders: object, ask: (person: Person, sort: string) => ReturnType<Ask>) =>
  Object.keys(orders).map((name): [string, Ask] => [
    `${what} by ${name}`,
    (person) => ask(person, `${name},${name === 'relevance' || name === 'score' ? 'desc' : 'asc'}`),
  ])

const byConditions = (
  what: string,
  fields: Readonly<Record<string, keyof typeof testsByKind>>,
  ask: (person: Person, condition: object) => ReturnType<Ask>,
) =>
  Object.entries(fields).map(([name, kind]): [string, Ask] => [
    `${what} with ${name}`,
    (person) => ask(person, { [name]: testsByKind[kind]() }),
  ])

const ways: readonly [string, Ask][] = [
  ...byOrders('books', api.bookOrders, ({ call }, sort) =>
    call(api.listBooks, { query: { sort: sort as api.BookSort, seed: 'one' } }),
  ),
  ...byOrders('series', api.seriesOrders, ({ call }, sort) =>
    call(api.listSeries, { query: { sort: sort as api.SeriesSort, seed: 'one' } }),
  ),
  ...byConditions('books', api.bookFields, ({ call }, condition) =>
    call(api.listBooksByCondition, { query: {}, body: { condition: condition as api.BookCondition } }),
  ),
  ...byConditions('series', api.seriesFields, ({ call }, condition) =>
    call(api.listSeriesByCondition, { query: {}, body: { condition: condition as api.SeriesCondition } }),
  ),
]

const ownTables =
  /read_progress|read_completion|series_progress|series_rating|book_rating|want_to_read|series_status|series_follow/

test('W1 when somebody turns a page, the rows of their lists are looked for again only where they go by what was read', async () => {
  bodyOf(await one.call(api.saveSeriesRating, { params: { id: seriesId }, body: { rating: 50 } }))
  const own: string[] = []
  await turnPage(one, 9)
  let page = 0
  for (const [what, ask] of ways) {
    const first = await statementsFinding(() => ask(one))
    await turnPage(one, 1 + (page++ % 10))
    const again = await statementsFinding(() => ask(one))
    const isOwn = first.some((text) => ownTables.test(text))
    if (isOwn) own.push(what)
    expect({ what, isLookedForAgain: again.length > 0 }).toEqual({ what, isLookedForAgain: isOwn })
  }
  expect(own).toEqual([
    'books by last_read',
    'books by read_date',
    'series by date_read',
    'series by rating',
    'series by user_rating',
    'books with readStatus',
    'series with readStatus',
    'series with hasUserRating',
    'series with userRating',
  ])
})

test('W1 when somebody turns a page, what they search for is not looked for again, and shows the page', async () => {
  const searchesFor = async () => {
    const from = server.logLines.length
    const { books } = bodyOf(await one.call(api.search, { query: { q: 'nemo' } }))
    const statements = server.logLines.slice(from).filter(({ sql }) => /book_search|series_search/.test(String(sql)))
    return { page: books.find(({ id }) => id === bookId)?.readProgress?.currentPage, count: statements.length }
  }
  await turnPage(one, 11)
  const first = await searchesFor()
  expect([first.page, first.count > 0]).toEqual([11, true])
  await turnPage(one, 12)
  expect(await searchesFor()).toEqual({ page: 12, count: 0 })
})

test('W1 when somebody turns a page, their home does not ask again what came last, and shows the page', async () => {
  const reader = await server.person('reader')
  const homeOf = async (grouped: boolean) => {
    const from = server.logLines.length
    const { continueReading } = bodyOf(await reader.call(api.readHome, { query: { grouped } }))
    const newest = server.logLines.slice(from).filter(({ sql }) => /as rank[^]*(created|updated)_at/.test(String(sql)))
    return { page: continueReading[0]?.readProgress?.currentPage, count: newest.length }
  }
  for (const grouped of [true, false]) {
    await turnPage(reader, 13)
    const first = await homeOf(grouped)
    expect([first.page, first.count > 0]).toEqual([13, true])
    await turnPage(reader, 14)
    expect(await homeOf(grouped)).toEqual({ page: 14, count: 0 })
  }
})

test('W1 whoever turns a page sees it at once, and others what they have read themselves', async () => {
  const pageOf = async ({ call }: Person) => {
    const { data } = bodyOf(await call(api.listBooks, { query: { pageSize: 10 } }))
    return data.find(({ id }) => id === bookId)?.readProgress?.currentPage
  }
  const turn = async ({ call }: Person, currentPage: number) =>
    bodyOf(await call(api.saveProgress, { params: { id: bookId }, body: { currentPage } }))

  await turn(one, 5)
  await turn(other, 7)
  for (const page of [8, 9, 10]) {
    expect([await pageOf(one), await pageOf(other)]).toEqual([page === 8 ? 5 : page - 1, 7])
    await turn(one, page)
    expect(await pageOf(one)).toBe(page)
  }
})

test('W1 no row that nothing shows, or that is the own of a reader, takes along others when it is deleted', async () => {
  const { db } = server.context
  const references =
    testDialect === 'sqlite'
      ? sql<{ child: string; parent: string }>`select master.name as child, key."table" as parent
          from sqlite_master as master, pragma_foreign_key_list(master.name) as key where master.type = 'table'`
      : sql<{
          child: string
          parent: string
        }>`select conrelid::regclass::text as child, confrelid::regclass::text as parent
          from pg_constraint where contype = 'f'`
  const { rows } = await references.execute(db.read)
  expect(rows.length).toBeGreaterThan(100)
  const bare = (name: string) => name.replaceAll('"', '').replace(/^.*\./, '')
  // A user goes with everything that is theirs, which is said to everybody.
  const pairs = rows
    .map(({ child, parent }) => [bare(parent), bare(child)] as const)
    .filter(([parent, child]) => parent !== 'user' && concernOf(parent) !== undefined && concernOf(child) !== 'nobody')
    .filter(([parent, child]) => concernOf(parent) !== concernOf(child))
  expect(pairs).toEqual([])
})
