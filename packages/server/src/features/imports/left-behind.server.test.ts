import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { booksByPath, changedTables, expectedOf, importing, scanHousehold, unpackStore } from '../../../test/stores.ts'
import { changedStore, storePath } from '../../../test/stores/read.ts'

let server: TestServer
let admin: Person
let folder = ''
let byPath: ReadonlyMap<string, string> = new Map()
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  folder = await mkdtemp(join(tmpdir(), 'carrel-left-'))
  byPath = await booksByPath(server, await scanHousehold(server))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const kavita = async (...statements: readonly string[]) => {
  const path = join(await mkdtemp(join(folder, 'kavita-')), 'kavita.db')
  await cp(changedStore(storePath('kavita', 'kavita.db'), statements), path)
  return { kind: 'kavita', source: { path } } as const
}

test('C25 places in a read list are kept for books that are not here, in their order', async () => {
  const { read, apply, undo } = importing(server, admin)
  const before = await changedTables(server)
  const path = await unpackStore('komga/database.sqlite.gz', folder)
  const { id } = await read({ kind: 'komga', source: { path } })
  const { taken } = await apply(id, { covers: false, metadata: false, progress: false })
  const { data: lists } = bodyOf(await admin.call(api.listReadLists, { query: {} }))
  const list = lists.find(({ name }) => name === 'Holes')
  const params = { id: list?.id ?? '' }
  const { data: waiting } = bodyOf(await admin.call(api.listMissingOfReadList, { params, query: {} }))
  expect(waiting.map(({ series, number }) => [series, number])).toEqual([
    ['Iron Garden', '7'],
    ['Iron Garden', '8'],
  ])
  expect(taken).toMatchObject({ placesKept: waiting.length })
  const entries = await server.context.db.read
    .selectFrom('read_list_book')
    .select(['wanted_number', 'book_id'])
    .where('read_list_id', '=', params.id)
    .orderBy('position')
    .execute()
  expect(entries.map(({ wanted_number, book_id }) => (book_id === null ? wanted_number : 'a book'))).toEqual([
    '7',
    'a book',
    '8',
  ])
  expect(await undo(id)).toMatchObject({ state: 'undone' })
  expect(await changedTables(server)).toEqual(before)
})

test('C25 a review without a rating becomes a note at the beginning of the book', async () => {
  const body = await kavita(
    'update AppUserRating set Review = null where HasBeenRated = 0',
    `update AppUserRating set HasBeenRated = 0, Rating = 0, Review = 'Words alone.'
      where SeriesId = (select Id from Series where Name like 'The Lantern Coast%')`,
  )
  const { read, apply, undo } = importing(server, admin)
  const before = await changedTables(server)
  const { id } = await read(body)
  const { taken } = await apply(id)
  expect(taken['reviewsWithoutRating']).toBeUndefined()
  const notes = await server.context.db.read
    .selectFrom('bookmark')
    .innerJoin('user', 'user.id', 'bookmark.user_id')
    .select(['user.username', 'bookmark.book_id', 'bookmark.note'])
    .where('bookmark.note', '=', 'Words alone.')
    .execute()
  const { books } = await expectedOf<{ books: readonly { key: string; match: { path: string } }[] }>(
    'kavita/expected.json',
  )
  const first = books.find(({ key }) => key === 'lantern/1')
  expect(notes).toHaveLength(taken['reviewsAsNotes'] ?? 0)
  expect(notes).toContainEqual({ username: 'mara', book_id: byPath.get(first?.match.path ?? ''), note: 'Words alone.' })

  const standing = await changedTables(server)
  const again = await read(body)
  await apply(again.id)
  expect(await changedTables(server)).toEqual(standing)
  expect(await undo(again.id)).toMatchObject({ state: 'undone' })
  expect(await undo(id)).toMatchObject({ state: 'undone' })
  expect(await changedTables(server)).toEqual(before)
})

test('C25 a series that somebody did not want to be proposed is paused here, unless they have said otherwise', async () => {
  await server.person('reader', { username: 'jonas' })
  const body = await kavita()
  const { read, apply, undo } = importing(server, admin)
  const { id, passedOver } = await read(body)
  expect(passedOver.filter(({ reason }) => reason === 'not_yet')).toEqual([])
  expect((await apply(id)).taken['onDeckRemovals']).toBe(1)
  const paused = () =>
    server.context.db.read
      .selectFrom('series_status')
      .innerJoin('user', 'user.id', 'series_status.user_id')
      .innerJoin('series', 'series.id', 'series_status.series_id')
      .select(['user.username', 'series.title', 'series_status.status'])
      .execute()
  expect(await paused()).toEqual([
    { username: 'jonas', title: expect.stringContaining('Kaze') as unknown, status: 'paused' },
  ])
  await server.context.db.write((db) =>
    db.updateTable('series_status').set({ status: 'reading', updated_at: '2026-12-01T00:00:00.000Z' }).execute(),
  )
  expect(await undo(id)).toMatchObject({ state: 'undone' })
  expect(await paused()).toMatchObject([{ status: 'reading' }])
})

test('C25 a plugin of the same name is set as it was there, without secrets, and unless it is set here', async () => {
  const insert = (name: string) =>
    `insert into plugins (id, name, display_name, plugin_type, command, args, env, permissions, scopes, library_ids, credential_delivery, config, enabled, health_status, failure_count, created_at, updated_at, use_existing_external_id)
      values (randomblob(16), '${name}', 'Any', 'system', 'x', '[]', '{}', '[]', '[]', '[]', 'env', '{"language":"de","api_key":"s3cret"}', 1, 'ok', 0, '', '', 0)`
  const path = join(folder, 'plugins.db')
  await cp(changedStore(storePath('codex', 'codex.db'), ['lister', 'absent', 'set-here'].map(insert)), path)
  const programs = join(server.context.config.dataDir, 'plugins')
  await mkdir(programs, { recursive: true })
  await writeFile(join(programs, 'any.mjs'), '')
  const add = async (name: string, config: Record<string, unknown> | undefined) => {
    const body = { name, displayName: name, command: 'node', args: ['any.mjs'], ...(config && { config }) }
    return bodyOf(await admin.call(api.createPlugin, { body })).plugin
  }
  const [lister, setHere] = [await add('lister', undefined), await add('set-here', { language: 'fr' })]
  const { read, apply, undo } = importing(server, admin)
  const { id } = await read({ kind: 'codex', source: { path } })
  const { taken } = await apply(id, { covers: false, progress: false })
  expect(taken).toMatchObject({ pluginSettings: 1, pluginSettingsLeft: 2 })
  const configOf = async (plugin: { id: string }) =>
    bodyOf(await admin.call(api.readPlugin, { params: { id: plugin.id } })).config
  expect(await configOf(lister)).toEqual({ language: 'de' })
  expect(await configOf(setHere)).toEqual({ language: 'fr' })
  expect(await undo(id)).toMatchObject({ state: 'undone' })
  expect(await configOf(lister)).toEqual({})
})
