import * as api from '@carrel/api'
import {
  type CompatBook,
  type CompatManifest,
  type CompatPage,
  type CompatPageDto,
  type OpdsManifest,
  opdsTypes,
} from '@carrel/api/doors'
import { afterAll, expect, test } from 'vitest'
import { comicEpub, epub } from '../../../../test/books/epub.ts'
import { fictionBook } from '../../../../test/books/fb2.ts'
import { mobiFile } from '../../../../test/books/mobi.ts'
import { pdfFile } from '../../../../test/books/pdf.ts'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { zip } from '../../../../test/books/zip.ts'
import { basic, type CompatApp, compatApp } from '../../../../test/compat-app.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { readingApp } from '../../../../test/opds.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { fillShelf } from '../../../../test/shelf.ts'
import { startServer, testPassword } from '../../../../test/start-server.ts'

const server = await startServer({ env: doorsOpen })
const shelf = await fillShelf(server)
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
const admin = await server.person('admin')
const reader = await server.person('reader')

const pages = [1, 2].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const }))
const novel = await shelf.addBook('novel.epub', epub(), { number: 1 })
const drawnNovel = await shelf.addBook('drawn novel.epub', comicEpub(5), { number: 2 })
const laidOut = await shelf.addBook('laid out.epub', epub({ layout: 'fixed' }), { number: 3 })
const kindle = await shelf.addBook('kindle.mobi', mobiFile(), { number: 4 })
const fiction = await shelf.addBook('fiction.fb2', Buffer.from(fictionBook()), { number: 5 })
const comic = await shelf.addBook('comic.cbz', zip(pages), { number: 6 })
const document = await shelf.addBook('document.pdf', pdfFile({ pages: [{}, {}] }), { number: 7 })
const texts = [novel, laidOut, kindle, fiction]
const pictured = [drawnNovel, comic, document]

const app = compatApp(server.url, { headers: basic(reader.username, testPassword) })
const get = async <Reply>(path: string): Promise<Reply> => {
  const { status, json } = await app.send(`/api/v1${path}`)
  expect([path, status]).toEqual([path, 200])
  return json as Reply
}
const listed = async () => (await get<CompatPage<CompatBook>>(`/series/${shelf.series.id}/books?unpaged=true`)).content
const pagesOf = (id: string) => get<CompatPageDto[]>(`/books/${id}/pages`)

const booksOf = async (app: CompatApp, profile: string) => {
  const body = { condition: { mediaProfile: { operator: 'is', value: profile } } }
  const { json } = await app.send('/api/v1/books/list?unpaged=true', { method: 'POST', body })
  return (json as CompatPage<CompatBook>).content
}

/** Readers that know both kinds decide like this. */
const readsAsText = ({ media }: CompatBook): boolean => media.mediaProfile === 'EPUB' && !media.epubDivinaCompatible

test('C1 an EPUB is said to have pages only where its pages are listed, and then as many as are counted', async () => {
  const books = await listed()
  expect(books.filter(readsAsText).map(({ id }) => id)).toEqual(texts)
  for (const book of books) {
    const { length } = await pagesOf(book.id)
    expect([book.name, length]).toEqual([book.name, readsAsText(book) ? 0 : book.media.pagesCount])
    expect(book.media.pagesCount).toBeGreaterThan(0)
  }
  const ofProfile = async (profile: string) => (await booksOf(app, profile)).map(({ id }) => id).toSorted()
  expect(await ofProfile('EPUB')).toEqual([...texts, drawnNovel].toSorted())
  expect([await ofProfile('DIVINA'), await ofProfile('PDF')]).toEqual([[comic], [document]])
})

test('C1 COM-2 an app that opens EPUBs itself is offered no other file as one', async () => {
  const headers = { ...basic(reader.username, testPassword), 'user-agent': 'Liseur/1.4' }
  const books = await booksOf(compatApp(server.url, { headers }), 'EPUB')
  expect(books.map(({ name }) => name).toSorted()).toEqual(['drawn novel', 'laid out', 'novel'])
  for (const { id } of books) {
    const file = await compatApp(server.url, { headers }).send(`/api/v1/books/${id}/file`)
    expect(file.headers['content-type']).toMatch(/^application\/epub\+zip/)
  }
  const one = (await compatApp(server.url, { headers }).send(`/api/v1/books/${kindle}`)).json as CompatBook
  expect(one.media).toMatchObject({ mediaProfile: '', mediaType: 'application/x-mobipocket-ebook' })
})

test('C1 whoever shows pictures only finds a picture in every book that is left, and whoever shows text finds text', async () => {
  const [text, pictures] = [texts, pictured].map((ids) => ids.map((id) => `/books/${id}`))
  for (const at of text ?? []) {
    const { metadata, readingOrder } = await get<CompatManifest>(`${at}/manifest/epub`)
    expect(metadata).toMatchObject({ conformsTo: 'https://readium.org/webpub-manifest/profiles/epub' })
    expect((await app.send(new URL(readingOrder[0]?.href ?? '').pathname.replace('/komga', ''))).status).toBe(200)
    expect((await app.send(`/api/v1${at}/manifest/divina`)).status).toBe(404)
  }
  for (const at of pictures ?? []) {
    const { metadata, readingOrder } = await get<CompatManifest>(`${at}/manifest/divina`)
    expect(metadata).toMatchObject({ conformsTo: 'https://readium.org/webpub-manifest/profiles/divina' })
    expect(readingOrder).toHaveLength((await get<CompatBook>(at)).media.pagesCount)
    const { pathname, search } = new URL(readingOrder.at(-1)?.href ?? '')
    const picture = await app.send(pathname.replace('/komga', '') + search)
    expect([at, picture.status, picture.headers['content-type']]).toEqual([at, 200, 'image/jpeg'])
  }
})

test('C1 a book of text that is nothing but pictures is read on by its files, as text is, and by its pages', async () => {
  const at = `/books/${drawnNovel}`
  const { readingOrder } = await get<CompatManifest>(`${at}/manifest/epub`)
  const { positions } = await get<{ positions: { href: string }[] }>(`${at}/positions`)
  expect(positions).toHaveLength(readingOrder.length)
  for (const [index, { href }] of positions.entries())
    expect(readingOrder[index]?.href).toMatch(new RegExp(`/resource/${href}$`))
  const device = { id: 'tablet', name: 'Tablet' }
  const say = async (minute: number, locator: object) => {
    const body = { modified: `2026-11-20T10:0${minute}:00Z`, device, locator }
    return (await app.send(`/api/v1${at}/progression`, { method: 'PUT', body })).status
  }
  const heard = async () => (await get<{ locator: object }>(`${at}/progression`)).locator
  const { href } = positions[2] ?? {}
  const type = 'application/xhtml+xml'

  expect(await say(1, { href, type, locations: { progression: 0, totalProgression: 0.4 } })).toBe(204)
  expect(await heard()).toMatchObject({ href, type, locations: { progression: 0, totalProgression: 0.4 } })
  const ofReader = () => reader.call(api.readProgress, { params: { id: drawnNovel } })
  expect(bodyOf(await ofReader())).toMatchObject({ currentPage: 3 })

  expect(await say(2, { href: '', locations: { position: 4 } })).toBe(204)
  expect(await heard()).toMatchObject({ href: positions[3]?.href, locations: { position: 4 } })
  expect(bodyOf(await ofReader())).toMatchObject({ currentPage: 4 })
  expect(await say(3, { href: 'nowhere.xhtml', locations: { progression: 0 } })).toBe(400)
})

test('OPD-1 COM-1 where somebody is, said at the door of OPDS in any way, is a part of the manifest at each door', async () => {
  const opds = readingApp(server, reader)
  const device = { id: 'urn:uuid:0191b2a0-0000-4000-8000-000000000001', name: 'Tablet' }
  let minute = 10
  const put = async (which: 'progression' | 'position', id: string, more: object) => {
    const body = { modified: `2026-11-21T10:${(minute += 1)}:00Z`, device, ...more }
    const type = which === 'progression' ? opdsTypes.progression : opdsTypes.readiumProgression
    const { status } = await opds.ask(`/opds/v2/books/${id}/${which}`, { 'content-type': type }, 'PUT', body)
    expect([which, more, status]).toEqual([which, more, which === 'progression' ? 200 : 204])
  }
  const atDoors = async (id: string) => {
    const position = (await opds.ask(`/opds/v2/books/${id}/position`)).json as { locator: object }
    const { references } = (await opds.ask(`/opds/v2/books/${id}/progression`)).json as { references?: string[] }
    return [position.locator, (await get<{ locator: object }>(`/books/${id}/progression`)).locator, references]
  }
  const chapter = 'OEBPS/text/ch1.xhtml'
  const text = { href: `/opds/v2/books/${novel}/resources/${chapter}`, type: 'application/xhtml+xml' }
  const compatText = { href: chapter, type: text.type, locations: { progression: expect.any(Number) as unknown } }

  await put('progression', novel, { progression: 0.1, references: [`${chapter}#par3`] })
  expect(await atDoors(novel)).toMatchObject([text, compatText, [`${chapter}#par3`]])
  const inFull = `https://books.example${text.href}`
  await put('position', novel, {
    locator: { ...text, href: inFull, locations: { progression: 0.5, totalProgression: 0.2 } },
  })
  expect(await atDoors(novel)).toMatchObject([
    { ...text, locations: { progression: 0.5 } },
    { ...compatText, locations: { progression: 0.5 } },
    [`resources/${chapter}`],
  ])

  const page = { href: `/opds/v2/books/${comic}/pages/2`, type: 'image/jpeg' }
  const compatPage = { href: '', locations: { position: 2 } }
  await put('progression', comic, { progression: 1, references: ['#page=2'] })
  expect(await atDoors(comic)).toMatchObject([page, compatPage, ['#page=2']])
  await put('position', comic, { locator: { ...page, locations: { totalProgression: 1 } } })
  expect(await atDoors(comic)).toMatchObject([page, compatPage, ['pages/2']])
})

test('OPD-1 COM-1 a heading of a table of contents leads to what stands first under it, at both doors', async () => {
  const { toc } = await get<CompatManifest>(`/books/${novel}/manifest`)
  const opds = await readingApp(server, reader).ask(`/opds/v2/books/${novel}/manifest`)
  for (const [heading] of [toc as OpdsManifest['toc'], (opds.json as OpdsManifest).toc]) {
    expect(heading?.href).toMatch(/ch1\.xhtml$/)
    expect(heading?.href).toBe(heading?.children?.[0]?.href)
  }
})

test('C11 a manifest says who made the book, in what language, when, what it is about and where it belongs', async () => {
  const body = {
    summary: 'Of whales',
    year: 1851,
    month: 10,
    day: 18,
    tags: ['Sea'],
    languageIso: 'en',
    publisher: 'Harper',
    authors: [
      { name: 'Herman Melville', role: 'author' },
      { name: 'Rockwell Kent', role: 'illustrator' },
      { name: 'Anon', role: 'narrator' },
    ],
  }
  const params = { id: novel }
  bodyOf(await admin.call(api.editBookMetadata, { params, body }))
  expect((await get<CompatManifest>(`/books/${novel}/manifest`)).metadata).toMatchObject({
    author: ['Herman Melville'],
    penciler: ['Rockwell Kent'],
    contributor: ['Anon'],
    language: 'en',
    description: 'Of whales',
    published: '1851-10-18',
    publisher: 'Harper',
    subject: ['Sea'],
    belongsTo: { series: [{ name: shelf.series.title, position: 1 }] },
    modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown,
  })
})

test('C3 W5 a part of a book may stand in a frame of the same origin; nothing of it runs, and nothing comes from elsewhere', async () => {
  const { readingOrder, resources } = await get<CompatManifest>(`/books/${novel}/manifest`)
  for (const { href } of [...readingOrder, ...resources]) {
    const { headers } = await app.send(new URL(href).pathname.replace('/komga', ''))
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(expect.arrayContaining(["script-src 'none'", "object-src 'none'", "frame-ancestors 'self'"]))
    expect(policy.filter((each) => /sandbox|unsafe-eval|script-src '(?!none)|https?:|\*/.test(each))).toEqual([])
    expect([headers['x-frame-options'], headers['x-content-type-options']]).toEqual(['SAMEORIGIN', 'nosniff'])
  }
  const own = await fetch(`${server.url}/api/v1/books/${novel}/resources/OEBPS/text/ch1.xhtml`, {
    headers: { authorization: `Bearer ${reader.accessToken}` },
  })
  expect(own.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
  const page = await app.send(`/api/v1/books/${comic}/pages/1`)
  expect(page.headers['x-frame-options']).toBe('DENY')
})
