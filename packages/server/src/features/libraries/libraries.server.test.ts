import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries, addSeries } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { forgetLibrary, hideLibrary } from './tasks.ts'

/** Folders on the disk, made anew for each test. */
const makeFolders = async (...names: string[]) => {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'carrel-folders-')))
  for (const name of names) await mkdir(join(path, name), { recursive: true })
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const eventsOf = async ({ context: { db } }: TestServer): Promise<string[]> => {
  const rows = await db.read.selectFrom('event').select('type').orderBy('id').execute()
  return rows.map(({ type }) => type).filter((type) => type.startsWith('library_'))
}

test('C8 a library needs a name and a folder, and has the usual for the rest', async () => {
  await using server = await startServer()
  await using folders = await makeFolders('manga')
  const editor = await server.person('editor')
  const root = join(folders.path, 'manga')

  const created = bodyOf(await editor.call(api.createLibrary, { body: { name: ' Manga ', path: `${root}//` } }))

  expect(created).toEqual({
    id: created.id,
    name: 'Manga',
    description: null,
    path: root,
    roots: [root],
    grouping: { policy: 'folder', config: {} },
    numbering: 'smart',
    titleFrom: 'smart',
    formats: null,
    exclude: ['**/.*'],
    readingDirection: 'ltr',
    schedule: null,
    watch: true,
    listsFromFiles: false,
    sidecars: 'none',
    status: 'available',
    bookCount: 0,
    seriesCount: 0,
    lastScannedAt: null,
    createdAt: created.createdAt,
    updatedAt: created.createdAt,
  })
  expect(bodyOf(await editor.call(api.readLibrary, { params: { id: created.id } }))).toEqual(created)
  expect(bodyOf(await editor.call(api.listLibraries, {})).data).toEqual([created])
  expect(await eventsOf(server)).toEqual(['library_created'])
})

test('C8 everything that can be chosen is kept, and a change keeps what it does not name', async () => {
  await using server = await startServer()
  await using folders = await makeFolders('a', 'b')
  const editor = await server.person('editor')
  const chosen = {
    name: 'Comics',
    description: 'All of them',
    roots: [join(folders.path, 'a'), join(folders.path, 'b')],
    grouping: { policy: 'volume_folders', config: {} },
    numbering: 'filename',
    titleFrom: 'metadata',
    formats: ['cbz', 'cbr'],
    exclude: ['**/.*', 'Extras/'],
    readingDirection: 'rtl',
    schedule: { cron: '0 4 * * *', timeZone: 'Europe/Berlin' },
    watch: false,
  } as const
  const body = { ...chosen, roots: [...chosen.roots], formats: [...chosen.formats], exclude: [...chosen.exclude] }
  const { id } = bodyOf(await editor.call(api.createLibrary, { body: { ...body, scanNow: false } }))
  expect(bodyOf(await editor.call(api.readLibrary, { params: { id } }))).toMatchObject(chosen)

  const patch = { description: null, formats: null, schedule: null, watch: true }
  expect(bodyOf(await editor.call(api.updateLibrary, { params: { id }, body: patch }))).toMatchObject({
    ...chosen,
    ...patch,
  })
  const renamed = bodyOf(await editor.call(api.updateLibrary, { params: { id }, body: { name: 'COMICS' } }))
  expect(renamed).toMatchObject({ ...chosen, ...patch, name: 'COMICS' })
  expect(await eventsOf(server)).toEqual(['library_created', 'library_updated', 'library_updated'])
})

test('C8 names and folders are given once; those of a deleted library are free again', async () => {
  await using server = await startServer()
  await using folders = await makeFolders('a/inner', 'b')
  const admin = await server.person('admin')
  const path = (name: string) => join(folders.path, name)
  const create = (name: string, root: string) =>
    admin.call(api.createLibrary, { body: { name, roots: [path(root)], scanNow: false } })
  const { id } = bodyOf(await create('Manga', 'a'))

  expect(errorOf(await create('MANGA', 'b'))).toMatchObject({ error: 'already_exists' })
  for (const root of ['a', 'a/inner', '.'])
    expect(errorOf(await create('Other', root))).toMatchObject({
      error: 'conflict',
      message: expect.stringContaining('of the library "Manga"') as string,
    })
  const other = bodyOf(await create('Other', 'b'))
  expect(
    errorOf(await admin.call(api.updateLibrary, { params: { id: other.id }, body: { name: 'manga' } })),
  ).toMatchObject({ error: 'already_exists' })
  expect(
    errorOf(await admin.call(api.updateLibrary, { params: { id: other.id }, body: { path: path('a/inner') } })),
  ).toMatchObject({ error: 'conflict' })

  bodyOf(await admin.call(api.deleteLibrary, { params: { id } }))
  expect(bodyOf(await create('Manga', 'a/inner')).roots).toEqual([path('a/inner')])
})

test('C8 a root that moves keeps its id, and one that goes stands while files are known to be there', async () => {
  await using server = await startServer()
  await using folders = await makeFolders('a', 'b', 'c', 'd')
  const editor = await server.person('editor')
  const paths = (...names: string[]) => names.map((name) => join(folders.path, name))
  const body = { name: 'Manga', roots: paths('a', 'b'), scanNow: false }
  const { id } = bodyOf(await editor.call(api.createLibrary, { body }))
  const rootsNow = async () => {
    const { read } = server.context.db
    const rows = await read.selectFrom('library_root').selectAll().orderBy('id').execute()
    return rows.map((row) => [row.id, row.path.slice(-1), row.position, row.removed_at !== null])
  }
  const [[a], [b]] = (await rootsNow()) as [[string], [string]]
  const change = async (...names: string[]) =>
    bodyOf(await editor.call(api.updateLibrary, { params: { id }, body: { roots: paths(...names) } })).roots

  expect(await change('b', 'a')).toEqual(paths('b', 'a'))
  expect(await rootsNow()).toEqual([
    [a, 'a', 1, false],
    [b, 'b', 0, false],
  ])
  expect(await change('c', 'a')).toEqual(paths('c', 'a'))
  expect(await rootsNow()).toEqual([
    [a, 'a', 1, false],
    [b, 'c', 0, false],
  ])
  expect(await change('c')).toEqual(paths('c'))
  expect(await rootsNow()).toEqual([
    [a, 'a', 1, true],
    [b, 'c', 0, false],
  ])
  expect(await change('c', 'd', 'a')).toEqual(paths('c', 'd', 'a'))
  expect((await rootsNow()).slice(0, 2)).toEqual([
    [a, 'a', 2, false],
    [b, 'c', 0, false],
  ])
})

test('AUTH-7 W9 a library shows what this viewer sees of it, and one that is not theirs is not there', async () => {
  await using server = await startServer()
  const { db } = server.context
  const manga = await addLibrary(db, { name: 'Manga' })
  const comics = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  const mixed = await addSeries(db, manga, { title: 'Mixed', age_rating: 6 })
  await addBooks(db, mixed, [{ age_rating: 6 }, { age_rating: 18 }])
  await addBooks(db, await addSeries(db, manga, { title: 'Grown-up', age_rating: 18 }), [{ age_rating: 18 }])
  await addBooks(db, await addSeries(db, manga, { title: 'Hollow', age_rating: 6 }), [{ age_rating: 18 }])
  await addBooks(db, await addSeries(db, comics, { title: 'Far' }), [{}])
  const child = await server.person('reader', { access: { libraries: [manga.id], ageCeiling: 12 } })
  const anybody = await server.person('reader')

  const seen = bodyOf(await child.call(api.listLibraries, {}))
  expect(seen).toMatchObject({ total: 1, data: [{ id: manga.id, bookCount: 1, seriesCount: 1 }] })
  expect((await child.call(api.readLibrary, { params: { id: comics.id } })).status).toBe(404)
  expect(bodyOf(await anybody.call(api.listLibraries, {})).data).toMatchObject([
    { name: 'Comics', bookCount: 1, seriesCount: 1 },
    { name: 'Manga', bookCount: 4, seriesCount: 3 },
  ])
})

test('C8 a deleted library is out of sight at once, and nothing of it is destroyed', async () => {
  await using server = await startServer()
  const { db } = server.context
  const admin = await server.person('admin')
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const library = await addLibrary(db)
  const added = await addLibrary(db, { name: 'Kept', path: '/data/kept' })
  const series = await addSeries(db, library)
  const [present = ''] = await addBooks(db, series, [...Array.from({ length: 450 }, () => ({})), { state: 'missing' }])
  await addBooks(db, await addSeries(db, added, { title: 'Stays' }), [{}])

  expect((await admin.call(api.deleteLibrary, { params: { id: library.id } })).status).toBe(204)
  const isGone = async () => {
    for (const { call } of [admin, child]) {
      expect(bodyOf(await call(api.listLibraries, {})).data).toMatchObject([{ name: 'Kept' }])
      expect(bodyOf(await call(api.listBooks, { query: { includeDeleted: true } })).total).toBe(1)
      expect(bodyOf(await call(api.listSeries, {})).data).toMatchObject([{ title: 'Stays' }])
      expect((await call(api.readBook, { params: { id: present } })).status).toBe(404)
      expect((await call(api.readSeries, { params: { id: series.id } })).status).toBe(404)
      expect((await call(api.readLibrary, { params: { id: library.id } })).status).toBe(404)
      expect((await call(api.listBooksOfLibrary, { params: { id: library.id } })).status).toBe(404)
      expect((await call(api.listBooksOfSeries, { params: { id: series.id } })).status).toBe(404)
    }
  }
  await isGone()
  expect(await eventsOf(server)).toEqual(['library_deleted'])

  await using _ = workOn(server, [hideLibrary, forgetLibrary])
  await waitUntil('the end of the task', async () => (await statusOfTask(server, 'hide_library')) === 'completed')
  await isGone()
  const states = await db.read
    .selectFrom('book')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .orderBy('state')
    .execute()
  expect(states).toEqual([
    { state: 'hidden', count: 451 },
    { state: 'present', count: 1 },
  ])
  expect((await admin.call(api.deleteLibrary, { params: { id: library.id } })).status).toBe(404)
})

const statusOfTask = async ({ context: { db } }: TestServer, type: string): Promise<string | undefined> =>
  (await db.read.selectFrom('task').select('status').where('type', '=', type).executeTakeFirst())?.status

test('C8 an administrator can have a library forgotten for ever, also one that was deleted before', async () => {
  await using server = await startServer()
  const { db } = server.context
  const admin = await server.person('admin')
  const keeper = await server.person('editor', { permissions: ['libraries:delete'] })
  const library = await addLibrary(db)
  const series = await addSeries(db, library)
  const [book = ''] = await addBooks(db, series, [{}, {}, { state: 'missing' }])
  await db.write(async (db) => {
    const at = '2026-11-21T10:00:00.000Z'
    await db.insertInto('book_fingerprint').values({ kind: 'file', value: 'x', book_id: book, at }).execute()
    const layer = { source: 'user', fields: '{}', at, by_user_id: null }
    await db
      .insertInto('metadata_layer')
      .values([
        { entity_id: book, ...layer },
        { entity_id: series.id, ...layer },
      ])
      .execute()
  })
  const call = { params: { id: library.id }, query: { purge: true } }

  expect(errorOf(await keeper.call(api.deleteLibrary, call))).toMatchObject({ error: 'not_allowed' })
  expect((await keeper.call(api.deleteLibrary, { params: { id: library.id } })).status).toBe(204)
  expect((await admin.call(api.deleteLibrary, call)).status).toBe(204)
  await using _ = workOn(server, [hideLibrary, forgetLibrary])
  await waitUntil('the end of the task', async () => (await statusOfTask(server, 'forget_library')) === 'completed')

  for (const table of [
    'library',
    'library_root',
    'series',
    'book',
    'file',
    'book_fingerprint',
    'metadata_layer',
  ] as const)
    expect([
      table,
      await db.read
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .execute(),
    ]).toEqual([table, [{ n: 0 }]])
  expect((await admin.call(api.deleteLibrary, call)).status).toBe(404)
})

test('L2 a glance at the libraries tells their counts, what is unread and a few covers, as far as one sees them', async () => {
  await using server = await startServer()
  const { db } = server.context
  const manga = await addLibrary(db)
  const comics = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  await addLibrary(db, { name: 'Empty', path: '/data/empty' })
  const letters = await addManySeries(
    db,
    manga,
    ['E', 'D', 'C', 'B', 'A'].map((title) => ({ title })),
  )
  const adult = await addSeries(db, comics, { title: 'Adult', age_rating: 18 })
  const mixed = await addSeries(db, comics, { title: 'Mixed', age_rating: null })
  const books: string[] = []
  for (const series of letters) books.push(...(await addBooks(db, series, [{}, {}])))
  await addBooks(db, adult, [{ age_rating: 18 }])
  const [plain = ''] = await addBooks(db, mixed, [{}, { age_rating: 18 }])

  const admin = await server.person('admin')
  const reader = await server.person('reader', { access: { ageCeiling: 16, includeUnrated: true } })
  for (const id of [books[0] ?? '', plain]) bodyOf(await reader.call(api.markBookRead, { params: { id } }))
  bodyOf(await admin.call(api.markBookRead, { params: { id: plain } }))

  const glance = async (person: typeof admin) =>
    bodyOf(await person.call(api.glanceAtLibraries, {})).libraries.map(
      ({ name, seriesCount, bookCount, unreadCount, covers }) => [
        name,
        seriesCount,
        bookCount,
        unreadCount,
        covers.map(({ seriesId }) => [...letters, adult, mixed].find(({ id }) => id === seriesId)?.title),
      ],
    )
  expect(await glance(admin)).toEqual([
    ['Comics', 2, 3, 2, ['Adult', 'Mixed']],
    ['Empty', 0, 0, 0, []],
    ['Manga', 5, 10, 10, ['A', 'B', 'C', 'D']],
  ])
  expect(await glance(reader)).toEqual([
    ['Comics', 1, 1, 0, ['Mixed']],
    ['Empty', 0, 0, 0, []],
    ['Manga', 5, 10, 9, ['A', 'B', 'C', 'D']],
  ])
})
