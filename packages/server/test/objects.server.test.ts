import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tinyJpeg } from './books/pictures.ts'
import { download, made } from './exporting.ts'
import { movableClock, minute, second } from './movable-clock.ts'
import { allOf, startObjectStore, type TestStore } from './object-store.ts'
import { bodyOf } from './outcome.ts'
import { fillShelf, type Shelf } from './shelf.ts'
import { waitUntil } from './smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from './start-server.ts'
import { ask, book, colourOf, plain, thumbnail } from './thumbnails.ts'
import { workOn } from './work.ts'
import { writeEverything } from '../src/features/backups/backups.ts'
import { coverStore, requestCovers } from '../src/features/covers/covers.ts'
import { cleanUpCovers, makeCovers } from '../src/features/covers/tasks.ts'
import { enqueue } from '../src/tasks/queue.ts'
import { folderStore } from '../src/platform/objects/folder.ts'
import { bucketAt, StoreAway } from '../src/platform/objects/objects.ts'

/** Two nodes with one database and one bucket, and a data directory each. */
let store: TestStore
let one: TestServer
let two: TestServer
let shelf: Shelf
let reader: Person
const { clock, pass } = movableClock(new Date().toISOString())

beforeAll(async () => {
  store = await startObjectStore()
  one = await startServer({ env: store.env, clock })
  two = await startServer({ env: store.env, clock, address: one.context.config.database })
  shelf = await fillShelf(one)
  reader = await one.person('reader')
})
beforeEach(() => {
  store.mood = 'well'
})
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
})

let books = 0
const addBook = async (colour: string): Promise<string> =>
  shelf.addBook(`${(books += 1)}.cbz`, book(await plain(colour, 60 + books, 90)))

const waitingTask = (type: string) =>
  one.context.db.read
    .selectFrom('task')
    .select(['attempts', 'scheduled_for'])
    .where('type', '=', type)
    .where('status', '=', 'pending')
    .executeTakeFirst()

const coversToMake = (id: string) =>
  one.context.db.read.selectFrom('cover_wanted').select('book_id').where('book_id', '=', id).execute()

const foldersOf = ({ context }: TestServer): Promise<string[]> => readdir(context.config.dataDir)

/** After a rest, the first question goes to a store that has failed. */
const isServed = (server: TestServer, id: string) =>
  waitUntil('the picture', async () => {
    const reply = await ask(server, reader, `/api/v1/books/${id}/thumbnail`)
    return reply.status === 200 && reply
  })

test('LIB-8 a cover that one node makes is in the bucket alone, and another node serves it, asking for it once', async () => {
  const id = await addBook('#ff0000')
  await one.context.db.write((db) => requestCovers(db, [id], clock()))
  {
    await using _ = workOn(one, [makeCovers])
    await waitUntil('the cover', async () => (await coversToMake(id)).length === 0)
  }
  expect(await foldersOf(one)).not.toContain('covers')
  const before = store.requests.length
  const served = await thumbnail(two, reader, 'books', id)
  expect([served.status, served.colour]).toEqual([200, 'red'])
  const requests = store.requests.slice(before)
  expect(requests).toEqual([
    expect.stringMatching(/^GET \/carrel\/of-tests\/covers\/..\/..\/[0-9a-f]{40}\.small\.jpg$/),
  ])

  const again = await thumbnail(two, reader, 'books', id)
  expect(again.bytes.equals(served.bytes)).toBe(true)
  const etag = served.headers.get('etag') ?? ''
  const unchanged = await ask(two, reader, `/api/v1/books/${id}/thumbnail`, { 'if-none-match': etag })
  expect(unchanged.status).toBe(304)
  expect(store.requests.length - before).toBe(1)
  expect((await ask(two, { accessToken: 'nobody' }, `/api/v1/books/${id}/thumbnail`)).status).toBe(401)
})

test('a picture that cannot be had now is 503, and no plain one: what is asked for when the store is back is there', async () => {
  const [made, unmade] = [await addBook('#00ff00'), await addBook('#0000ff')]
  await thumbnail(one, reader, 'books', made)
  store.mood = 'gone'
  for (const id of [made, unmade]) {
    const away = await ask(two, reader, `/api/v1/books/${id}/thumbnail`)
    expect([away.status, away.headers.get('retry-after'), away.headers.get('etag')]).toEqual([503, '5', null])
  }
  expect((await fetch(`${two.url}/health/ready`)).status).toBe(200)
  const faults = await one.context.db.read.selectFrom('cover_fault').select('book_id').execute()
  expect(faults).toEqual([])

  store.mood = 'well'
  expect(await colourOf((await isServed(two, made)).bytes)).toBe('green')
  expect(await colourOf((await isServed(two, unmade)).bytes)).toBe('blue')
})

test('TSK-2 covers that cannot be stored stay in their queue, are no failure, and are made when the store is back', async () => {
  const id = await addBook('#ff0000')
  store.mood = 'gone'
  await one.context.db.write((db) => requestCovers(db, [id], clock()))
  await using _ = workOn(one, [makeCovers])
  const putOff = await waitUntil('a task that waits', async () => {
    const task = await waitingTask('make_covers')
    return task && task.scheduled_for > clock().toISOString() && task
  })
  expect(Date.parse(putOff.scheduled_for) - clock().getTime()).toBe(30 * second)
  expect(putOff.attempts).toBe(0)
  expect(await coversToMake(id)).toHaveLength(1)

  store.mood = 'well'
  await waitUntil('the cover', async () => {
    pass(minute)
    return (await coversToMake(id)).length === 0
  })
  expect(await colourOf((await isServed(two, id)).bytes)).toBe('red')
})

test('C16 an export that one node has made is fetched from another, as a whole and in parts, and is removed there', async () => {
  const body = { format: 'csv', fields: ['series_name', 'year'] } as const
  const { id } = bodyOf(await reader.call(api.createSeriesExport, { body: structuredClone(body) as never }))
  expect(await made(one, reader, id)).toMatchObject({ status: 'completed' })
  const [here, there] = [await download(one, reader, id), await download(two, reader, id)]
  const text = await there.text()
  expect(text).toContain('series_name,year')
  expect(await here.text()).toBe(text)
  expect(await (await download(two, reader, id, { range: 'bytes=7-10' })).text()).toBe(text.slice(7, 11))

  store.mood = 'gone'
  expect((await download(two, reader, id)).status).toBe(503)
  store.mood = 'well'
  await waitUntil('the store', async () => (await download(two, reader, id)).status === 200)
  const exportsIn = () => allOf(bucketAt(store.address).list('exports'))
  expect(await exportsIn()).toHaveLength(1)
  await reader.call(api.removeSeriesExport, { params: { id } })
  expect(await exportsIn()).toEqual([])
})

test('C26 what is written out has the covers that somebody gave, from the bucket, and is not written without them', async () => {
  const id = await addBook('#ff0000')
  const editor = await one.person('editor')
  const body = new Uint8Array(await plain('#0000ff', 300, 400))
  bodyOf(await editor.call(api.uploadBookCover, { params: { id }, body }))
  const { database: address, dataDir } = one.context.config
  const write = (folder: string, objectStore = store.address) =>
    writeEverything(
      { address, dataDir, objectStore: { ...objectStore }, folder: join(dataDir, folder), program: '0.0.0-test' },
      { log: one.context.log, clock, onProgress: () => undefined },
    )
  expect((await write('whole')).pictures.count).toBe(1)
  store.mood = 'gone'
  await expect(write('away')).rejects.toThrow(StoreAway)
  expect(await foldersOf(one)).not.toContain('away')
  const refused = await editor.call(api.uploadBookCover, { params: { id }, body })
  expect(refused.status).toBe(503)
  store.mood = 'well'
  const listed = bodyOf(await editor.call(api.listBookCovers, { params: { id } }))
  expect(listed.filter(({ source }) => source === 'upload')).toHaveLength(1)
  await isServed(one, id)
})

test('pictures of covers from before there was a bucket are shown from the data directory', async () => {
  const { dataDir } = one.context.config
  const id = await addBook('#00ff00')
  const shown = await thumbnail(one, reader, 'books', id)
  const [object] = (await allOf(bucketAt(store.address).list('covers'))).toSorted(
    (first, second) => second.changedAt.getTime() - first.changedAt.getTime(),
  )
  const { content_hash: name } = await one.context.db.read
    .selectFrom('cover')
    .select('content_hash')
    .where('entity_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(object).toBeDefined()
  const large = await coverStore(one.context.config).get(name, 'large')
  if (!large) throw new Error('There is no large picture')
  await coverStore(one.context.config).remove([name])
  await coverStore({ dataDir }).put({ small: shown.bytes, large })
  const { config } = one.context
  expect(await coverStore(config).get(name, 'small')).toEqual(shown.bytes)
  expect(await coverStore({ ...config, objectStore: undefined }).get(name, 'small')).toEqual(shown.bytes)
  expect(await coverStore(two.context.config).get(name, 'small')).toBeUndefined()
  await coverStore(config).remove([name])
  expect(await allOf(folderStore(dataDir).list('covers'))).toEqual([])
})

test('pictures that no cover shows go from the bucket with the next cleaning, when they are a day old', async () => {
  const id = await addBook('#0000ff')
  await thumbnail(one, reader, 'books', id)
  // Its maker was killed.
  const bytes = tinyJpeg(77)
  const stray = await coverStore(one.context.config).put({ small: bytes, large: bytes })
  const clean = async () => {
    await using _ = workOn(one, [cleanUpCovers])
    const { taskId } = await one.context.db.write((db) =>
      enqueue(db, cleanUpCovers, { byHand: true }, { now: clock() }),
    )
    await waitUntil('its end', async () => {
      const task = await one.context.db.read
        .selectFrom('task')
        .select('status')
        .where('id', '=', taskId)
        .executeTakeFirst()
      return task?.status === 'completed'
    })
  }
  await clean()
  expect(await coverStore(one.context.config).get(stray, 'small')).toEqual(bytes)
  pass(48 * 60 * minute)
  await clean()
  expect(await coverStore(one.context.config).get(stray, 'small')).toBeUndefined()
  expect(await coverStore(one.context.config).get(stray, 'large')).toBeUndefined()
  const { content_hash: hash } = await one.context.db.read
    .selectFrom('cover')
    .select('content_hash')
    .where('entity_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await coverStore(one.context.config).get(hash, 'small')).toBeDefined()
})

test('neither key of the store is in any line of the log', () => {
  const lines = JSON.stringify([one.logLines, two.logLines])
  expect(lines).not.toContain(store.address.secretKey)
  expect(lines).not.toContain('AWS4-HMAC-SHA256')
})
