import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import {
  changedTables,
  expectedOf,
  type Household,
  importing,
  startHousehold,
  unpackStore,
} from '../../../test/stores.ts'
import { changedStore, storePath } from '../../../test/stores/read.ts'

let home: Household
beforeAll(async () => {
  home = await startHousehold()
})
afterAll(() => home[Symbol.asyncDispose]())

const kavita = async (...statements: readonly string[]) => {
  const path = join(await mkdtemp(join(home.folder, 'kavita-')), 'kavita.db')
  await cp(changedStore(storePath('kavita', 'kavita.db'), statements), path)
  return { kind: 'kavita', source: { path } } as const
}

test('C25 places in a read list are kept for books that are not here, in their order', async () => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const before = await changedTables(home.server)
  const path = await unpackStore('komga/database.sqlite.gz', home.folder)
  const { id } = await read({ kind: 'komga', source: { path } })
  const { taken } = await apply(id, { covers: false, metadata: false, progress: false })
  const { data: lists } = bodyOf(await home.admin.call(api.listReadLists, { query: {} }))
  const list = lists.find(({ name }) => name === 'Holes')
  const params = { id: list?.id ?? '' }
  const { data: waiting } = bodyOf(await home.admin.call(api.listMissingOfReadList, { params, query: {} }))
  expect(waiting.map(({ series, number }) => [series, number])).toEqual([
    ['Iron Garden', '7'],
    ['Iron Garden', '8'],
  ])
  expect(taken).toMatchObject({ placesKept: waiting.length })
  const entries = await home.server.context.db.read
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
  expect(await changedTables(home.server)).toEqual(before)
})

test('C25 a review without a rating becomes a note at the beginning of the book', async () => {
  const body = await kavita(
    'update AppUserRating set Review = null where HasBeenRated = 0',
    `update AppUserRating set HasBeenRated = 0, Rating = 0, Review = 'Words alone.'
      where SeriesId = (select Id from Series where Name like 'The Lantern Coast%')`,
  )
  const { read, apply, undo } = importing(home.server, home.admin)
  const before = await changedTables(home.server)
  const { id } = await read(body)
  const { taken } = await apply(id)
  expect(taken['reviewsWithoutRating']).toBeUndefined()
  const notes = await home.server.context.db.read
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
  expect(notes).toContainEqual({
    username: 'mara',
    book_id: home.bookAt(first?.match.path ?? ''),
    note: 'Words alone.',
  })

  const standing = await changedTables(home.server)
  const again = await read(body)
  await apply(again.id)
  expect(await changedTables(home.server)).toEqual(standing)
  expect(await undo(again.id)).toMatchObject({ state: 'undone' })
  expect(await undo(id)).toMatchObject({ state: 'undone' })
  expect(await changedTables(home.server)).toEqual(before)
})

test('C25 a series that somebody did not want to be proposed is paused here, unless they have said otherwise', async () => {
  await home.server.person('reader', { username: 'jonas' })
  const body = await kavita()
  const { read, apply, undo } = importing(home.server, home.admin)
  const { id, passedOver } = await read(body)
  expect(passedOver.filter(({ reason }) => reason === 'not_yet')).toEqual([])
  expect((await apply(id)).taken['onDeckRemovals']).toBe(1)
  const paused = () =>
    home.server.context.db.read
      .selectFrom('series_status')
      .innerJoin('user', 'user.id', 'series_status.user_id')
      .innerJoin('series', 'series.id', 'series_status.series_id')
      .select(['user.username', 'series.title', 'series_status.status'])
      .execute()
  expect(await paused()).toEqual([
    { username: 'jonas', title: expect.stringContaining('Kaze') as unknown, status: 'paused' },
  ])
  await home.server.context.db.write((db) =>
    db.updateTable('series_status').set({ status: 'reading', updated_at: '2026-12-01T00:00:00.000Z' }).execute(),
  )
  expect(await undo(id)).toMatchObject({ state: 'undone' })
  expect(await paused()).toMatchObject([{ status: 'reading' }])
})

test('C25 a plugin of the same name is set as it was there, without secrets, and unless it is set here', async () => {
  const insert = (name: string) =>
    `insert into plugins (id, name, display_name, plugin_type, command, args, env, permissions, scopes, library_ids, credential_delivery, config, enabled, health_status, failure_count, created_at, updated_at, use_existing_external_id)
      values (randomblob(16), '${name}', 'Any', 'system', 'x', '[]', '{}', '[]', '[]', '[]', 'env', '{"language":"de","api_key":"s3cret"}', 1, 'ok', 0, '', '', 0)`
  const path = join(home.folder, 'plugins.db')
  await cp(changedStore(storePath('codex', 'codex.db'), ['lister', 'absent', 'set-here'].map(insert)), path)
  const programs = join(home.server.context.config.dataDir, 'plugins')
  await mkdir(programs, { recursive: true })
  await writeFile(join(programs, 'any.mjs'), '')
  const add = async (name: string, config: Record<string, unknown> | undefined) => {
    const body = { name, displayName: name, command: 'node', args: ['any.mjs'], ...(config && { config }) }
    return bodyOf(await home.admin.call(api.createPlugin, { body })).plugin
  }
  const [lister, setHere] = [await add('lister', undefined), await add('set-here', { language: 'fr' })]
  const { read, apply, undo } = importing(home.server, home.admin)
  const { id } = await read({ kind: 'codex', source: { path } })
  const { taken } = await apply(id, { covers: false, progress: false })
  expect(taken).toMatchObject({ pluginSettings: 1, pluginSettingsLeft: 2 })
  const configOf = async (plugin: { id: string }) =>
    bodyOf(await home.admin.call(api.readPlugin, { params: { id: plugin.id } })).config
  expect(await configOf(lister)).toEqual({ language: 'de' })
  expect(await configOf(setHere)).toEqual({ language: 'fr' })
  expect(await undo(id)).toMatchObject({ state: 'undone' })
  expect(await configOf(lister)).toEqual({})
})
