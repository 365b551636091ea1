import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKomga, startLanraragi } from '../../../test/recording-servers.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { booksByPath, changedTables, expectedOf, importing, scanHousehold } from '../../../test/stores.ts'
import { newFolder, ofType, readAll, sorted, sourceOf, storePath } from '../../../test/stores/read.ts'
import type { ForeignRecord, RecordType } from './records.ts'
import { askServer } from './sources/addresses.ts'
import { komga } from './sources/komga/komga.ts'
import { lanraragi } from './sources/lanraragi/lanraragi.ts'

const key = 'the-key-of-the-other-server'

let server: TestServer
let admin: Person
let byPath: ReadonlyMap<string, string> = new Map()
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  byPath = await booksByPath(server, await scanHousehold(server))
  await allowHosts(['localhost', '127.0.0.1'])
})
afterAll(() => server[Symbol.asyncDispose]())

const allowHosts = async (value: string[]): Promise<void> => {
  bodyOf(await admin.call(api.saveSetting, { params: { key: 'imports.allowed_hosts' }, body: { value } }))
}

const askedAt = async (kind: 'komga' | 'lanraragi', url: string): Promise<readonly ForeignRecord[]> => {
  const reader = kind === 'komga' ? komga : lanraragi
  const get = askServer({ kind, url, key }, { allowedHosts: ['localhost'], signal: AbortSignal.timeout(60_000) })
  const records: ForeignRecord[] = []
  for await (const batch of reader.atAddress?.read({ get }) ?? []) records.push(...batch)
  return records
}

const withoutRef = (records: readonly ForeignRecord[], type: RecordType) =>
  sorted(ofType(records, type).map((record) => ({ ...record, ref: undefined })))

test('C25 a Komga that is asked says what its database says, but for what others have read', async () => {
  await using server = await startKomga(key, { as: 'mara@household.example' })
  const records = await askedAt('komga', server.url)
  const stored = await readAll(komga, sourceOf(storePath('komga', 'database.sqlite'), newFolder()))
  for (const type of ['library', 'user', 'series', 'collection', 'readList', 'cover'] as const)
    expect([type, withoutRef(records, type)]).toEqual([type, withoutRef(stored, type)])
  const withoutKoreader = ofType(stored, 'book').map((book) => ({
    ...book,
    hashes: book.hashes.filter(({ kind }) => kind === 'xxh3-128'),
  }))
  expect(sorted(ofType(records, 'book'))).toEqual(sorted(withoutKoreader))
  const mara = ofType(stored, 'user').find(({ email }) => email === 'mara@household.example')
  const toSeconds = (time: string | null): string | null => time && `${time.slice(0, 19)}.000Z`
  const own = ofType(stored, 'progress')
    .filter(({ user }) => user === mara?.id)
    .map(({ position, startedAt, at, completedAt, ...state }) => ({
      ...state,
      page: position.page,
      startedAt: toSeconds(startedAt),
      at: toSeconds(at),
      completedAt: toSeconds(completedAt),
    }))
  expect(own.length).toBeGreaterThan(3)
  expect(
    sorted(ofType(records, 'progress').map(({ position, ...state }) => ({ ...state, page: position.page }))),
  ).toEqual(sorted(own))
  expect(ofType(records, 'passedOver').find(({ what }) => what.startsWith('what others than the owner'))).toMatchObject(
    {
      reason: 'not_in_store',
      examples: expect.arrayContaining(['jonas@household.example']) as unknown,
    },
  )
})

test('C25 what a running Komga says comes over with its covers, and all of it can be taken back', async () => {
  await using komga = await startKomga(key, { as: 'mara@household.example' })
  const { read, apply, undo } = importing(server, admin)
  const before = await changedTables(server)
  const body = { kind: 'komga', source: { url: `${komga.url}/`, apiKey: key } } as const
  const report = await read(body)
  expect([report.state, report.fault]).toEqual(['ready', null])
  expect(report.source).toEqual({ path: null, uploadId: null, url: komga.url })
  expect(report.version).toBe('1.26.3')
  expect(report.matched.byPath + report.matched.byHash).toBeGreaterThan(40)
  const applied = await apply(report.id)
  expect([applied.state, applied.fault]).toEqual(['applied', null])
  const { taken } = applied
  expect(taken['covers']).toBeGreaterThan(0)
  expect(taken['readLists']).toBeGreaterThan(0)
  const progress = await server.context.db.read.selectFrom('read_progress').select('book_id').execute()
  expect(progress).toHaveLength(taken['progress'] ?? 0)
  expect(progress.length).toBeGreaterThan(3)

  const standing = await changedTables(server)
  // The key that was given for this address is taken once more.
  const again = await read({ kind: 'komga', source: { url: komga.url } })
  expect(await apply(again.id)).toMatchObject({ state: 'applied' })
  expect(await changedTables(server)).toEqual(standing)
  expect(await undo(again.id)).toMatchObject({ state: 'undone' })
  expect(await undo(report.id)).toMatchObject({ state: 'undone' })
  expect(await changedTables(server)).toEqual(before)
  expect(komga.requests.every(({ hasKey }) => hasKey)).toBe(true)
})

test('C25 a key stands nowhere as it was given: not in a reply, a row or a line of the log', async () => {
  await using komga = await startKomga(key, { as: 'mara@household.example' })
  const report = await importing(server, admin).read({ kind: 'komga', source: { url: komga.url, apiKey: key } })
  const shown = bodyOf(await admin.call(api.readImport, { params: { id: report.id } }))
  const rows = await server.context.db.read.selectFrom('import_run').selectAll().execute()
  const tasks = await server.context.db.read.selectFrom('task').selectAll().execute()
  expect(rows.find(({ id }) => id === report.id)?.secret).toMatch(/^1\./)
  for (const each of [shown, rows, tasks, server.logLines]) expect(JSON.stringify(each)).not.toContain(key)
})

test('C25 a key that may not list users, or see where files lie, brings what its owner has read all the same', async () => {
  await using komga = await startKomga(key, { as: 'jonas@household.example', isAdmin: false })
  const records = await askedAt('komga', komga.url)
  expect(ofType(records, 'user').map(({ name }) => name)).toEqual(['jonas'])
  expect(ofType(records, 'book').every(({ path }) => path === null)).toBe(true)
  expect(ofType(records, 'progress').length).toBeGreaterThan(0)
  const left = ofType(records, 'passedOver').map(({ what }) => what)
  expect(left).toContain('other users, whom this key may not list')
  expect(left).toContain('folders of libraries, which only the key of an administrator is told')
})

test('C25 a running LANraragi says what was read, which its backup does not', async () => {
  const { archives } = await expectedOf<{
    archives: readonly { arcid: string; match: { path: string | null; how: string | null; pagesNow: number } }[]
  }>('lanraragi/expected.json')
  const [first, second] = archives.filter(({ match }) => match.how === 'hash' && match.pagesNow > 3)
  const at = Date.parse('2026-02-03T04:05:06Z') / 1000
  const states = new Map([
    [first?.arcid ?? '', { progress: 3, pagecount: first?.match.pagesNow ?? 0, lastreadtime: at }],
    [
      second?.arcid ?? '',
      { progress: second?.match.pagesNow ?? 0, pagecount: second?.match.pagesNow ?? 0, lastreadtime: at },
    ],
  ])
  await using other = await startLanraragi(key, states)
  const records = await askedAt('lanraragi', other.url)
  const stored = await readAll(lanraragi, sourceOf(storePath('lanraragi', 'backup.json'), newFolder()))
  for (const type of ['series', 'book', 'rating', 'category'] as const)
    expect([type, sorted(ofType(records, type))]).toEqual([type, sorted(ofType(stored, type))])

  const { read, apply, undo } = importing(server, admin)
  const report = await read({ kind: 'lanraragi', source: { url: other.url, apiKey: key } })
  expect([report.state, report.fault, report.version]).toEqual(['ready', null, '0.9.81'])
  expect(await apply(report.id)).toMatchObject({ state: 'applied' })
  const rows = await server.context.db.read
    .selectFrom('read_progress')
    .select(['book_id', 'page', 'completed', 'updated_at'])
    .where('user_id', '=', admin.id)
    .execute()
  expect(sorted(rows)).toEqual(
    sorted([
      { book_id: byPath.get(first?.match.path ?? ''), page: 3, completed: 0, updated_at: '2026-02-03T04:05:06.000Z' },
      {
        book_id: byPath.get(second?.match.path ?? ''),
        page: second?.match.pagesNow,
        completed: 1,
        updated_at: '2026-02-03T04:05:06.000Z',
      },
    ]),
  )
  expect(await undo(report.id)).toMatchObject({ state: 'undone' })
})

test('C25 another Carrel is asked as a Komga is, at its door for such applications', async () => {
  await using other = await startServer()
  const owner = await other.person('admin', { username: 'owner' })
  bodyOf(await owner.call(api.saveSetting, { params: { key: 'compat.enabled' }, body: { value: true } }))
  const theirs = await booksByPath(other, await scanHousehold(other))
  const [path = '', listed = ''] = [...theirs.keys()].filter((each) => each.endsWith('.cbz')).toSorted()
  const [bookId = '', listedId = ''] = [theirs.get(path), theirs.get(listed)]
  bodyOf(await owner.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 2 } }))
  bodyOf(
    await owner.call(api.editBookMetadata, {
      params: { id: bookId },
      body: { summary: 'Said at the other Carrel.', summaryLock: true },
    }),
  )
  const made = bodyOf(await owner.call(api.createReadList, { body: { name: 'From the other', ordered: true } }))
  bodyOf(await owner.call(api.addToReadList, { params: { id: made.id }, body: { bookIds: [listedId, bookId] } }))
  const { key: apiKey } = bodyOf(await owner.call(api.createApiKey, { body: { name: 'Moving' } }))

  const { read, apply, undo } = importing(server, admin)
  const report = await read({ kind: 'komga', source: { url: `${other.url}/komga`, apiKey } })
  expect([report.state, report.fault, report.unmatchedCount]).toEqual(['ready', null, 0])
  expect(await apply(report.id)).toMatchObject({ state: 'applied' })
  const here = byPath.get(path) ?? ''
  const [state] = await server.context.db.read
    .selectFrom('read_progress')
    .innerJoin('user', 'user.id', 'read_progress.user_id')
    .select(['user.username', 'book_id', 'page'])
    .execute()
  expect(state).toEqual({ username: 'owner', book_id: here, page: 2 })
  const { metadata } = bodyOf(await admin.call(api.readBook, { params: { id: here } }))
  expect(metadata).toMatchObject({ summary: 'Said at the other Carrel.', summaryLock: true })
  const { data } = bodyOf(await admin.call(api.listReadLists, { query: {} }))
  const list = data.find(({ name }) => name === 'From the other')
  const { data: books } = bodyOf(
    await admin.call(api.listBooksOfReadList, { params: { id: list?.id ?? '' }, query: {} }),
  )
  expect(books.map(({ id }) => id)).toEqual([byPath.get(listed), here])
  expect(await undo(report.id)).toMatchObject({ state: 'undone' })
})

test('C25 an address of a private network, or one that is not encrypted, is asked only where it is named', async () => {
  await using komga = await startKomga(key, { as: 'mara@household.example' })
  await allowHosts(['somewhere.example'])
  const start = (kind: api.ImportKind, url: string) =>
    admin.call(api.startImport, { body: { kind, source: { url, apiKey: key } } })
  const refusals = [
    await start('komga', komga.url),
    await start('komga', 'https://192.168.1.5/'),
    await start('komga', 'https://mara:secret@komga.example/'),
    await start('codex', 'postgres://codex@10.0.0.7/codex'),
    await start('codex', 'https://codex.example'),
    await start('kavita', 'https://kavita.example'),
  ]
  expect(refusals.map((reply) => reply.status)).toEqual(refusals.map(() => 400))
  for (const reply of refusals.slice(0, 2)) expect(errorOf(reply).message).toContain('imports.allowed_hosts')
  expect(komga.requests).toEqual([])
  // A name says nothing of where it leads: that is looked at when it is asked.
  const report = await importing(server, admin).read({
    kind: 'komga',
    source: { url: 'https://localhost', apiKey: key },
  })
  expect(report).toMatchObject({ state: 'failed', fault: { code: 'unreachable' } })
  expect(report.fault?.message).toContain('imports.allowed_hosts')
  await allowHosts(['localhost', '127.0.0.1'])
})

test('C25 a wrong key, another server and one that is away are told apart', async () => {
  await using komga = await startKomga('another key', { as: 'mara@household.example' })
  const { read } = importing(server, admin)
  const faultAt = async (kind: 'komga' | 'lanraragi', url: string) =>
    (await read({ kind, source: { url, apiKey: key } })).fault?.code
  expect(await faultAt('komga', komga.url)).toBe('refused')
  expect(await faultAt('lanraragi', server.url)).toBe('wrong_kind')
  await using other = await startLanraragi(key, new Map())
  expect(await faultAt('komga', `${komga.url}/library`)).toBe('refused')
  const { url } = other
  await other[Symbol.asyncDispose]()
  expect(await faultAt('lanraragi', url)).toBe('unreachable')
})
