import type { CompatBook, CompatPage, CompatSeries } from '@carrel/api/doors'
import { utimes } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { pdfFile } from '../../../test/books/pdf.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { basic, compatApp } from '../../../test/compat-app.ts'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { doorsOpen } from '../../../test/contract/inputs.ts'
import { openStream } from '../../../test/event-stream.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer, testPassword } from '../../../test/start-server.ts'

const server = await startServer({ env: doorsOpen })
const shelf = await fillShelf(server)
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
const editor = await server.person('editor')
const app = compatApp(server.url, { headers: basic(editor.username, testPassword) })
const pages = (seed: number) =>
  zip([1, 2, 3, 4].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(10 * seed + n), method: 'stored' as const })))
const one = await shelf.addBook('one.cbz', pages(1), { number: 1 })
const get = async <Reply>(path: string) => (await app.send(`/api/v1${path}`)).json as Reply
const send = async (method: string, path: string, body?: object) =>
  (await app.send(`/api/v1${path}`, { method, ...(body && { body }) })).status
const openEvents = () =>
  openStream(server.url, { authorization: `Bearer ${editor.accessToken}` }, '/komga/sse/v1/events')

/** A bitmap as Windows writes it: one white point. */
const bitmap = (): Buffer => {
  const head = Buffer.alloc(54)
  head.write('BM', 0, 'latin1')
  head.writeUInt32LE(58, 2)
  head.writeUInt32LE(54, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(1, 18)
  head.writeInt32LE(1, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  head.writeUInt32LE(4, 34)
  return Buffer.concat([head, Buffer.from([255, 255, 255, 0])])
}

test('C5 series are in order by the date that is shown of them, whatever their year is, for whoever sees less too', async () => {
  const library = await addLibrary(server.context.db)
  const dates = {
    Late: ['2010-05-01', '2009'],
    Early: ['1999-02', '2020-01-01'],
    Undated: [null],
    Middle: ['2003-08-27'],
  }
  for (const [title, released] of Object.entries(dates)) {
    const series = await addSeries(server.context.db, library, { title, year: title === 'Late' ? 1950 : null })
    await addBooks(
      server.context.db,
      series,
      released.map((each, index) => ({ released: each, age_rating: title === 'Early' && index === 0 ? 18 : 0 })),
    )
  }
  const young = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const orderFor = async (who: typeof app, direction: string) => {
    const query = `library_id=${library.id}&sort=booksMetadata.releaseDate,${direction}`
    const { json } = await who.send(`/api/v1/series?${query}`)
    return (json as CompatPage<CompatSeries>).content.map(({ name, booksMetadata }) => [
      name,
      booksMetadata.releaseDate,
    ])
  }
  const dated = [
    ['Early', '1999-02-01'],
    ['Middle', '2003-08-27'],
    ['Late', '2009-01-01'],
  ]
  expect(await orderFor(app, 'asc')).toEqual([...dated, ['Undated', null]])
  expect(await orderFor(app, 'desc')).toEqual([...dated.toReversed(), ['Undated', null]])
  const less = compatApp(server.url, { headers: basic(young.username, testPassword) })
  expect(await orderFor(less, 'asc')).toEqual([dated[1], dated[2], ['Early', '2020-01-01'], ['Undated', null]])
})

test('C11 a page that cannot be made into another kind is shown as it is; a drawn page has no size of its own', async () => {
  const id = await shelf.addBook('old.cbz', zip([{ name: '1.bmp', bytes: bitmap(), method: 'stored' }]), {
    series: await shelf.addSeries({ title: 'Old' }),
  })
  for (const convert of ['png', 'jpeg']) {
    const page = await app.send(`/api/v1/books/${id}/pages/1?convert=${convert}`)
    expect([convert, page.status, page.headers['content-type']]).toEqual([convert, 200, 'image/bmp'])
  }
  const drawn = await shelf.addBook('drawn.pdf', pdfFile({ pages: [{}] }), {
    series: await shelf.addSeries({ title: 'Drawn' }),
  })
  expect(await get(`/books/${drawn}/pages`)).toMatchObject([{ number: 1, sizeBytes: null, size: '' }])
})

test('C11 letters of a list count what begins with them', async () => {
  const library = await addLibrary(server.context.db)
  const titles = [
    '“Quoted”',
    'quiet',
    '...and then',
    'Ängste',
    'アニメ',
    'あさ',
    '100%',
    '[B]etween',
    'Šumava',
    'Œuvre',
  ]
  for (const title of titles) {
    const series = await addSeries(server.context.db, library, { title })
    await addBooks(server.context.db, series, [{}])
  }
  const inLibrary = { libraryId: { operator: 'is', value: library.id } }
  const { json } = await app.send('/api/v1/series/list/alphabetical-groups', {
    method: 'POST',
    body: { condition: inLibrary },
  })
  const groups = json as { group: string; count: number }[]
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(titles.length)
  for (const { group, count } of groups.filter((each) => each.group !== '#')) {
    const condition = { allOf: [inLibrary, { titleSort: { operator: 'beginsWith', value: group } }] }
    const reply = await app.send('/api/v1/series/list', { method: 'POST', body: { condition } })
    expect([group, (reply.json as CompatPage<CompatSeries>).totalElements]).toEqual([group, count])
  }
})

test('C11 who says that a read book is not read begins it again, page by page, and is told so', async () => {
  const progress = async () => (await get<CompatBook>(`/books/${one}`)).readProgress
  const at = `/books/${one}/read-progress`
  expect(await send('PATCH', at, { completed: true })).toBe(204)
  for (const page of [1, 2, 3]) {
    expect(await send('PATCH', at, { page, completed: false })).toBe(204)
    expect(await progress()).toMatchObject({ page, completed: false })
  }
  expect(await send('PATCH', at, { page: 4, completed: false })).toBe(204)
  expect(await progress()).toMatchObject({ page: 4, completed: true })
  await using events = await openEvents()
  expect(await send('DELETE', at)).toBe(204)
  const { data } = await events.first('ReadProgressDeleted')
  expect([data, await progress()]).toEqual([{ bookId: one, userId: editor.id }, null])
  expect(events.ofType('ReadProgressChanged')).toEqual([])
})

test('C12 COM-1 a page past the beginning of a read book begins it again, its first page does not', async () => {
  const progress = async () => (await get<CompatBook>(`/books/${one}`)).readProgress
  const at = `/books/${one}/read-progress`
  expect(await send('PATCH', at, { completed: true })).toBe(204)
  expect(await send('PATCH', at, { page: 1 })).toBe(204)
  expect(await progress()).toMatchObject({ completed: true })
  expect(await send('PATCH', at, { page: 3 })).toBe(204)
  expect(await progress()).toMatchObject({ page: 3, completed: false })
  expect(await send('DELETE', at)).toBe(204)
})

test('COM-1 what apps open in a browser is a page of the web app', async () => {
  const page = async (path: string) => {
    const { status, headers } = await app.send(path)
    return [status, headers['location']]
  }
  expect(await page(`/series/${shelf.series.id}`)).toEqual([303, `/series/${shelf.series.id}`])
  expect(await page(`/book/${one.replaceAll('-', '')}`)).toEqual([303, `/books/${one}`])
  expect(await page('/book/nothing')).toEqual([404, undefined])
})

test('COM-1 who marks a whole series hears so, besides of its book', async () => {
  await using events = await openEvents()
  const at = `/series/${shelf.series.id}/read-progress`
  for (const [method, what] of [
    ['POST', 'Changed'],
    ['DELETE', 'Deleted'],
  ] as const) {
    expect(await send(method, at)).toBe(204)
    const { data } = await events.first(`ReadProgressSeries${what}`)
    expect(data).toEqual({ seriesId: shelf.series.id, userId: editor.id })
    expect(events.ofType(`ReadProgressSeries${what}`)).toHaveLength(1)
    expect(events.ofType(`ReadProgress${what}`)).toHaveLength(1)
  }
})

test('C11 an empty name and a series of no books are refused with a sentence, and nothing is lost', async () => {
  const before = await get<CompatSeries>(`/series/${shelf.series.id}`)
  for (const body of [{ title: '' }, { titleSort: ' ' }, { totalBookCount: 0 }]) {
    const reply = await app.send(`/api/v1/series/${shelf.series.id}/metadata`, {
      method: 'PATCH',
      body: { summary: 'Lost', ...body },
    })
    expect([reply.status, reply.json]).toMatchObject([400, { message: expect.stringMatching(/must/) as unknown }])
  }
  for (const body of [{ title: '' }, { number: '' }])
    expect(await send('PATCH', `/books/${one}/metadata`, { summary: 'Lost', ...body })).toBe(400)
  expect(await get<CompatSeries>(`/series/${shelf.series.id}`)).toEqual(before)
})

test('C11 a series was last written when its newest file was, whatever is said of it since', async () => {
  const series = await shelf.addSeries({ title: 'Written' })
  const written = new Date('2020-02-02T02:02:02Z')
  const id = await shelf.addBook('new.cbz', pages(7), { series })
  await utimes(shelf.pathOf('new.cbz', series), written, written)
  await server.context.db.write((db) =>
    db
      .updateTable('file')
      .set({ modified_us: written.getTime() * 1000 })
      .where('book_id', '=', id)
      .execute(),
  )
  expect(await send('PATCH', `/series/${series.id}/metadata`, { summary: 'Later' })).toBe(204)
  expect((await get<CompatSeries>(`/series/${series.id}`)).fileLastModified).toBe('2020-02-02T02:02:02Z')
})

test('C11 one edit of a collection or a read list is one event; a new cover says of which series its book is', async () => {
  const { id } = (await app
    .send('/api/v1/collections', {
      method: 'POST',
      body: { name: 'role-c', ordered: false, seriesIds: [shelf.series.id] },
    })
    .then(({ json }) => json)) as { id: string }
  const list = (await app
    .send('/api/v1/readlists', {
      method: 'POST',
      body: { name: 'role-r', summary: '', ordered: true, bookIds: [one] },
    })
    .then(({ json }) => json)) as { id: string }
  await using events = await openEvents()
  const ofCollection = { name: 'role-c renamed', ordered: false, seriesIds: [shelf.series.id] }
  expect(await send('PATCH', `/collections/${id}`, ofCollection)).toBe(204)
  const ofList = { name: 'role-r renamed', summary: '', ordered: true, bookIds: [one] }
  expect(await send('PATCH', `/readlists/${list.id}`, ofList)).toBe(204)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(tinyJpeg(77))], { type: 'image/jpeg' }), 'cover.jpg')
  await fetch(`${server.url}/komga/api/v1/books/${one}/thumbnails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${editor.accessToken}` },
    body: form,
  })
  const cover = await events.first('ThumbnailBookAdded')
  expect(cover.data).toMatchObject({ bookId: one, seriesId: shelf.series.id })
  expect([events.ofType('CollectionChanged').length, events.ofType('ReadListChanged').length]).toEqual([1, 1])
})
