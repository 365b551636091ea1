import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comic, libraryFolder, type LibraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { catalogueOf, readSidecarsOn, writeSidecarsOf } from '../../../test/sidecars.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { enqueue } from '../../tasks/queue.ts'
import { changeMetadata, readStates } from '../editing/editing.ts'
import { readSidecarsOf, writeAllSidecars } from './tasks.ts'

let server: TestServer
let folder: LibraryFolder
let library = ''
let sidecars = ''

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  await folder.write('Saga (2012)/Saga 001.cbz', comic({ seed: 1, comicInfo: true }))
  await folder.write('Saga (2012)/Saga 002.cbz', comic({ seed: 2 }))
  await folder.write(`Long/${'é'.repeat(110)}.cbz`, comic({ seed: 3 }))
  library = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, library)
  await sayThings(server)
  sidecars = await mkdtemp(join(tmpdir(), 'carrel-sidecars-'))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await rm(sidecars, { recursive: true, force: true })
})

/** People and a plugin speak, of books and of a series, and some of it is locked. */
const sayThings = async ({ context: { db } }: TestServer): Promise<void> => {
  const editor = await server.person('editor')
  const books = await booksOf(server, library)
  const [one, two] = ['001', '002'].map((number) => books.get(`Saga (2012)/Saga ${number}.cbz`))
  const [id = '', other = '', seriesId = ''] = [one?.id, two?.id, one?.series_id]
  const body = {
    title: 'Said by hand',
    genres: ['Fantasy', 'War'],
    summary: null,
    authors: [{ name: 'Ann', role: 'writer', sortName: null }],
    externalLinks: [{ source: 'example', url: 'https://example.org/1' }],
    externalIds: [{ source: 'comicvine', id: null }],
    customMetadata: { shelf: 3 },
    titleLock: true,
    publisherLock: true,
    coverLock: true,
  }
  await editor.call(api.editBookMetadata, { params: { id }, body })
  await editor.call(api.editSeriesMetadata, {
    params: { id: seriesId },
    body: { title: 'The Saga', status: 'ended', ageRating: 13 },
  })
  const now = new Date()
  const word = { value: 'Told by a plugin', at: now.toISOString(), by: null }
  await db.write(async (db) => {
    const subjects = await readStates(db, 'book', [other], now)
    const decide = () => (state: { readonly words: object }) =>
      ({ ...state.words, 'plugin:teller': { summary: word } }) as never
    await changeMetadata(db, 'book', { subjects, decide }, { by: null, source: 'plugin:teller', reason: 'plugin', now })
  })
}

const write = () => writeSidecarsOf(server, sidecars)

test('C26 an empty server pointed at the same folders and at the sidecars has the same catalogue', async () => {
  expect(await write()).toMatchObject({ unchanged: 0, inTheWay: 0 })
  await using other = await startServer()
  const editor = await other.person('editor')
  await scanNow(other, await addLibraryOn(other, { roots: [folder.path] }))
  const before = await catalogueOf(editor)
  const ours = await catalogueOf(await server.person('editor'))
  expect(before).not.toEqual(ours)

  expect(await readSidecarsOn(other, sidecars)).toMatchObject({ applied: 3, unknown: 0, unreadable: 0 })
  expect(await catalogueOf(editor)).toEqual(ours)
  // A second run changes nothing.
  expect(await readSidecarsOn(other, sidecars)).toMatchObject({ applied: 0, unknown: 0 })
  expect(await catalogueOf(editor)).toEqual(ours)
})

test('C26 a server that finds sidecars in its data folder says again by itself what they say, once', async () => {
  await using other = await startServer()
  const there = join(other.context.config.dataDir, 'sidecars')
  await writeSidecarsOf(server, there)
  const editor = await other.person('editor')
  const id = await addLibraryOn(other, { roots: [folder.path] })
  await scanNow(other, id)
  await using _ = workOn(other, [readSidecarsOf])
  const ours = await catalogueOf(await server.person('editor'))
  await expect.poll(() => catalogueOf(editor)).toEqual(ours)

  const book = (await booksOf(other, id)).get('Saga (2012)/Saga 001.cbz')?.id ?? ''
  const unlocked = { titleLock: false, publisherLock: false, coverLock: false }
  await editor.call(api.editBookMetadata, { params: { id: book }, body: unlocked })
  for (const field of ['title', 'genres', 'summary', 'authors', 'externalLinks', 'externalIds', 'customMetadata'])
    await editor.call(api.takeBackBookField, { params: { id: book, field } })
  await folder.write('Saga (2012)/Saga 003.cbz', comic({ seed: 4 }))
  await scanNow(other, id)
  const reads = async () =>
    bodyOf(await (await other.person('admin')).call(api.listTasks, { query: { taskType: 'read_sidecars' } })).data
  expect((await reads()).map(({ status }) => status)).toEqual(['completed'])
  expect(bodyOf(await editor.call(api.readBook, { params: { id: book } })).metadata.title).not.toBe('Said by hand')
  await rm(folder.in('Saga (2012)/Saga 003.cbz'))
})

test('C26 books that lie elsewhere by now are known by their content, and nothing said there is written over', async () => {
  await write()
  await using moved = await libraryFolder()
  await moved.write('X/a.cbz', await readFile(folder.in('Saga (2012)/Saga 001.cbz')))
  await moved.write('X/b.cbz', await readFile(folder.in('Saga (2012)/Saga 002.cbz')))
  await using other = await startServer()
  const editor = await other.person('editor')
  const there = await addLibraryOn(other, { roots: [moved.path] })
  await scanNow(other, there)
  const books = await booksOf(other, there)
  const [one, two] = [books.get('X/a.cbz')?.id ?? '', books.get('X/b.cbz')?.id ?? '']
  await editor.call(api.editBookMetadata, { params: { id: two }, body: { title: 'Said here' } })

  expect(await readSidecarsOn(other, sidecars)).toMatchObject({ applied: 2, unknown: 2 })
  const titles = await Promise.all(
    [one, two].map(async (id) => bodyOf(await editor.call(api.readBook, { params: { id } })).metadata),
  )
  expect(titles.map(({ title, summary }) => [title, summary])).toEqual([
    ['Said by hand', null],
    ['Said here', null],
  ])
})

const filesBelow = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('C26 only what says something else is written, nothing is left half, and a file that is not ours stays', async () => {
  await write()
  expect(await write()).toMatchObject({ written: 0, inTheWay: 0 })
  const files = await filesBelow(sidecars)
  expect(files.every((path) => path.endsWith('.carrel.json'))).toBe(true)
  const [taken = ''] = files.filter((path) => path.includes('Saga 001'))
  await writeFile(taken, 'the notes of somebody')
  expect(await write()).toMatchObject({ written: 0, inTheWay: 1 })
  expect(await readFile(taken, 'utf8')).toBe('the notes of somebody')
  expect(await readSidecarsOn(server, sidecars)).toMatchObject({ unreadable: 1 })
  await rename(taken, `${taken}.old`)
  await rm(`${taken}.old`)
  expect(await write()).toMatchObject({ written: 1, inTheWay: 0 })
})

test('C26 a sidecar cannot say what nobody could say', async () => {
  await using strange = await libraryFolder()
  await strange.write('A/one.cbz', comic({ seed: 9 }))
  await using other = await startServer()
  const editor = await other.person('editor')
  const there = await addLibraryOn(other, { roots: [strange.path] })
  await scanNow(other, there)
  const id = (await booksOf(other, there)).get('A/one.cbz')?.id ?? ''
  const layers = {
    user: {
      title: { value: 'Fine' },
      genres: { value: 'no list' },
      year: { value: 'soon' },
      constructor: { value: 1 },
      authors: { value: [{ name: 7 }] },
      publisher: { value: 'x'.repeat(5000) },
    },
    'file:comicinfo': { summary: { value: 'from nowhere' } },
    lock: { cover: { value: 'a picture' } },
  }
  const location = { root: strange.path, path: 'A/one.cbz', contentHash: null }
  const sidecar = {
    carrel: 'sidecar',
    version: 1,
    kind: 'book',
    library: '',
    books: [location],
    shown: {},
    said: layers,
  }
  await strange.write('given/x.carrel.json', JSON.stringify(sidecar))
  await strange.write('given/y.carrel.json', '{ "carrel": "sidecar" }')

  expect(await readSidecarsOn(other, strange.in('given'))).toEqual({
    applied: 1,
    put: 0,
    left: 0,
    unknown: 0,
    unreadable: 1,
  })
  const { fields } = bodyOf(await editor.call(api.readBookMetadataSources, { params: { id } }))
  expect(Object.keys(fields).filter((field) => fields[field]?.values.some(({ source }) => source === 'user'))).toEqual([
    'title',
  ])
})

test('C26 a library has its sidecars written as what is said changes, beside its books only where that is allowed', async () => {
  await using beside = await libraryFolder()
  await beside.write('A/one.cbz', comic({ seed: 21 }))
  await beside.write('A/two.cbz', comic({ seed: 22 }))
  await using own = await startServer()
  const admin = await own.person('admin')
  const id = await addLibraryOn(own, { roots: [beside.path] })
  await scanNow(own, id)
  const choose = (target: api.SidecarTarget) =>
    admin.call(api.updateLibrary, { params: { id }, body: { sidecars: target } })
  const run = async () => {
    await using _ = workOn(own, [writeAllSidecars])
    const { taskId } = await own.context.db.write((db) =>
      enqueue(db, writeAllSidecars, { byHand: true }, { now: new Date() }),
    )
    await expect
      .poll(async () => bodyOf(await admin.call(api.readTask, { params: { id: taskId } })).status)
      .toBe('completed')
    return bodyOf(await admin.call(api.readTask, { params: { id: taskId } })).result
  }
  const names = async () => (await filesBelow(beside.path)).map((path) => path.slice(beside.path.length + 1)).toSorted()
  const before = await names()

  expect(bodyOf(await admin.call(api.readLibrary, { params: { id } })).sidecars).toBe('none')
  expect(errorOf(await choose('beside'))).toMatchObject({
    error: 'validation_failed',
    details: [{ path: '/sidecars' }],
  })
  expect(await run()).toMatchObject({ written: 0 })
  await choose('data')
  expect(await run()).toMatchObject({ written: 3 })
  expect(await names()).toEqual(before)
  expect(await filesBelow(join(own.context.config.dataDir, 'sidecars'))).toHaveLength(3)

  await admin.call(api.saveSetting, { params: { key: 'sidecars.beside_allowed' }, body: { value: true } })
  expect(bodyOf(await choose('beside')).sidecars).toBe('beside')
  expect(await run()).toMatchObject({ written: 3, refused: 0 })
  const bytes = await readFile(beside.in('A/one.cbz'))
  const series = (await names()).find((name) => name.includes('series-')) ?? ''
  expect(await names()).toEqual([...before, 'A/one.cbz.carrel.json', 'A/two.cbz.carrel.json', series].toSorted())
  expect(await run()).toMatchObject({ written: 0 })
  const book = (await booksOf(own, id)).get('A/one.cbz')?.id ?? ''
  await admin.call(api.editBookMetadata, { params: { id: book }, body: { title: 'Said now' } })
  expect(await run()).toMatchObject({ written: 1 })
  expect(await readFile(beside.in('A/one.cbz.carrel.json'), 'utf8')).toContain('Said now')
  expect(await readFile(beside.in('A/one.cbz'))).toEqual(bytes)
  // No book, and nothing that is read by a scan.
  expect(await scanNow(own, id)).toMatchObject({ books_added: 0, books_updated: 0, files_total: 2 })
})
