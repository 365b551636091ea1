import * as api from '@carrel/api'
import type { CompatBook, CompatSeries } from '@carrel/api/doors'
import { afterAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { zip } from '../../../../test/books/zip.ts'
import { basic, compatApp } from '../../../../test/compat-app.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { plainRequest } from '../../../../test/plain-request.ts'
import { fillShelf } from '../../../../test/shelf.ts'
import { startServer, testPassword } from '../../../../test/start-server.ts'

const server = await startServer({ env: doorsOpen })
const shelf = await fillShelf(server)
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
const editor = await server.person('editor')
const app = compatApp(server.url, {
  headers: { 'x-requested-with': 'XMLHttpRequest', ...basic(editor.username, testPassword) },
})
const pages = (seed: number) =>
  zip([1, 2, 3, 4].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(10 * seed + n), method: 'stored' as const })))
const one = await shelf.addBook('one.cbz', pages(1), { number: 1 })
const two = await shelf.addBook('two.cbz', pages(2), { number: 2 })

const send = async (method: string, path: string, body: object) =>
  (await app.send(`/api${path}`, { method, body })).status
const series = async () => (await app.send(`/api/v1/series/${shelf.series.id}`)).json as CompatSeries
const book = async (id: string) => (await app.send(`/api/v1/books/${id}`)).json as CompatBook

test('C4 the whole edit of a series and of a book is saved when all its numbers and truth values are text', async () => {
  const ofSeries = {
    title: 'Edited',
    summary: 'Said in a form',
    ageRating: '18',
    ageRatingLock: 'true',
    totalBookCount: '12',
    totalBookCountLock: 'true',
    publisher: 'House',
    publisherLock: 'false',
  }
  expect(await send('PATCH', `/v1/series/${shelf.series.id}/metadata`, ofSeries)).toBe(204)
  expect((await series()).metadata).toMatchObject({
    title: 'Edited',
    summary: 'Said in a form',
    ageRating: 18,
    ageRatingLock: true,
    totalBookCount: 12,
    totalBookCountLock: true,
    publisher: 'House',
    publisherLock: false,
  })
  const ofBook = { title: 'A special', numberSort: '77.5', numberSortLock: 'true', number: '77.5', tags: ['form'] }
  expect(await send('PATCH', `/v1/books/${two}/metadata`, ofBook)).toBe(204)
  const special = { title: 'A special', numberSort: 77.5, numberSortLock: true, number: '77.5', tags: ['form'] }
  expect((await book(two)).metadata).toMatchObject(special)
  expect(await send('PATCH', '/v1/books/metadata', { [one]: { numberSort: '3' }, [two]: { numberSort: '4' } })).toBe(
    204,
  )
  expect([(await book(one)).metadata.numberSort, (await book(two)).metadata.numberSort]).toEqual([3, 4])
  // A field of numbers that was emptied.
  expect(await send('PATCH', `/v1/series/${shelf.series.id}/metadata`, { ageRating: '' })).toBe(204)
  expect((await series()).metadata.ageRating).toBe(null)
})

test('C4 so are pages, trackers and places in a book at every door', async () => {
  expect(await send('PATCH', `/v1/books/${one}/read-progress`, { page: '2', completed: 'false' })).toBe(204)
  expect((await book(one)).readProgress).toMatchObject({ page: 2, completed: false })
  const progression = { modified: '2036-01-01T10:00:00Z', device: { id: 'a', name: 'A' } }
  const locator = { href: '', locations: { position: '3', totalProgression: '0.75' } }
  expect(await send('PUT', `/v1/books/${two}/progression`, { ...progression, locator })).toBe(204)
  expect((await book(two)).readProgress).toMatchObject({ page: 3 })
  const tracked = { lastBookNumberSortRead: '3' }
  expect(await send('PUT', `/v2/series/${shelf.series.id}/read-progress/tachiyomi`, tracked)).toBe(204)
  expect((await book(one)).readProgress?.completed).toBe(true)
  const reply = await app.send('/api/v1/books/list', {
    method: 'POST',
    body: { condition: { numberSort: { operator: 'is', value: '3' } } },
  })
  expect((reply.json as { content: CompatBook[] }).content.map(({ id }) => id.replaceAll('-', ''))).toEqual([
    one.replaceAll('-', ''),
  ])

  const headers = { authorization: `Bearer ${editor.accessToken}` }
  const position = { document: '0b229176d4e8db7f6d2b5a4952368d7a', progress: '4', percentage: '0.5' }
  const koreader = await plainRequest(`${server.url}/koreader/syncs/progress`, {
    method: 'PUT',
    headers,
    body: position,
  })
  expect(koreader.status).toBe(200)
  const opds = await plainRequest(`${server.url}/opds/v2/books/${two}/progression`, {
    method: 'PUT',
    headers,
    body: { modified: '2036-01-02T10:00:00Z', device: { id: 'urn:a', name: 'A' }, progression: '0.5' },
  })
  expect(opds.status).toBe(200)
})

test('C4 W2 what is no number is refused whole, and our own API takes numbers only', async () => {
  const before = (await series()).metadata
  for (const nonsense of ['abc', '1e5', ' 7 ', '0x1f', '1,5', '12.5', true, {}]) {
    const body = { title: 'Lost', ageRating: nonsense }
    expect([nonsense, await send('PATCH', `/v1/series/${shelf.series.id}/metadata`, body)]).toEqual([nonsense, 400])
    const condition = { ageRating: { operator: 'is', value: nonsense === '12.5' ? 'x' : nonsense } }
    expect([nonsense, await send('POST', '/v1/series/list', { condition })]).toEqual([nonsense, 400])
  }
  expect((await series()).metadata).toEqual(before)
  const params = { id: shelf.series.id }
  const body = { ageRating: '18' as unknown as number }
  expect(errorOf(await editor.call(api.editSeriesMetadata, { params, body })).error).toBe('validation_failed')
  expect(bodyOf(await editor.call(api.readSeriesMetadata, { params })).ageRating).toBe(before.ageRating)
})

test('C4 W2 a day that is in no calendar is refused, as the date of a book and in an address', async () => {
  expect(await send('PATCH', `/v1/books/${one}/metadata`, { releaseDate: '2024-02-29' })).toBe(204)
  expect(await send('PATCH', `/v1/books/${one}/metadata`, { releaseDate: '2026-02-30' })).toBe(400)
  expect((await book(one)).metadata.releaseDate).toBe('2024-02-29')
  const statusOf = async (after: string) => (await app.send(`/api/v1/books?released_after=${after}`)).status
  expect([await statusOf('2024-02-29'), await statusOf(''), await statusOf('2026-02-30')]).toEqual([200, 200, 400])
})

test('C6 the number a book is put in order by is a field of its own, with its own lock; its number stays what it was', async () => {
  const special = await shelf.addBook('special.cbz', pages(3), {
    series: await shelf.addSeries({ title: 'Special' }),
    number: 1,
  })
  const patch = (body: object) => send('PATCH', `/v1/books/${special}/metadata`, body)
  expect(await patch({ number: 'SP1', numberSort: 0.5, numberSortLock: true })).toBe(204)
  const shown = { number: 'SP1', numberLock: false, numberSort: 0.5, numberSortLock: true }
  expect((await book(special)).metadata).toMatchObject(shown)
  expect(await patch({ numberSort: 1000 })).toBe(204)
  expect((await book(special)).metadata).toMatchObject({ ...shown, numberSort: 1000 })
  expect(await patch({ number: '7', numberLock: true })).toBe(204)
  expect((await book(special)).metadata).toMatchObject({ number: '7', numberLock: true, numberSort: 1000 })
  // Without a value it is the number again.
  expect(await patch({ numberSort: null, numberSortLock: false })).toBe(204)
  expect((await book(special)).metadata).toMatchObject({ number: '7', numberSort: 7, numberSortLock: false })
})

test('C10 a lock that this server does not have is refused, unless its value comes with it', async () => {
  const links = [{ label: 'Home', url: 'https://example.org/' }]
  const ofSeries = (body: object) => send('PATCH', `/v1/series/${shelf.series.id}/metadata`, body)
  expect(await ofSeries({ linksLock: true })).toBe(400)
  expect(await ofSeries({ alternateTitlesLock: 'true' })).toBe(400)
  expect(await send('PATCH', `/v1/books/${two}/metadata`, { linksLock: true })).toBe(400)
  expect(await ofSeries({ linksLock: false, alternateTitlesLock: false })).toBe(204)
  expect(await ofSeries({ links, linksLock: true })).toBe(204)
  expect((await series()).metadata).toMatchObject({ links, linksLock: false })
})
