import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import {
  bookPath,
  booksInSeries,
  type LargeStore,
  pagesHere,
  writeLargeKavita,
  writeLargeKomga,
} from '../../../test/large-stores.ts'
import { seed } from '../../../test/seed.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { importing } from '../../../test/stores.ts'

/** The whole of it takes a minute: every night, and a tenth of it each time. */
const books = process.env['TESTS'] === 'all' ? 2000 : 200

let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  const library = await addLibrary(server.context.db, { path: '/data/large', name: 'Large' })
  for (let series = 1; series <= books / booksInSeries; series += 1) {
    const added = await addSeries(server.context.db, library, { title: `Series ${series}` })
    const files = Array.from({ length: booksInSeries }, (_, at) => bookPath(series, at + 1).split('/')[1] ?? '')
    await addBooks(
      server.context.db,
      added,
      files.map((fileName) => ({ fileName, page_count: pagesHere })),
    )
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const takeOver = async (kind: 'komga' | 'kavita', { path }: LargeStore) => {
  const { read, apply, undo } = importing(server, admin)
  const report = await read({ kind, source: { path } })
  expect([report.state, report.fault]).toEqual(['ready', null])
  expect([report.matched.byPath, report.unmatchedCount]).toEqual([books * 0.95, books * 0.05])
  const applied = await apply(report.id, { metadata: false })
  expect([applied.state, applied.fault]).toEqual(['applied', null])
  return async () => expect(await undo(report.id)).toMatchObject({ state: 'undone' })
}

const byKey = <Value>(rows: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)))

interface State {
  readonly page: number | null
  readonly completed: boolean
  readonly at: string
}

/** What stands here, by reader and file. */
const statesHere = async () => {
  const rows = await server.context.db.read
    .selectFrom('read_progress')
    .innerJoin('user', 'user.id', 'read_progress.user_id')
    .innerJoin('file', 'file.book_id', 'read_progress.book_id')
    .select(['user.username', 'file.folder', 'file.name'])
    .select(['read_progress.page', 'read_progress.completed', 'read_progress.updated_at'])
    .execute()
  return byKey(
    rows.map(({ username, folder, name, page, completed, updated_at }): [string, State] => [
      `${username} ${folder}${name}`,
      { page: completed === 1 ? null : page, completed: completed === 1, at: updated_at },
    ]),
  )
}

const listsHere = async () => {
  const rows = await server.context.db.read
    .selectFrom('read_list_book')
    .innerJoin('read_list', 'read_list.id', 'read_list_book.read_list_id')
    .innerJoin('file', 'file.book_id', 'read_list_book.book_id')
    .select(['read_list.name as list', 'file.folder', 'file.name'])
    .orderBy('read_list_book.position')
    .execute()
  return byKey(
    [...Map.groupBy(rows, ({ list }) => list)].map(([list, own]) => [
      list,
      own.map(({ folder, name }) => folder + name),
    ]),
  )
}

/** To the millisecond, as it is kept here: what is finer is cut off. */
const instant = (text: string): string => `${text.replace(' ', 'T').slice(0, 23).replace(/\.$/, '')}Z`
const toIso = (text: string): string => new Date(instant(text)).toISOString()

test('C25 each state, date and list of a large Komga is here as its own database says it', async () => {
  const store = writeLargeKomga(books, seed)
  const undo = await takeOver('komga', store)
  const rows = store.db
    .prepare<[], { email: string; url: string; page: number; completed: number; at: string }>(
      `select u.EMAIL as email, b.URL as url, p.PAGE as page, p.COMPLETED as completed,
        case when p.READ_DATE glob '20*' then p.READ_DATE else p.LAST_MODIFIED_DATE end as at
      from READ_PROGRESS p join USER u on u.ID = p.USER_ID join BOOK b on b.ID = p.BOOK_ID where b.URL not like '%/Gone%'`,
    )
    .all()
  const expected = rows.map(({ email, url, page, completed, at }): [string, State] => [
    `${email.split('@')[0]} ${decodeURIComponent(url.slice('file:/media/comics/'.length))}`,
    {
      page: completed === 1 ? null : Math.min(Math.max(page, 1), pagesHere),
      completed: completed === 1,
      at: toIso(at),
    },
  ])
  expect(expected.length).toBeGreaterThan(books)
  expect(await statesHere()).toEqual(byKey(expected))

  const members = store.db
    .prepare<[], { list: string; url: string }>(
      `select l.NAME as list, b.URL as url from READLIST_BOOK m join READLIST l on l.ID = m.READLIST_ID
        join BOOK b on b.ID = m.BOOK_ID where b.URL not like '%/Gone%' order by l.ID, m.NUMBER`,
    )
    .all()
  const lists = Map.groupBy(members, ({ list }) => list)
  expect(await listsHere()).toEqual(
    byKey(
      [...lists].map(([list, own]) => [
        list,
        own.map(({ url }) => decodeURIComponent(url.slice('file:/media/comics/'.length))),
      ]),
    ),
  )
  store.db.close()
  await undo()
  expect([await statesHere(), await listsHere()]).toEqual([{}, {}])
})

test('C25 each state, date, rating and list of a large Kavita is here as its own database says it', async () => {
  const store = writeLargeKavita(books, seed + 1)
  const undo = await takeOver('kavita', store)
  const rows = store.db
    .prepare<[], { name: string; path: string; read: number; pages: number; at: string }>(
      `select u.UserName as name, f.FilePath as path, p.PagesRead as read, c.Pages as pages, p.LastModifiedUtc as at
      from AppUserProgresses p join AspNetUsers u on u.Id = p.AppUserId join Chapter c on c.Id = p.ChapterId
        join MangaFile f on f.ChapterId = c.Id where f.FilePath not like '%/Gone%' and p.PagesRead > 0`,
    )
    .all()
  const below = (path: string): string => path.slice('/library/comics/'.length)
  const expected = rows.map(({ name, path, read, pages }): [string, Omit<State, 'at'>] => [
    `${name} ${below(path)}`,
    { page: read >= pages ? null : Math.min(read + 1, pagesHere), completed: read >= pages },
  ])
  const here = await statesHere()
  expect(byKey(Object.entries(here).map(([key, { page, completed }]) => [key, { page, completed }]))).toEqual(
    byKey(expected),
  )
  const timed = rows.filter(({ at }) => !at.startsWith('0001'))
  for (const { name, path, at } of timed) expect([path, here[`${name} ${below(path)}`]?.at]).toEqual([path, toIso(at)])

  const given = store.db
    .prepare<[], { name: string; title: string; rating: number; review: string | null; at: string }>(
      `select u.UserName as name, s.Name as title, r.Rating as rating, r.Review as review, r.LastModifiedUtc as at
      from AppUserRating r join AspNetUsers u on u.Id = r.AppUserId join Series s on s.Id = r.SeriesId where r.HasBeenRated = 1`,
    )
    .all()
  const ratings = await server.context.db.read
    .selectFrom('series_rating')
    .innerJoin('user', 'user.id', 'series_rating.user_id')
    .innerJoin('series', 'series.id', 'series_rating.series_id')
    .select([
      'user.username',
      'series.title',
      'series_rating.rating',
      'series_rating.notes',
      'series_rating.updated_at',
    ])
    .execute()
  expect(
    byKey(
      ratings.map(({ username, title, rating, notes, updated_at }) => [
        `${username} ${title}`,
        [rating, notes, updated_at],
      ]),
    ),
  ).toEqual(
    byKey(given.map(({ name, title, rating, review, at }) => [`${name} ${title}`, [rating * 20, review, toIso(at)]])),
  )

  const members = store.db
    .prepare<[], { list: string; path: string }>(
      `select l.Title as list, f.FilePath as path from ReadingListItem i join ReadingList l on l.Id = i.ReadingListId
        join MangaFile f on f.ChapterId = i.ChapterId where f.FilePath not like '%/Gone%' order by l.Id, i."Order"`,
    )
    .all()
  expect(await listsHere()).toEqual(
    byKey(
      [...Map.groupBy(members, ({ list }) => list)].map(([list, own]) => [list, own.map(({ path }) => below(path))]),
    ),
  )
  store.db.close()
  await undo()
})
