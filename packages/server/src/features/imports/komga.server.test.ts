import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import {
  booksByPath,
  changedTables,
  expectedOf,
  importing,
  killedBefore,
  scanHousehold,
  type Shelf,
  unpackStore,
} from '../../../test/stores.ts'
import { startReader } from './sources/start-reader.ts'

interface Expected {
  readonly flyway: string
  readonly libraries: readonly { readonly name: string; readonly root: string }[]
  readonly users: readonly {
    readonly email: string
    readonly roles: readonly string[]
    readonly libraries: 'all' | readonly string[]
    readonly ageRestriction: { readonly age: number; readonly rule: string } | null
    readonly labelsExclude: readonly string[]
    readonly labelsAllow: readonly string[]
  }[]
  readonly series: readonly {
    readonly key: string
    readonly title: string
    readonly library: string
    readonly sharingLabels: readonly string[]
    readonly locked: readonly string[]
    readonly publisher: string
    readonly ageRating: number | null
    readonly language: string
    readonly genres: readonly string[]
    readonly tags: readonly string[]
  }[]
  readonly books: readonly {
    readonly id: string
    readonly key: string
    readonly series: string
    readonly pages: number
    readonly format: string
    readonly match: { readonly how: string | null; readonly path: string | null; readonly pagesNow: number | null }
  }[]
  readonly progress: readonly {
    readonly user: string
    readonly book: string
    readonly page: number
    readonly pages: number
    readonly completed: boolean
    readonly created: string
    readonly readDate: string | null
    readonly modified: string
    readonly totalProgression: number | null
  }[]
  readonly readLists: readonly {
    readonly name: string
    readonly ordered: boolean
    readonly summary: string
    readonly books: readonly string[]
  }[]
  readonly collections: readonly {
    readonly name: string
    readonly ordered: boolean
    readonly series: readonly string[]
  }[]
  readonly covers: readonly ({ readonly sha256: string } & ({ readonly book: string } | { readonly series: string }))[]
}

let server: TestServer
let admin: Person
let folder = ''
let path = ''
let expected: Expected
let libraries: Readonly<Record<Shelf, string>>
/** Ours, by the keys of the household. */
const books = new Map<string, string>()
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  folder = await mkdtemp(join(tmpdir(), 'carrel-import-'))
  path = await unpackStore('komga/database.sqlite.gz', folder)
  expected = await expectedOf('komga/expected.json')
  libraries = await scanHousehold(server)
  const byPath = await booksByPath(server, libraries)
  for (const { key, match } of expected.books) {
    const id = match.path === null ? undefined : byPath.get(match.path)
    if (id !== undefined) books.set(key, id)
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const komga = () => ({ kind: 'komga' as const, source: { path } })

test('C25 a copy of the database of Komga is read, and nothing is changed by it', async () => {
  const before = await changedTables(server)
  const report = await importing(server, admin).read(komga())

  expect(report).toMatchObject({
    state: 'ready',
    version: expected.flyway,
    found: {
      libraries: 3,
      users: 4,
      series: expected.series.length,
      books: expected.books.length,
      progress: expected.progress.length,
      readLists: expected.readLists.length,
      collections: expected.collections.length,
      covers: expected.covers.length,
    },
  })
  expect(report.libraries.map(({ name, ours, by }) => [name, ours, by])).toEqual([
    ['Comics', libraries.comics, 'path'],
    ['Ebooks', libraries.ebooks, 'path'],
    ['Manga', libraries.manga, 'path'],
  ])
  const matchedBy = (how: readonly string[]) =>
    expected.books.filter(({ match }) => match.how !== null && how.includes(match.how)).length
  expect(report.matched).toEqual({
    byHash: matchedBy(['hash', 'koreaderHash']),
    byPath: matchedBy(['path']),
    byName: matchedBy(['name']),
  })
  const missing = expected.books.filter(({ match }) => match.how === null)
  expect(report.unmatchedCount).toBe(missing.length)
  expect(new Set(report.unmatched.map(({ theirs }) => theirs))).toEqual(new Set(missing.map(({ id }) => id)))
  for (const { theirs, readers } of report.unmatched) {
    const key = missing.find(({ id }) => id === theirs)?.key
    expect(readers).toBe(expected.progress.filter((each) => each.book === key).length)
  }
  expect(await changedTables(server)).toEqual(before)
})

const matchesOf = async (importId: string) => {
  const rows = await server.context.db.read
    .selectFrom('import_part')
    .select('records')
    .where('import_id', '=', importId)
    .where('type', '=', 'bookMatch')
    .execute()
  return rows.flatMap(
    ({ records }) => JSON.parse(records) as { theirs: string; ours: string | null; by: string | null }[],
  )
}

test('C25 a database of two years before says the same in its own columns', async () => {
  const older = await unpackStore('komga/database-20240925174446.sqlite.gz', folder)
  const of = await expectedOf<Expected>('komga/expected-20240925174446.json')
  const report = await importing(server, admin).read({ kind: 'komga', source: { path: older } })
  const matchedBy = (how: string) => of.books.filter(({ match }) => match.how === how).length
  expect(report).toMatchObject({ state: 'ready', version: of.flyway })
  expect(report.matched).toMatchObject({ byHash: matchedBy('hash'), byPath: matchedBy('path') })
  // What lies elsewhere under another name still says in itself what it is.
  const matched = (await matchesOf(report.id)).filter(({ ours }) => ours !== null)
  for (const { theirs, ours } of matched)
    expect(ours).toBe(books.get(of.books.find(({ id }) => id === theirs)?.key ?? ''))
  expect(new Map(report.users.map(({ email, role }) => [email, role]))).toEqual(
    new Map(of.users.map(({ email, roles }) => [email, roles.includes('ADMIN') ? 'admin' : 'reader'])),
  )
})

test('C25 each book is matched with the one that it is now', async () => {
  const { id } = await importing(server, admin).read(komga())
  const matches = await matchesOf(id)
  const how: Readonly<Record<string, string>> = { hash: 'hash', koreaderHash: 'hash', path: 'path', name: 'name' }
  expect(new Map(matches.map(({ theirs, ours, by }) => [theirs, [ours, by]]))).toEqual(
    new Map(
      expected.books.map(({ id: theirs, key, match }) => [
        theirs,
        [books.get(key) ?? null, match.how === null ? null : how[match.how]],
      ]),
    ),
  )
})

/** Who came from there, by their address, and what they are called here. */
const comers = async (): Promise<ReadonlyMap<string, api.UserDto>> => {
  const { data } = bodyOf(await admin.call(api.listUsers, { query: { pageSize: 100 } }))
  return new Map(data.flatMap((user) => (user.email === null ? [] : [[user.email, user] as const])))
}

const standings = async () =>
  server.context.db.read
    .selectFrom('read_progress')
    .innerJoin('user', 'user.id', 'read_progress.user_id')
    .select([
      'user.email',
      'read_progress.book_id',
      'read_progress.page',
      'read_progress.percentage',
      'read_progress.completed',
      'read_progress.started_at',
      'read_progress.updated_at',
      'read_progress.completed_at',
    ])
    .where('user.email', 'is not', null)
    .execute()

test('C25 users, reading, lists, words and covers come over, and all of it can be taken back', async () => {
  const { read, apply, undo } = importing(server, admin)
  const before = await changedTables(server)
  const { id } = await read(komga())
  const applied = await apply(id)
  expect(applied.state).toBe('applied')
  expect(applied.fault).toBeNull()

  await expectUsers()
  await expectReading()
  await expectLists()
  await expectWords()
  await expectCovers()

  // The same again brings nothing.
  const standing = await changedTables(server)
  const again = await read(komga())
  expect(again.wouldCreate).toMatchObject({ users: 0, collections: 0, readLists: 0 })
  expect(again.conflicts.filter(({ kind }) => kind === 'list_exists')).toEqual([])
  const { taken, state } = await apply(again.id)
  expect([state, Object.keys(taken).toSorted()]).toEqual(['applied', ['membersNotHere', 'progressKnown']])
  expect(await changedTables(server)).toEqual(standing)

  expect(await undo(again.id)).toMatchObject({ state: 'undone' })
  expect(await changedTables(server)).toEqual(standing)
  expect(await undo(id)).toMatchObject({ state: 'undone', taken: {} })
  expect(await changedTables(server)).toEqual(before)
})

const expectUsers = async (): Promise<void> => {
  const users = await comers()
  const nameOf = new Map(Object.entries({ Comics: libraries.comics, Manga: libraries.manga, Ebooks: libraries.ebooks }))
  const tags = bodyOf(await admin.call(api.listSharingTags, { query: {} })).data
  for (const { email, roles, libraries: theirs, ageRestriction, labelsExclude } of expected.users) {
    const user = users.get(email)
    expect(user).toMatchObject({
      role: roles.includes('ADMIN') ? 'admin' : 'reader',
      isActive: true,
      lastLoginAt: null,
      access: {
        libraries: theirs === 'all' ? 'all' : expect.arrayContaining(theirs.map((name) => nameOf.get(name))),
        ageCeiling: ageRestriction?.age ?? null,
        includeUnrated: false,
        denyTags: labelsExclude.map((label) => tags.find(({ name }) => name === label)?.id),
        allowTags: [],
      },
    })
    expect(user?.username).toBe(email.split('@')[0])
    expect(user?.permissions.includes('files:download')).toBe(false)
  }
}

const expectReading = async (): Promise<void> => {
  const rows = await standings()
  const flowing = new Set(expected.books.filter(({ format }) => format === 'epub').map(({ key }) => key))
  const now = new Map(expected.books.map(({ key, match }) => [key, match.pagesNow]))
  const theirs = expected.progress.filter(({ book }) => books.has(book))
  expect(rows).toHaveLength(theirs.length)
  for (const { user, book, page, pages, completed, created, readDate, modified, totalProgression } of theirs) {
    const row = rows.find((each) => each.email === user && each.book_id === books.get(book))
    const at = readDate ?? modified
    expect(row).toMatchObject({
      completed: completed ? 1 : 0,
      started_at: created < at ? created : at,
      updated_at: at,
      completed_at: completed ? at : null,
    })
    if (completed) continue
    if (flowing.has(book)) expect(row?.percentage).toBeCloseTo(totalProgression ?? page / pages, 6)
    else expect(row?.page).toBe(Math.min(page, now.get(book) ?? 0))
  }
}

const expectLists = async (): Promise<void> => {
  const lists = bodyOf(await admin.call(api.listReadLists, { query: { pageSize: 100 } })).data
  for (const { name, ordered, summary, books: theirs } of expected.readLists) {
    const list = lists.find((each) => each.name === name)
    expect(list).toMatchObject({ ordered, summary: summary === '' ? null : summary })
    const members = bodyOf(
      await admin.call(api.listBooksOfReadList, { params: { id: list?.id ?? '' }, query: { sort: 'manual,asc' } }),
    ).data
    expect(members.map((book) => book.id)).toEqual(theirs.flatMap((key) => books.get(key) ?? []))
  }
  const collections = bodyOf(await admin.call(api.listCollections, { query: { pageSize: 100 } })).data
  for (const { name, ordered, series } of expected.collections) {
    const list = collections.find((each) => each.name === name)
    expect(list).toMatchObject({ ordered })
    const here = series.filter((key) => [...books.keys()].some((each) => each.startsWith(`${key}/`)))
    expect(list?.seriesCount).toBe(here.length)
  }
}

/** Most of its books are in it: some lie elsewhere by now. */
const seriesOf = async (key: string): Promise<string> => {
  const ids = [...books].flatMap(([each, id]) => (each.startsWith(`${key}/`) ? [id] : []))
  const row = await server.context.db.read
    .selectFrom('book')
    .select('series_id')
    .where('id', 'in', ids)
    .groupBy('series_id')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .executeTakeFirstOrThrow()
  return row.series_id
}

const expectWords = async (): Promise<void> => {
  for (const series of expected.series.filter(({ locked }) => locked.length > 0)) {
    const id = await seriesOf(series.key)
    const metadata = bodyOf(await admin.call(api.readSeriesMetadata, { params: { id } })) as Readonly<
      Record<string, unknown>
    >
    for (const field of series.locked) {
      const value = series[field as keyof typeof series]
      expect(metadata[`${field}Lock`]).toBe(true)
      if (field !== 'readingDirection') expect(metadata[field]).toEqual(value)
    }
    const { fields } = bodyOf(await admin.call(api.readSeriesMetadataSources, { params: { id } }))
    expect(
      Object.keys(fields)
        .filter((field) => fields[field]?.shown === 'user')
        .toSorted(),
    ).toEqual([...series.locked].toSorted())
  }
  const labelled = expected.series.find(({ sharingLabels }) => sharingLabels.length > 0)
  const { sharingTags } = bodyOf(
    await admin.call(api.readSeriesSharingTags, { params: { id: await seriesOf(labelled?.key ?? '') } }),
  )
  expect(sharingTags.map(({ name }) => name)).toEqual(labelled?.sharingLabels)
}

const expectCovers = async (): Promise<void> => {
  let uploaded = 0
  for (const cover of expected.covers) {
    if ('book' in cover) {
      const id = books.get(cover.book)
      if (id === undefined) continue
      const covers = bodyOf(await admin.call(api.listBookCovers, { params: { id } }))
      expect(covers.some(({ source, isSelected }) => source === 'upload' && isSelected)).toBe(true)
    } else {
      const covers = bodyOf(await admin.call(api.listSeriesCovers, { params: { id: await seriesOf(cover.series) } }))
      expect(covers.some(({ source, isSelected }) => source === 'upload' && isSelected)).toBe(true)
    }
    uploaded += 1
  }
  expect(uploaded).toBeGreaterThan(0)
}

test('C25 several libraries of theirs may be one of ours, also for somebody who sees some of them', async () => {
  const { read, apply, undo } = importing(server, admin)
  const proposed = await read(komga())
  const ours = libraries.comics
  const mapping = proposed.libraries.map(({ theirs }) => ({ theirs, ours }))
  const { id } = await read({ ...komga(), libraries: mapping })
  const applied = await apply(id)

  expect([applied.state, applied.fault]).toEqual(['applied', null])
  expect(await undo(id)).toMatchObject({ state: 'undone', taken: {} })
})

test('C25 the pictures of covers are those of the store', async () => {
  using reader = startReader({ signal: AbortSignal.timeout(60_000) })
  await reader.open({ kind: 'komga', path, isUpload: false, scratch: folder })
  const sums: string[] = []
  for (let batch = await reader.next(); batch; batch = await reader.next())
    for (const record of batch) {
      if (record.type !== 'cover') continue
      const bytes = await reader.cover(record.ref)
      sums.push(
        createHash('sha256')
          .update(bytes ?? new Uint8Array())
          .digest('hex'),
      )
    }
  expect(sums.toSorted()).toEqual(expected.covers.map(({ sha256 }) => sha256).toSorted())
})

const rowCounts = async (): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(Object.entries(await changedTables(server)).map(([name, rows]) => [name, rows.length]))

test('C25 an apply that is ended at any instant goes on, or is taken back', async () => {
  const before = await changedTables(server)
  const { read, apply, undo } = importing(server, admin)
  const { id } = await read(komga())
  expect(await apply(id)).toMatchObject({ state: 'applied' })
  const counts = await rowCounts()
  await undo(id)
  for (const writes of [1, 3, 7]) {
    const interrupted = importing(server, admin, killedBefore(writes))
    expect(await interrupted.apply(id)).toMatchObject({ state: 'applied', fault: null })
    expect(await rowCounts()).toEqual(counts)
    expect(await interrupted.undo(id)).toMatchObject({ state: 'undone' })
    expect(await changedTables(server)).toEqual(before)
    if (writes > 3) continue

    const given = importing(server, admin, killedBefore(writes, { always: true }))
    expect(await given.apply(id)).toMatchObject({ state: 'failed', fault: { code: 'failed' } })
    expect(await undo(id)).toMatchObject({ state: 'undone' })
    expect(await changedTables(server)).toEqual(before)
  }
})
