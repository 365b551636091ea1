import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jpeg, tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { requireSmallDisks, smallDisk } from '../../../test/small-disk.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { requestCovers } from './covers.ts'
import { enqueue } from '../../tasks/queue.ts'
import { selectSubjects } from './queries.ts'
import { recordCovers } from './record-covers.ts'
import { renewCovers } from './renew-covers.ts'
import { coverStore } from './store.ts'
import { cleanUpCovers, makeCovers } from './tasks.ts'
import { plain, book, ask, colourOf, thumbnail, hugePng, chosen, sizeOf, strip } from '../../../test/thumbnails.ts'

/** Most of the tests touch their own books alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const bookRow = (server: TestServer, id: string) =>
  server.context.db.read.selectFrom('book').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** It makes all covers that are wanted, as the worker does. */
const runTask = async (server: TestServer, ids: readonly string[]): Promise<void> => {
  await using _ = workOn(server, [makeCovers])
  await server.context.db.write((db) => requestCovers(db, ids, new Date()))
  await expect
    .poll(() => server.context.db.read.selectFrom('task').select('status').execute())
    .toEqual([{ status: 'completed' }])
}

test('LIB-8 a cover is made when it is first asked for, in two sizes, and kept under its version', async () => {
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: jpeg({ width: 1200, height: 1800 }) }]))
  const reader = await server.person('reader')

  const [small, same] = await Promise.all([
    thumbnail(server, reader, 'books', id),
    thumbnail(server, reader, 'books', id),
  ])
  expect(small).toMatchObject({ status: 200, width: 267, height: 400, format: 'jpeg', space: 'srgb' })
  expect(same.bytes.equals(small.bytes)).toBe(true)
  expect(await thumbnail(server, reader, 'books', id, '?size=large')).toMatchObject({ width: 533, height: 800 })
  const { cover_version, placeholder } = await bookRow(server, id)
  expect([cover_version, placeholder?.length]).toEqual([1, expect.any(Number)])
  expect(small.headers.get('cache-control')).toBe('private, no-cache')
  const versioned = await ask(server, reader, `/api/v1/books/${id}/thumbnail?v=1`)
  expect(versioned.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  const etag = small.headers.get('etag') ?? ''
  expect((await ask(server, reader, `/api/v1/books/${id}/thumbnail`, { 'if-none-match': etag })).status).toBe(304)

  // A picture that is gone from the disk is made again.
  await rm(join(server.context.config.dataDir, 'covers'), { recursive: true })
  expect((await thumbnail(server, reader, 'books', id)).bytes.equals(small.bytes)).toBe(true)
})

test('P-2 a picture that a power cut has left empty or cut short is made again', async () => {
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: jpeg({ width: 300, height: 500 }) }]))
  const reader = await server.person('reader')
  const { bytes, headers } = await thumbnail(server, reader, 'books', id)
  const name = /"([0-9a-f]{40})-small"/.exec(headers.get('etag') ?? '')?.[1] ?? ''
  const file = join(server.context.config.dataDir, 'covers', name.slice(0, 2), name.slice(2, 4), `${name}.small.jpg`)
  for (const size of [0, bytes.length - 100]) {
    await truncate(file, size)
    expect((await thumbnail(server, reader, 'books', id)).bytes.equals(bytes)).toBe(true)
    expect((await readFile(file)).equals(bytes)).toBe(true)
  }
})

test('what stands in for a picture that is gone and cannot be made now is stored by nobody', async () => {
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: jpeg({ width: 300, height: 500 }) }]))
  const reader = await server.person('reader')
  const { bytes } = await thumbnail(server, reader, 'books', id)
  await rm(join(server.context.config.dataDir, 'covers'), { recursive: true })
  await rm(shelf.pathOf('one.cbz'))

  const { headers, bytes: standIn } = await thumbnail(server, reader, 'books', id, '?v=1')
  expect(standIn.equals(bytes)).toBe(false)
  expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'private, no-cache'])
})

test('P-2 a picture that lasts is not replaced by the same one made again', async () => {
  const store = coverStore(server.context.config)
  const picture = { large: tinyJpeg(901), small: tinyJpeg(902) }
  const name = await store.put(picture)
  const fileOf = (size: string): string =>
    join(server.context.config.dataDir, 'covers', name.slice(0, 2), name.slice(2, 4), `${name}.${size}.jpg`)
  const before = await stat(fileOf('large'))

  await store.put(picture, { isLasting: false })
  const after = await stat(fileOf('large'))
  expect(after.ino).toBe(before.ino)
  expect(after.mtimeMs).toBeGreaterThanOrEqual(before.mtimeMs)

  await store.put({ ...picture, small: tinyJpeg(903) }, { isLasting: false })
  expect((await readFile(fileOf('small'))).equals(tinyJpeg(903))).toBe(true)
})

test('P-4 covers that a full disk does not take wait for as long as it is full, and are no failure', async ({
  skip,
}) => {
  requireSmallDisks(skip)
  const { clock, pass } = movableClock()
  await using server = await startServer({ clock })
  const folder = join(server.context.config.dataDir, 'covers')
  await mkdir(folder)
  await using disk = await smallDisk(1, folder)
  await disk.fill()
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', book(await plain('#ff0000', 60, 90)))
  const { db } = server.context
  await db.write((db) => requestCovers(db, [id], clock()))
  await using _ = workOn(server, [makeCovers])
  const waiting = () =>
    db.read
      .selectFrom('task')
      .select(['attempts', 'scheduled_for'])
      .where('status', '=', 'pending')
      .where('scheduled_for', '>', clock().toISOString())
      .executeTakeFirst()
  // More often than a task that fails is tried.
  for (let count = 0; count < 5; count += 1) {
    await expect.poll(waiting).toMatchObject({ attempts: 0 })
    pass(minute)
  }

  await disk.makeRoom()
  await expect
    .poll(async () => {
      pass(minute)
      return (await db.read.selectFrom('task').select('status').execute()).map(({ status }) => status)
    })
    .toEqual(['completed'])
  expect((await readdir(folder, { recursive: true })).some((name) => name.endsWith('.small.jpg'))).toBe(true)
})

test('LIB-4 a picture beside a book stands for it, and one beside several for their series', async () => {
  await using shelf = await fillShelf(server)
  const [red, green, blue] = [
    await plain('#ff0000', 60, 90),
    await plain('#00ff00', 60, 90),
    await plain('#0000ff', 60, 90),
  ]
  const one = await shelf.addBook('one.cbz', book(red))
  await writeFile(shelf.pathOf('Cover.PNG'), green)
  const reader = await server.person('reader')
  expect((await thumbnail(server, reader, 'books', one)).colour).toBe('green')

  const other = await shelf.addSeries({ title: 'Several' })
  const [first, second] = [
    await shelf.addBook('one.cbz', book(red), { series: other }),
    await shelf.addBook('two.cbz', book(red), { series: other }),
  ]
  await writeFile(shelf.pathOf('poster.png', other), green)
  await writeFile(shelf.pathOf('two.png', other), blue)
  expect((await thumbnail(server, reader, 'books', first)).colour).toBe('red')
  expect((await thumbnail(server, reader, 'books', second)).colour).toBe('blue')
  expect((await thumbnail(server, reader, 'series', other.id)).colour).toBe('green')
})

test('HTTP-3 a series shows the first book one may see', async () => {
  await using shelf = await fillShelf(server)
  await shelf.addBook('one.cbz', book(await plain('#ff0000', 60, 90)), { age_rating: 18 })
  await shelf.addBook('two.cbz', book(await plain('#0000ff', 60, 90)), { position_key: '9', age_rating: 6 })
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const reader = await server.person('reader')

  const first = await thumbnail(server, reader, 'series', shelf.series.id)
  expect(first.colour).toBe('red')
  const etag = first.headers.get('etag') ?? ''
  expect((await thumbnail(server, child, 'series', shelf.series.id)).colour).toBe('blue')
  const forged = await ask(server, child, `/api/v1/series/${shelf.series.id}/thumbnail`, { 'if-none-match': etag })
  expect(forged.status).toBe(200)
})

test('TSK-2 the worker makes the covers that are wanted, and gives up on what cannot be made', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const good = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      shelf.addBook(`${index}.cbz`, zip([{ name: '1.jpg', bytes: tinyJpeg(index + 1) }])),
    ),
  )
  const bomb = await shelf.addBook('bomb.cbz', zip([{ name: '1.png', bytes: hugePng() }]))
  const broken = await shelf.addBook('broken.cbz', zip([{ name: '1.jpg', bytes: tinyJpeg(1).subarray(0, 400) }]))
  await runTask(server, [...good, bomb, broken])

  const rows = await server.context.db.read.selectFrom('book').select(['id', 'cover_version', 'placeholder']).execute()
  const made = rows.filter(({ cover_version }) => cover_version === 1).map(({ id }) => id)
  expect(made.sort()).toEqual([...good].sort())
  expect(await server.context.db.read.selectFrom('cover_wanted').select('book_id').execute()).toEqual([])
  const faults = await server.context.db.read.selectFrom('cover_fault').select(['book_id', 'code']).execute()
  expect(new Map(faults.map(({ book_id, code }) => [book_id, code]))).toEqual(
    new Map([
      [bomb, 'limit'],
      [broken, 'damaged'],
    ]),
  )
  const reader = await server.person('reader')
  expect(await thumbnail(server, reader, 'books', bomb)).toMatchObject({
    status: 200,
    format: 'jpeg',
    width: 200,
    height: 300,
  })

  const editor = await server.person('editor')
  const { data } = bodyOf(await editor.call(api.listBookErrors, {}))
  expect(new Map(data.map(({ bookId, kind, code }) => [bookId, `${kind} ${code}`]))).toEqual(
    new Map([
      [bomb, 'thumbnail limit'],
      [broken, 'thumbnail damaged'],
    ]),
  )
  expect(bodyOf(await editor.call(api.retryBookErrors, { body: { code: 'limit' } }))).toEqual({ retried: 1 })
  expect(bodyOf(await editor.call(api.listBookErrors, {})).total).toBe(1)
})

test('covers of what has been forgotten go at night, and no other', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const [stays, gone] = [
    await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: tinyJpeg(1) }])),
    await shelf.addBook('two.cbz', zip([{ name: '1.jpg', bytes: tinyJpeg(2) }])),
  ]
  const reader = await server.person('reader')
  for (const id of [stays, gone]) await thumbnail(server, reader, 'books', id)
  const { db, config } = server.context
  await db.write(async (db) => {
    await db.deleteFrom('file').where('book_id', '=', gone).execute()
    await db.deleteFrom('book').where('id', '=', gone).execute()
  })
  await using _ = workOn(server, [cleanUpCovers])
  await db.write((db) => enqueue(db, cleanUpCovers, { byHand: true }, { now: new Date() }))
  await expect.poll(() => db.read.selectFrom('cover').select('entity_id').execute()).toEqual([{ entity_id: stays }])
  const pictures = async () =>
    (await readdir(join(config.dataDir, 'covers'), { recursive: true })).filter((name) => name.endsWith('.jpg'))
  await expect.poll(pictures).toHaveLength(2)
})

test('LIB-8 a cover is uploaded, taken from a page, chosen, kept whatever a scan finds, and let go', async () => {
  await using shelf = await fillShelf(server)
  const { id, editor, show } = await chosen(server, shelf)
  expect((await show()).colour).toBe('red')

  const page = bodyOf(await editor.call(api.coverOfBookFromPage, { params: { id }, body: { page: 2 } }))
  expect(page).toMatchObject({ source: 'page', page: 2, isSelected: true, width: 60, height: 90 })
  expect((await show()).colour).toBe('green')
  const upload = await plain('#0000ff', 900, 1200)
  const uploaded = bodyOf(await editor.call(api.uploadBookCover, { params: { id }, body: new Uint8Array(upload) }))
  expect((await show()).colour).toBe('blue')
  expect((await bookRow(server, id)).locks).toBe('["cover"]')

  await runTask(server, [id])
  expect((await show()).colour).toBe('blue')
  const covers = bodyOf(await editor.call(api.listBookCovers, { params: { id } }))
  expect(covers.map(({ source, isSelected }) => [source, isSelected])).toEqual(
    expect.arrayContaining([
      ['file', false],
      ['page', false],
      ['upload', true],
    ]),
  )
  const image = await ask(server, editor, `/api/v1/books/${id}/covers/${page.id}/image`)
  expect(await colourOf(image.bytes)).toBe('green')

  await editor.call(api.selectBookCover, { params: { id, coverId: page.id } })
  expect((await show()).colour).toBe('green')
  await editor.call(api.deleteBookCover, { params: { id, coverId: page.id } })
  expect((await show()).colour).toBe('red')
  await editor.call(api.selectBookCover, { params: { id, coverId: uploaded.id } })
  await editor.call(api.unselectBookCover, { params: { id } })
  expect((await show()).colour).toBe('red')
  expect((await bookRow(server, id)).locks).toBe('[]')
  const foreign = await editor.call(api.selectBookCover, { params: { id, coverId: page.id } })
  expect(errorOf(foreign).error).toBe('not_found')
})

test('LIB-8 a cover that is chosen while another is being made stays chosen, of a book and of a series', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const { id, editor } = await chosen(server, shelf)
  const { db, config } = server.context
  const [row] = await selectSubjects(db.read, [id])
  if (!row) throw new Error('There is no such book')
  const body = { page: 2 }
  const ofBook = bodyOf(await editor.call(api.coverOfBookFromPage, { params: { id }, body }))
  const ofSeries = bodyOf(await editor.call(api.coverOfSeriesFromPage, { params: { id: shelf.series.id }, body }))

  const bytes = await plain('#0000ff', 60, 90)
  const contentHash = await coverStore(config).put({ small: bytes, large: bytes })
  const cover = { width: 60, height: 90, placeholder: '', tone: '', contentHash }
  const made = { row, book: { ...cover, source: 'file' as const, page: 1 }, series: cover }
  await db.write((db) => recordCovers(db, [made], new Date()))

  const selected = ({ isSelected }: api.CoverDto): boolean => isSelected
  const covers = bodyOf(await editor.call(api.listBookCovers, { params: { id } }))
  expect(covers.find(selected)?.id).toBe(ofBook.id)
  expect(covers.map(({ source }) => source).toSorted()).toEqual(['file', 'page'])
  const coversOfSeries = bodyOf(await editor.call(api.listSeriesCovers, { params: { id: shelf.series.id } }))
  expect(coversOfSeries.find(selected)?.id).toBe(ofSeries.id)
})

test('A1 a cover tells its colours with the book and its series, and a grey one has none', async () => {
  await using shelf = await fillShelf(server)
  const grey = await shelf.addSeries({ title: 'Grey' })
  const red = await shelf.addBook('red.cbz', book(await plain('#c8281e', 200, 300)))
  const drawn = await shelf.addBook('grey.cbz', book(await plain('#808080', 200, 300)), { series: grey })
  const reader = await server.person('reader')
  for (const id of [red, drawn]) await thumbnail(server, reader, 'books', id)

  const tonesOf = async (id: string, seriesId: string) => [
    bodyOf(await reader.call(api.readBook, { params: { id } })).tone,
    bodyOf(await reader.call(api.readSeries, { params: { id: seriesId } })).tone,
    bodyOf(await reader.call(api.listBookCovers, { params: { id } }))[0]?.tone,
  ]
  const tones = await tonesOf(red, shelf.series.id)
  expect(tones[0]?.tone).toMatch(/^#[b-d]/)
  expect(tones).toEqual([tones[0], tones[0], tones[0]])
  expect(await tonesOf(drawn, grey.id)).toEqual([null, null, null])
})

test('A1 covers of before get their colours in the background, from the picture there is', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const { db } = server.context
  const editor = await server.person('editor')
  const other = await shelf.addSeries({ title: 'Other' })
  const id = await shelf.addBook('one.cbz', book(await plain('#1e28c8', 200, 300), await plain('#1e9628', 200, 300)))
  const newer = await shelf.addBook('two.cbz', book(await plain('#c8281e', 200, 300)), { series: other })
  for (const each of [id, newer]) await thumbnail(server, editor, 'books', each)
  bodyOf(await editor.call(api.coverOfSeriesFromPage, { params: { id: shelf.series.id }, body: { page: 2 } }))
  const shown = async () => ({
    book: bodyOf(await editor.call(api.readBook, { params: { id } })),
    series: bodyOf(await editor.call(api.readSeries, { params: { id: shelf.series.id } })),
    newer: bodyOf(await editor.call(api.readBook, { params: { id: newer } })),
  })
  const before = await shown()
  await db.write(async (db) => {
    const old = [id, shelf.series.id]
    await db.updateTable('cover').set({ tone: null }).where('entity_id', 'in', old).execute()
    await db.updateTable('book').set({ tone: null }).where('id', '=', id).execute()
    // What is known already stays as it is.
    await db.updateTable('cover').set({ tone: '' }).where('entity_id', '=', newer).execute()
  })
  expect((await shown()).book.tone).toBeNull()
  await rm(shelf.pathOf('one.cbz'), { force: true })

  await using _ = workOn(server, [renewCovers])
  await db.write((db) => enqueue(db, renewCovers, {}, { now: new Date() }))

  await expect.poll(shown).toEqual(before)
  const left = await db.read.selectFrom('cover').select('id').where('tone', 'is', null).execute()
  expect(left).toEqual([])
})

test('LIB-8 a series has covers of its own as well', async () => {
  await using shelf = await fillShelf(server)
  const { id, editor } = await chosen(server, shelf)
  const params = { id: shelf.series.id }
  const show = async () => (await thumbnail(server, editor, 'series', shelf.series.id)).colour

  expect(await show()).toBe('red')
  bodyOf(await editor.call(api.coverOfSeriesFromPage, { params, body: { page: 2 } }))
  expect(await show()).toBe('green')
  const [cover] = bodyOf(await editor.call(api.listSeriesCovers, { params }))
  expect(cover).toMatchObject({ source: 'page', isSelected: true })
  await editor.call(api.unselectSeriesCover, { params })
  expect(await show()).toBe('red')
  const hidden = await server.person('editor', { access: { libraries: [] } })
  for (const endpoint of [api.listSeriesCovers, api.unselectSeriesCover])
    expect(errorOf(await hidden.call(endpoint, { params })).error).toBe('not_found')
  const taken = await hidden.call(api.coverOfBookFromPage, { params: { id }, body: { page: 1 } })
  expect(errorOf(taken).error).toBe('not_found')
})

test('LIB-8 browsers keep the cover of a series by the version it is told with, until it is another', async () => {
  await using shelf = await fillShelf(server)
  const editor = await server.person('editor')
  const id = await shelf.addBook('one.cbz', book(await plain('#c8281e', 200, 300), await plain('#00ff00', 200, 300)))
  const address = async (): Promise<string> => {
    const { coverVersion } = bodyOf(await editor.call(api.readSeries, { params: { id: shelf.series.id } }))
    return `/api/v1/series/${shelf.series.id}/thumbnail?v=${coverVersion}`
  }
  const cacheControlOf = async (of: string) => (await ask(server, editor, of)).headers.get('cache-control')
  const immutable = 'private, max-age=31536000, immutable'
  await thumbnail(server, editor, 'books', id)

  const first = await address()
  expect(await cacheControlOf(first)).toBe(immutable)
  bodyOf(await editor.call(api.coverOfBookFromPage, { params: { id }, body: { page: 2 } }))
  expect(await cacheControlOf(first)).toBe('private, no-cache')
  expect(await address()).not.toBe(first)
  expect(await cacheControlOf(await address())).toBe(immutable)
  const ofBook = await address()
  bodyOf(await editor.call(api.coverOfSeriesFromPage, { params: { id: shelf.series.id }, body: { page: 1 } }))
  expect(await cacheControlOf(ofBook)).toBe('private, no-cache')
  expect(await cacheControlOf(await address())).toBe(immutable)
})

test('E4 covers of strips that were a few pixels wide are made anew, once and in the background', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const { db, config } = server.context
  const editor = await server.person('editor')
  const other = await shelf.addSeries({ title: 'Other' })
  const page = await strip(800, 9000)
  const [fromFile, fromPage, usual] = [
    await shelf.addBook('one.cbz', book(page, page)),
    await shelf.addBook('two.cbz', book(page, page), { series: other }),
    await shelf.addBook('three.cbz', book(await plain('#00ff00', 800, 1200)), { series: other }),
  ]
  for (const id of [fromFile, fromPage, usual]) await thumbnail(server, editor, 'books', id)
  bodyOf(await editor.call(api.coverOfBookFromPage, { params: { id: fromPage }, body: { page: 2 } }))
  // An older server made covers like this: the longer side was given.
  const thread = await sharp(page).resize({ height: 800 }).jpeg().toBuffer()
  const old = await coverStore(config).put({ small: thread, large: thread })
  await db.write((db) =>
    db
      .updateTable('cover')
      .set({ content_hash: old, width: 71, height: 800 })
      .where('entity_id', 'in', [fromFile, fromPage])
      .execute(),
  )
  const versionOf = async (id: string): Promise<string> =>
    bodyOf(await editor.call(api.readBook, { params: { id } })).coverVersion
  const before = await Promise.all([fromFile, fromPage, usual].map(versionOf))
  expect(await sizeOf(server, editor, fromFile)).toMatchObject({ width: 71 })

  await using _ = workOn(server, [makeCovers, renewCovers])
  await db.write((db) => enqueue(db, renewCovers, {}, { now: new Date() }))

  for (const id of [fromFile, fromPage])
    await expect.poll(() => sizeOf(server, editor, id)).toEqual({ width: 250, height: 500, colour: 'red' })
  const after = await Promise.all([fromFile, fromPage, usual].map(versionOf))
  expect(after.map((version, index) => version === before[index])).toEqual([false, false, true])
  const covers = bodyOf(await editor.call(api.listBookCovers, { params: { id: fromPage } }))
  expect(covers.find(({ isSelected }) => isSelected)).toMatchObject({
    source: 'page',
    page: 2,
    width: 500,
    height: 1000,
  })
  const series = await thumbnail(server, editor, 'series', shelf.series.id)
  expect(series).toMatchObject({ width: 250, height: 500 })
})
