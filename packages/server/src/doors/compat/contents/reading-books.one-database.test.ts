import * as api from '@carrel/api'
import type { CompatManifest } from '@carrel/api/doors'
import { afterAll, expect, test } from 'vitest'
import { epub } from '../../../../test/books/epub.ts'
import { openPdfBook } from '../../../../test/books/pdf-book.ts'
import { pdfFile } from '../../../../test/books/pdf.ts'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { zip } from '../../../../test/books/zip.ts'
import { basic, type CompatApp, compatApp } from '../../../../test/compat-app.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { plainRequest } from '../../../../test/plain-request.ts'
import { fillShelf } from '../../../../test/shelf.ts'
import { type Person, startServer, testPassword } from '../../../../test/start-server.ts'

const server = await startServer({
  env: { ...doorsOpen, CARREL_PUBLIC_URL: 'https://books.example/lib', CARREL_BASE_PATH: '/lib' },
})
const shelf = await fillShelf(server)
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
const admin = await server.person('admin')

const comicOf = (seed: number): Buffer =>
  zip([1, 2, 3, 4].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(seed * 10 + n), method: 'stored' as const })))

const comics = [
  await shelf.addBook('one.cbz', comicOf(1), { number: 1 }),
  await shelf.addBook('two.cbz', comicOf(2), { number: 2 }),
  await shelf.addBook('two and a half.cbz', comicOf(3), { number: 2.5 }),
  await shelf.addBook('three.cbz', comicOf(4), { number: 3 }),
]
const novel = await shelf.addBook('alice.epub', epub(), { series: await shelf.addSeries({ title: 'Alice' }) })

const lettered = await shelf.addBook(
  'lettered.epub',
  epub({ font: 'clear', chapters: [{ name: 'secret.ttf', body: '<p>The murderer is the gardener.</p>' }] }),
  { series: await shelf.addSeries({ title: 'Lettered' }) },
)
const drawn = await shelf.addBook('drawn.pdf', pdfFile({ pages: [{}, {}] }), {
  series: await shelf.addSeries({ title: 'Drawn' }),
})

const appOf = async (userAgent = 'TachiyomiKomga/1'): Promise<{ app: CompatApp; person: Person }> => {
  const person = await server.person('reader')
  const app = compatApp(`${server.url}/lib`, { headers: { 'user-agent': userAgent } })
  await app.send('/api/v2/users/me', { headers: basic(person.username, testPassword) })
  return { app, person }
}
const readListOf = async (name: string, bookIds: string[]): Promise<string> => {
  const { id } = bodyOf(await admin.call(api.createReadList, { body: { name } }))
  bodyOf(await admin.call(api.addToReadList, { params: { id }, body: { bookIds } }))
  return id
}
const progressOf = async (person: Person, id: string) => bodyOf(await person.call(api.readProgress, { params: { id } }))

test('COM-1 pages: what they are, one by one, counted from either end, in another form, small, and none beyond the last', async () => {
  const { app } = await appOf()
  const [book = ''] = comics
  const at = `/api/v1/books/${book.replaceAll('-', '')}/pages`
  const listed = await app.send(at)
  expect(listed.json).toMatchObject([
    {
      number: 1,
      fileName: '1.jpg',
      mediaType: 'image/jpeg',
      width: 200,
      height: 300,
      size: expect.stringMatching(/B$/) as unknown,
    },
    { number: 2 },
    { number: 3 },
    { number: 4 },
  ])
  const page = await app.send(`${at}/1`)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'image/jpeg'])
  expect(page.headers['content-disposition']).toMatch(/^inline/)
  const same = await app.send(`${at}/0?zero_based=true`)
  expect(same.headers.etag).toBe(page.headers.etag)
  const again = await app.send(`${at}/1`, { headers: { 'if-none-match': String(page.headers.etag) } })
  expect(again.status).toBe(304)
  expect((await app.send(`${at}/1?convert=png`)).headers['content-type']).toBe('image/png')
  expect((await app.send(`${at}/2/thumbnail`)).headers['content-type']).toBe('image/jpeg')
  expect((await app.send(`${at}/2/raw`)).status).toBe(200)
  for (const wrong of ['5', '0', '1?convert=bmp']) expect((await app.send(`${at}/${wrong}`)).status).toBe(400)
  const nowhere = await app.send('/api/v1/books/0123456789ABC/pages')
  expect([nowhere.status, nowhere.json]).toMatchObject([404, { error: 'Not Found', status: 404 }])
})

test('COM-1 files and covers: as attachments, in parts, under any name, and told apart by their tags', async () => {
  const { app } = await appOf()
  const [book = ''] = comics
  const file = await app.send(`/api/v1/books/${book}/file`)
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename="one\.cbz"/)
  const named = await app.send(`/api/v1/books/${book}/file/anything.cbz`, { headers: { range: 'bytes=0-9' } })
  expect([named.status, named.headers['content-length']]).toEqual([206, '10'])
  expect((await app.send(`/api/v1/series/${shelf.series.id}/file`)).headers['content-type']).toBe('application/zip')
  for (const subject of [`books/${book}`, `series/${shelf.series.id}`]) {
    const cover = await app.send(`/api/v1/${subject}/thumbnail?t=1`)
    expect([cover.status, cover.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const conditional = { 'if-none-match': String(cover.headers.etag) }
    expect((await app.send(`/api/v1/${subject}/thumbnail`, { headers: conditional })).status).toBe(304)
  }
  const { id } = bodyOf(await admin.call(api.createCollection, { body: { name: 'role-4' } }))
  bodyOf(await admin.call(api.addToCollection, { params: { id }, body: { seriesIds: [shelf.series.id] } }))
  expect((await app.send(`/api/v1/collections/${id}/thumbnail`)).status).toBe(200)
  const list = await readListOf('role-4', comics)
  expect((await app.send(`/api/v1/readlists/${list}/thumbnail`)).status).toBe(200)
})

test('COM-1 pages and files say when they were written, and are not sent again to whoever has them from then', async () => {
  const { app } = await appOf()
  const [book = ''] = comics
  for (const path of ['pages/1', 'pages/1/thumbnail', 'pages/1/raw', 'file']) {
    const at = `/api/v1/books/${book}/${path}`
    const { status, headers } = await app.send(at)
    const written = String(headers['last-modified'])
    expect([path, status, new Date(written).toUTCString()]).toEqual([path, 200, written])
    const again = async (conditional: Record<string, string>) => (await app.send(at, { headers: conditional })).status
    expect([path, await again({ 'if-modified-since': written })]).toEqual([path, 304])
    // A replaced file may well be older, and a tag says more than a time.
    const later = new Date(Date.parse(written) + 60_000).toUTCString()
    expect([path, await again({ 'if-modified-since': later })]).toEqual([path, 200])
    expect([path, await again({ 'if-modified-since': written, 'if-none-match': '"other"' })]).toEqual([path, 200])
  }
})

test('COM-1 a page of a PDF is a picture, or a document of one page for whoever wants that', async () => {
  const { app } = await appOf()
  const at = `/api/v1/books/${drawn}`
  const typeOf = async (path: string, accept = '*/*') => {
    const { status, headers } = await app.send(`${at}/${path}`, { headers: { accept } })
    return [status, headers['content-type']]
  }
  const asDocument = [200, 'application/pdf']
  const asPicture = [200, 'image/jpeg']
  for (const path of ['pages/2/raw', 'pages/2']) expect(await typeOf(path, 'application/pdf')).toEqual(asDocument)
  expect(await typeOf('pages/1?zero_based=true', 'application/pdf,image/*;q=0.5')).toEqual(asDocument)
  expect(await typeOf('pages/2/raw')).toEqual(asDocument)
  expect(await typeOf('pages/2')).toEqual(asPicture)
  expect(await typeOf('pages/2', 'image/jpeg,application/pdf;q=0.8')).toEqual(asPicture)
  expect(await typeOf('pages/2?contentNegotiation=false', 'application/pdf')).toEqual(asPicture)
  expect(await typeOf('pages/2?convert=png', 'application/pdf')).toEqual([200, 'image/png'])
  expect((await app.send(`${at}/pages/3/raw`)).status).toBe(400)
  // Only a PDF has such pages.
  const [comic = ''] = comics
  const page = await app.send(`/api/v1/books/${comic}/pages/1`, { headers: { accept: 'application/pdf' } })
  expect(page.headers['content-type']).toBe('image/jpeg')

  const cookie = [...app.cookies].map((each) => each.join('=')).join('; ')
  const cut = await fetch(`${server.url}/lib/komga${at}/pages/2/raw`, { headers: { cookie } })
  const alone = await openPdfBook(Buffer.from(await cut.arrayBuffer()))
  expect(await alone.pages()).toHaveLength(1)
  alone.close()
})

test('COM-1 the manifest of a PDF leads to documents, and that of a book of pages to their pictures', async () => {
  const { app } = await appOf()
  const manifest = async (kind: string) => {
    const { json } = await app.send(`/api/v1/books/${drawn}/manifest${kind}`)
    const { metadata, readingOrder } = json as CompatManifest
    return [metadata, readingOrder.map(({ href, type }) => [href.replace(/^.*\/pages/, ''), type])]
  }
  const conformsTo = (kind: string) => ({ conformsTo: `https://readium.org/webpub-manifest/profiles/${kind}` })
  const documents = ['/1/raw', '/2/raw'].map((href) => [href, 'application/pdf'])
  const pictures = ['/1', '/2'].map((href) => [`${href}?contentNegotiation=false`, 'image/jpeg'])
  expect(await manifest('')).toMatchObject([conformsTo('pdf'), documents])
  expect(await manifest('/pdf')).toMatchObject([conformsTo('pdf'), documents])
  expect(await manifest('/divina')).toMatchObject([conformsTo('divina'), pictures])
})

test('COM-1 AUTH-6 fonts of an EPUB are shown to anybody who knows its address, and nothing else of it', async () => {
  const part = (name: string, headers = {}) =>
    plainRequest(`${server.url}/lib/komga/api/v1/books/${lettered}/resource/${name}`, { headers })
  const font = await part('OEBPS/fonts/whale.woff2')
  expect([font.status, font.headers['content-type']]).toEqual([200, 'font/woff2'])
  expect((await part('OEBPS/fonts/whale.woff2', { 'if-none-match': String(font.headers.etag) })).status).toBe(304)
  // A file that is called a font and is none is not sent, and the answer does not reveal whether there are others.
  expect((await part('OEBPS/secret.ttf')).status).toBe(404)
  expect((await part('OEBPS/none.otf')).status).toBe(404)
  for (const name of ['OEBPS/content.opf', 'OEBPS/a.svg', 'x'])
    expect([name, (await part(name)).status]).toEqual([name, 401])
  const wrong = basic('role-nobody', 'wrong password')
  expect((await part('OEBPS/fonts/whale.woff2', wrong)).status).toBe(401)
  const { app } = await appOf()
  expect((await app.send(`/api/v1/books/${lettered}/resource/OEBPS/secret.ttf`)).status).toBe(200)
})

test('COM-1 editors give books and series other covers, readers look at them', async () => {
  const { app } = await appOf()
  const editor = await server.person('editor')
  const editing = compatApp(`${server.url}/lib`, { headers: { authorization: `Bearer ${editor.accessToken}` } })
  for (const subject of [`books/${comics[1] ?? ''}`, `series/${shelf.series.id}`]) {
    const at = `/api/v1/${subject}/thumbnails`
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(tinyJpeg(77))], { type: 'image/jpeg' }), 'cover.jpg')
    const upload = (token: string) =>
      fetch(`${server.url}/lib/komga${at}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
    const given = await upload(editor.accessToken)
    const { id } = (await given.json()) as { id: string }
    expect(given.status).toBe(200)
    const listed = (await app.send(at)).json as { id: string; type: string }[]
    expect(listed.find((each) => each.id === id.replaceAll('-', ''))).toMatchObject({
      type: 'USER_UPLOADED',
      selected: true,
    })
    expect((await app.send(`${at}/${id}`)).headers['content-type']).toBe('image/jpeg')
    expect((await app.send(`${at}/${id}`, { method: 'DELETE' })).status).toBe(403)
    expect((await editing.send(`${at}/${id}/selected`, { method: 'PUT' })).status).toBe(204)
    expect((await editing.send(`${at}/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await app.send(`${at}/${id}`)).status).toBe(404)
  }
})

test('COM-1 progress by page, by book and by series; the last page ends a book', async () => {
  const { app, person } = await appOf('Paperback/9')
  const [one = '', two = ''] = comics
  const patch = (id: string, body: object) => app.send(`/api/v1/books/${id}/read-progress`, { method: 'PATCH', body })
  expect((await patch(one, { page: 2 })).status).toBe(204)
  expect(await progressOf(person, one)).toMatchObject({ currentPage: 2, completed: false })
  expect((await patch(one, { page: 4, completed: false })).status).toBe(204)
  expect(await progressOf(person, one)).toMatchObject({ currentPage: 4, completed: true })
  expect((await patch(two, { completed: true })).status).toBe(204)
  expect(await progressOf(person, two)).toMatchObject({ currentPage: 4, completed: true })
  for (const wrong of [{ page: 0 }, { page: 5 }, {}, { completed: false }])
    expect((await patch(one, wrong)).status).toBe(400)
  for (const _ of [1, 2])
    expect((await app.send(`/api/v1/books/${one}/read-progress`, { method: 'DELETE' })).status).toBe(204)
  expect(await progressOf(person, one)).toBeUndefined()

  const all = `/api/v1/series/${shelf.series.id}/read-progress`
  expect((await app.send(all, { method: 'POST' })).status).toBe(204)
  expect(await Promise.all(comics.map(async (id) => (await progressOf(person, id))?.completed))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect((await app.send(all, { method: 'DELETE' })).status).toBe(204)
  expect(await progressOf(person, two)).toBeUndefined()
})

test('C12 COM-1 a write that may have been an accident is answered as always, and changes nothing', async () => {
  const { app, person } = await appOf('KMReader/4')
  const pages = Array.from({ length: 20 }, (_, n) => ({
    name: `${n}.jpg`,
    bytes: tinyJpeg(500 + n),
    method: 'stored' as const,
  }))
  const id = await shelf.addBook('long.cbz', zip(pages), { series: await shelf.addSeries({ title: 'Long' }) })
  bodyOf(
    await person.call(
      api.saveProgress,
      { params: { id }, body: { currentPage: 15 } },
      { headers: { 'x-device-id': 'sofa' } },
    ),
  )
  expect((await app.send(`/api/v1/books/${id}/read-progress`, { method: 'PATCH', body: { page: 1 } })).status).toBe(204)
  expect(await progressOf(person, id)).toMatchObject({ currentPage: 15 })
  const { data } = bodyOf(await person.call(api.listProgressHistory, { params: { id } }))
  expect(data[0]).toMatchObject({ heldBack: true, currentPage: 1, device: { name: 'KMReader' } })
  const log = await server.context.db.read
    .selectFrom('reading_log')
    .select('source')
    .where('book_id', '=', id)
    .execute()
  expect(new Set(log.map(({ source }) => source))).toEqual(new Set(['put', 'compatibility']))
})

test('COM-1 trackers read and write how far a series and a read list are read, by number and by place', async () => {
  const { app, person } = await appOf('Mihon v1')
  const at = `/api/v2/series/${shelf.series.id.replaceAll('-', '')}/read-progress/tachiyomi`
  const counts = { booksCount: 4, booksReadCount: 0, booksUnreadCount: 4, booksInProgressCount: 0 }
  expect((await app.send(at)).json).toEqual({ ...counts, lastReadContinuousNumberSort: 0, maxNumberSort: 3 })
  expect((await app.send(at, { method: 'PUT', body: { lastBookNumberSortRead: 2.5 } })).status).toBe(204)
  expect((await app.send(at)).json).toMatchObject({
    booksReadCount: 3,
    booksUnreadCount: 1,
    lastReadContinuousNumberSort: 2.5,
  })
  bodyOf(await person.call(api.markBookUnread, { params: { id: comics[0] ?? '' } }))
  bodyOf(await person.call(api.saveProgress, { params: { id: comics[3] ?? '' }, body: { currentPage: 2 } }))
  expect((await app.send(at)).json).toEqual({
    booksCount: 4,
    booksReadCount: 2,
    booksUnreadCount: 1,
    booksInProgressCount: 1,
    lastReadContinuousNumberSort: 0,
    maxNumberSort: 3,
  })

  const id = await readListOf('role-5', comics.toReversed())
  const list = `/api/v1/readlists/${id}/read-progress/tachiyomi`
  expect((await app.send(list, { method: 'PUT', body: { lastBookRead: 1 } })).status).toBe(204)
  expect((await app.send(list)).json).toMatchObject({ booksReadCount: 3, lastReadContinuousIndex: 3 })
  expect((await app.send('/api/v1/readlists/nothing/read-progress/tachiyomi')).status).toBe(404)
})

test('COM-1 the manifest has whole addresses, which lead to what they name', async () => {
  const { app } = await appOf('Komelia/1')
  const base = 'https://books.example/lib/komga'
  const plain = novel.replaceAll('-', '')
  const reply = await app.send(`/api/v1/books/${novel}/manifest`)
  const manifest = reply.json as { readingOrder: { href: string }[]; resources: { href: string }[]; metadata: object }
  expect(reply.headers['content-type']).toMatch(/^application\/webpub\+json/)
  const hrefs = [...manifest.readingOrder, ...manifest.resources].map(({ href }) => href)
  expect(hrefs.every((href) => href.startsWith(`${base}/api/v1/books/${plain}/resource/`))).toBe(true)
  for (const href of hrefs) expect([href, (await app.send(href.slice(base.length))).status]).toEqual([href, 200])
  const comic = await app.send(`/api/v1/books/${comics[0] ?? ''}/manifest/divina`)
  expect([comic.headers['content-type'], comic.json]).toMatchObject([
    expect.stringMatching(/^application\/divina\+json/),
    { readingOrder: [{}, {}, {}, {}] },
  ])
  expect((await app.send(`/api/v1/books/${comics[0] ?? ''}/manifest/epub`)).status).toBe(404)
})

test('COM-1 progression: by file and by page, refused where it is older or nowhere, and found again', async () => {
  const { app, person } = await appOf('Liseur/1')
  const at = `/api/v1/books/${novel}/progression`
  expect((await app.send(at)).status).toBe(204)
  const positions = await app.send(`/api/v1/books/${novel}/positions`)
  expect(positions.headers['content-type']).toMatch(/^application\/vnd\.readium\.position-list\+json/)
  const { positions: listedPositions } = positions.json as { positions: { href: string; type: string }[] }
  const { href = '', type = '' } = listedPositions.at(-1) ?? {}
  const device = { id: 'tablet', name: 'Tablet' }
  const say = (modified: string, locator: object, id = novel) =>
    app.send(`/api/v1/books/${id}/progression`, { method: 'PUT', body: { modified, device, locator } })
  const target = { href: `/${encodeURI(href)}#here`, type, locations: { progression: 0, fragments: [] } }
  expect((await say('2026-11-20T10:00:00Z', target)).status).toBe(204)
  expect((await say('2026-11-20T10:00:00Z', target)).status).toBe(409)
  expect((await say('2026-11-19T10:00:00.123Z', target)).status).toBe(409)
  expect((await say('2026-11-20T11:00:00Z', { ...target, href: 'nowhere.xhtml' })).status).toBe(400)
  expect((await say('2026-11-20T11:00:00Z', { ...target, locations: {} })).status).toBe(400)
  const read = await app.send(at)
  expect(read.headers['content-type']).toMatch(/^application\/vnd\.readium\.progression\+json/)
  expect(read.json).toMatchObject({
    modified: '2026-11-20T10:00:00Z',
    device,
    locator: { href, locations: { progression: 0 } },
  })

  const [, two = ''] = comics
  expect((await say('2026-11-20T10:00:00Z', { href: '', locations: { position: 9 } }, two)).status).toBe(400)
  expect((await say('2026-11-20T10:00:00Z', { href: '', locations: { position: 3 } }, two)).status).toBe(204)
  expect(await progressOf(person, two)).toMatchObject({ currentPage: 3 })
})

test('COM-1 C12 who deletes where they are and reads on is heard, though the clock of the app is behind', async () => {
  const { app, person } = await appOf('Liseur/1')
  const [one = ''] = comics
  const device = { id: 'tablet', name: 'Tablet' }
  const say = async (modified: string, position: number) => {
    const body = { modified, device, locator: { href: '', locations: { position } } }
    return (await app.send(`/api/v1/books/${one}/progression`, { method: 'PUT', body })).status
  }
  expect(await say('2026-11-20T10:00:00Z', 3)).toBe(204)
  expect((await app.send(`/api/v1/books/${one}/read-progress`, { method: 'DELETE' })).status).toBe(204)
  expect(await say('2026-11-20T10:00:00Z', 3)).toBe(409)
  expect(await say('2026-11-20T10:01:00Z', 2)).toBe(204)
  expect(await progressOf(person, one)).toMatchObject({ currentPage: 2 })
  expect(await say('2026-11-20T10:02:00Z', 3)).toBe(204)
  expect(await progressOf(person, one)).toMatchObject({ currentPage: 3 })
})
