import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { recountLibrary } from './queries.ts'

/** Folders on the disk, made anew for each test. */
const makeFolders = async (...names: string[]) => {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'carrel-folders-')))
  for (const name of names) await mkdir(join(path, name), { recursive: true })
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

test('C8 what a library cannot be made of is refused with where and why', async () => {
  await using server = await startServer()
  await using folders = await makeFolders('a/inner', 'b')
  await writeFile(join(folders.path, 'file'), '')
  const editor = await server.person('editor')
  const a = join(folders.path, 'a')
  const { dataDir } = server.context.config
  const cases: readonly [object, string][] = [
    [{ roots: [] }, '/roots'],
    [{}, '/roots'],
    [{ path: a, roots: [a] }, '/path'],
    [{ roots: ['manga'] }, '/roots/0'],
    [{ path: '../manga' }, '/path'],
    [{ roots: [a, join(folders.path, 'missing')] }, '/roots/1'],
    [{ roots: [join(folders.path, 'file')] }, '/roots/0'],
    [{ roots: [join(folders.path, 'file', 'x')] }, '/roots/0'],
    [{ roots: [a, join(a, 'inner')] }, '/roots/1'],
    [{ roots: [a, `${a}/../a`] }, '/roots/1'],
    [{ roots: [dataDir] }, '/roots/0'],
    [{ roots: [join(dataDir, '..')] }, '/roots/0'],
    [{ roots: ['/'] }, '/roots/0'],
    [{ path: a, name: '  ' }, '/name'],
    [{ path: a, exclude: ['*'] }, '/exclude/0'],
    [{ path: a, exclude: ['ok', '[x'] }, '/exclude/1'],
    [{ path: a, schedule: { cron: '0 4 * *', timeZone: 'UTC' } }, '/schedule/cron'],
    [{ path: a, schedule: { cron: '0 4 * * *', timeZone: 'Mars/Base' } }, '/schedule/timeZone'],
    [{ path: a, grouping: { policy: 'by_moon' } }, '/grouping/policy'],
    [{ path: a, formats: ['docx'] }, '/formats/0'],
    [{ path: a, formats: [] }, '/formats'],
    [{ path: a, roots: Array.from({ length: 21 }, () => a) }, '/roots'],
  ]
  for (const [more, path] of cases) {
    const { status, json } = await plainRequest(`${server.url}/api/v1/libraries`, {
      method: 'POST',
      headers: { authorization: `Bearer ${editor.accessToken}` },
      body: { name: 'Manga', ...more },
    })
    expect([more, status, json]).toMatchObject([more, 400, { error: 'validation_failed', details: [{ path }] }])
  }
  expect(bodyOf(await editor.call(api.listLibraries, {})).total).toBe(0)
})

test('C8 a root that is a link is kept as what it leads to, and roots stay where they are allowed', async () => {
  await using folders = await makeFolders('allowed/manga', 'elsewhere')
  const path = (name: string) => join(folders.path, name)
  await using server = await startServer({ env: { CARREL_LIBRARY_ROOTS: path('allowed') } })
  await symlink(path('allowed/manga'), path('link'))
  await symlink(path('elsewhere'), path('allowed/out'))
  const editor = await server.person('editor')
  const create = (root: string) => editor.call(api.createLibrary, { body: { name: 'Manga', path: root } })

  expect(errorOf(await create(path('elsewhere')))).toMatchObject({ error: 'validation_failed' })
  expect(errorOf(await create(path('allowed/out')))).toMatchObject({ error: 'validation_failed' })
  expect(errorOf(await create(path('allowed/../elsewhere')))).toMatchObject({ error: 'validation_failed' })
  expect(bodyOf(await create(path('link'))).roots).toEqual([path('allowed/manga')])
})

test('C8 another grouping needs the preview of what it would move', async () => {
  await using server = await startServer()
  const editor = await server.person('editor')
  const { id } = await addLibrary(server.context.db)
  const change = (grouping: object, confirmPreview?: string) =>
    editor.call(api.updateLibrary, { params: { id }, body: { grouping, ...(confirmPreview && { confirmPreview }) } })

  expect(errorOf(await change({ policy: 'flat' }))).toMatchObject({ error: 'conflict' })
  expect(errorOf(await change({ policy: 'flat' }, id))).toMatchObject({ error: 'conflict' })
  expect(bodyOf(await change({ policy: 'folder' })).grouping).toEqual({ policy: 'folder', config: {} })
  expect(bodyOf(await change({ config: {} })).grouping).toEqual({ policy: 'folder', config: {} })
})

test('C21 a policy is kept with what it needs, and what it cannot use is refused with where and why', async () => {
  await using server = await startServer()
  await using folders = await makeFolders('a')
  const editor = await server.person('editor')
  const create = (name: string, grouping: object) =>
    editor.call(api.createLibrary, { body: { name, path: join(folders.path, 'a'), grouping, scanNow: false } })
  const refusals: readonly [object, string, RegExp][] = [
    [
      { policy: 'publisher_folders', config: { levels: ['publisher', 'volume'] } },
      'levels',
      /Exactly one of the levels must be series/,
    ],
    [
      { policy: 'publisher_folders', config: { levels: ['series', 'series'] } },
      'levels',
      /Exactly one of the levels must be series/,
    ],
    [
      { policy: 'publisher_folders', config: { levels: ['author', 'author', 'series'] } },
      'levels',
      /Only one .* author/,
    ],
    [{ policy: 'publisher_folders', config: { levels: [] } }, 'levels', /./],
    [{ policy: 'publisher_folders', config: { levels: ['shelf', 'series'] } }, 'levels/0', /./],
    [{ policy: 'flat', config: { levels: ['series'] } }, 'levels', /for publisher_folders, not for flat/],
    [{ policy: 'custom' }, 'pattern', /a pattern says what a path is/],
    [{ policy: 'custom', config: { pattern: '(?<series>[^/]+' } }, 'pattern', /cannot be read/],
    [{ policy: 'custom', config: { pattern: `(?<series>a)${'b'.repeat(1000)}` } }, 'pattern', /./],
    [{ config: { pattern: '(?<series>a)' } }, 'pattern', /for custom, not for folder/],
  ]
  for (const [grouping, field, message] of refusals) {
    const details = [{ path: `/grouping/config/${field}`, message: expect.stringMatching(message) }]
    const refusal = errorOf(await create('Refused', grouping))
    expect([grouping, refusal]).toMatchObject([grouping, { error: 'validation_failed', details }])
  }

  const levels = { policy: 'publisher_folders', config: { levels: ['author', 'skip', 'skip', 'series'] } }
  const { id } = bodyOf(await create('Comics', levels))
  const groupingNow = async () => bodyOf(await editor.call(api.readLibrary, { params: { id } })).grouping
  expect(await groupingNow()).toEqual(levels)
  const change = async (grouping: api.LibraryPatch['grouping'] & object) => {
    const { previewId } = bodyOf(await editor.call(api.previewLibrary, { params: { id }, body: { grouping } }))
    const body = { grouping, confirmPreview: previewId }
    return bodyOf(await editor.call(api.updateLibrary, { params: { id }, body })).grouping
  }
  const pattern = '^(?<series>[^/]+)/'
  expect(await change({ policy: 'custom', config: { pattern } })).toEqual({ policy: 'custom', config: { pattern } })
  const other = `${pattern}(?<number>\\d+)`
  expect(await change({ config: { pattern: other } })).toEqual({ policy: 'custom', config: { pattern: other } })
  // What was said for one policy says nothing to another.
  expect(await change({ policy: 'publisher_folders' })).toEqual({
    policy: 'publisher_folders',
    config: { levels: ['publisher', 'series'] },
  })
  expect(await change({ policy: 'metadata' })).toEqual({ policy: 'metadata', config: {} })
})

test('HTTP-6 an edit of a library that has changed meanwhile is refused', async () => {
  await using server = await startServer()
  const editor = await server.person('editor')
  const { id } = await addLibrary(server.context.db)
  const { headers } = await editor.call(api.readLibrary, { params: { id } })
  const guarded = server.callWith({
    authorization: `Bearer ${editor.accessToken}`,
    'if-match': headers.get('etag') ?? '',
  })

  bodyOf(await guarded(api.updateLibrary, { params: { id }, body: { watch: true } }))
  expect(errorOf(await guarded(api.updateLibrary, { params: { id }, body: { watch: false } }))).toMatchObject({
    error: 'precondition_failed',
  })
})

test('HTTP-6 C21 what a scan counts meanwhile refuses no edit of a library', async () => {
  await using server = await startServer()
  const editor = await server.person('editor')
  const library = await addLibrary(server.context.db)
  const { id } = library
  const before = await editor.call(api.readLibrary, { params: { id } })
  await addBooks(server.context.db, await addSeries(server.context.db, library), [{}, {}, {}])
  await server.context.db.write((db) => recountLibrary(db, id, '2026-11-24T00:00:00.000Z'))
  const after = await editor.call(api.readLibrary, { params: { id } })
  expect(bodyOf(after)).toMatchObject({ bookCount: 3, lastScannedAt: '2026-11-24T00:00:00.000Z' })
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))

  const guarded = (etag: string | null) =>
    editor.call(api.updateLibrary, { params: { id }, body: { watch: true } }, { headers: { 'if-match': etag ?? '' } })
  const changed = await guarded(before.headers.get('etag'))
  expect(changed.status).toBe(200)
  expect((await guarded(after.headers.get('etag'))).status).toBe(412)
  expect((await guarded(changed.headers.get('etag'))).status).toBe(200)
})

test('W17 folders of the server are told to those who manage libraries and to nobody else', async () => {
  await using server = await startServer()
  const { id } = await addLibrary(server.context.db, { path: '/secret/place' })
  const library = { id, rootId: '', name: 'Manga', path: '/secret/place' }
  const reader = await server.person('reader')
  const { rootId } = await rootOf(server, id)
  const [book = ''] = await addBooks(server.context.db, await addSeries(server.context.db, { ...library, rootId }), [
    {},
  ])
  const { seriesId } = bodyOf(await reader.call(api.readBook, { params: { id: book } }))

  for (const path of ['libraries', `libraries/${id}`, 'series', `series/${seriesId}`, 'books', `books/${book}`]) {
    const ask = async (token: string) => {
      const reply = await plainRequest(`${server.url}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return JSON.stringify(reply.json)
    }
    expect([path, await ask(reader.accessToken)]).toEqual([path, expect.not.stringContaining('secret')])
    expect([path, await ask((await server.person('editor')).accessToken)]).toEqual([
      path,
      expect.stringContaining('/secret/place'),
    ])
  }
})

const rootOf = async ({ context: { db } }: TestServer, libraryId: string) => {
  const { id } = await db.read
    .selectFrom('library_root')
    .select('id')
    .where('library_id', '=', libraryId)
    .executeTakeFirstOrThrow()
  return { rootId: id }
}

test('folders are listed to choose from: only folders, in natural order, links as links', async () => {
  await using folders = await makeFolders('allowed/Vol 10', 'allowed/Vol 2/inner', 'allowed/.hidden', 'elsewhere')
  const path = (name: string) => join(folders.path, name)
  await writeFile(path('allowed/file.cbz'), '')
  await symlink(path('elsewhere'), path('allowed/way out'))
  await symlink(path('allowed/Vol 2'), path('allowed/inside'))
  await symlink(path('nowhere'), path('allowed/broken'))
  await mkdir(Buffer.concat([Buffer.from(path('allowed/')), Buffer.from([0xff, 0x41])]))
  await using server = await startServer({ env: { CARREL_LIBRARY_ROOTS: path('allowed') } })
  const editor = await server.person('editor')

  const { entries, ...rest } = bodyOf(await editor.call(api.browseFileSystem, {}))
  expect(rest).toEqual({ currentPath: path('allowed'), parentPath: null, truncated: false })
  expect(entries.map(({ name, isDirectory, isLink }) => [name, isDirectory, isLink])).toEqual([
    ['broken', false, true],
    ['\uFFFDFFA', true, false],
    ['.hidden', true, false],
    ['inside', true, true],
    ['Vol 2', true, false],
    ['Vol 10', true, false],
    ['way out', false, true],
  ])
  expect(bodyOf(await editor.call(api.browseFileSystem, { query: { path: path('allowed/Vol 2/') } }))).toEqual({
    currentPath: path('allowed/Vol 2'),
    parentPath: path('allowed'),
    entries: [{ name: 'inner', path: path('allowed/Vol 2/inner'), isDirectory: true, isReadable: true, isLink: false }],
    truncated: false,
  })
  expect(
    bodyOf(await editor.call(api.browseFileSystem, { query: { path: path('allowed/\uFFFDFFA') } })).entries,
  ).toEqual([])
  expect(bodyOf(await editor.call(api.listDrives, {}))).toMatchObject([{ path: path('allowed'), isDirectory: true }])
  for (const outside of ['elsewhere', 'allowed/way out', 'allowed/../elsewhere', '.'])
    expect(errorOf(await editor.call(api.browseFileSystem, { query: { path: path(outside) } }))).toMatchObject({
      error: 'not_allowed',
    })
  for (const missing of ['allowed/missing', 'allowed/file.cbz', 'allowed/broken'])
    expect([
      missing,
      errorOf(await editor.call(api.browseFileSystem, { query: { path: path(missing) } })).error,
    ]).toEqual([missing, 'not_found'])
  expect((await editor.call(api.browseFileSystem, { query: { path: 'allowed' } })).status).toBe(400)
})

test('without a limit folders are looked for from the top on', async () => {
  await using server = await startServer()
  const editor = await server.person('editor')

  const top = bodyOf(await editor.call(api.browseFileSystem, {}))
  expect(top).toMatchObject({ currentPath: '/', parentPath: null })
  expect(top.entries.map(({ path }) => path)).toContain('/usr')
  expect(bodyOf(await editor.call(api.listDrives, {})).map(({ path }) => path)).toContain('/')
})
