import * as api from '@carrel/api'
import { type OpdsFeed, type OpdsManifest, type OpdsPublication, opdsTypes } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicEpub, epub } from '../../../../test/books/epub.ts'
import { pdfFile } from '../../../../test/books/pdf.ts'
import { png, tinyJpeg } from '../../../../test/books/pictures.ts'
import { zip } from '../../../../test/books/zip.ts'
import { upsertTerms } from '../../../catalogue/terms/terms.ts'
import { readingApp, type ReadingApp } from '../../../../test/opds.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { fillShelf, type Shelf } from '../../../../test/shelf.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let shelf: Shelf
let reader: Person
let app: ReadingApp
let comic: string
let novel: string
let paper: string

const people = [
  { name: 'Kiyohiko Azuma', role: 'writer', sortName: 'Azuma, Kiyohiko' },
  { name: 'Somebody Else', role: 'janitor', sortName: null },
]

beforeAll(async () => {
  server = await startServer()
  shelf = await fillShelf(server)
  const pages = [tinyJpeg(1), png({ width: 40, height: 60 }), tinyJpeg(2)]
  comic = await shelf.addBook(
    'one.cbz',
    zip(
      pages.map((bytes, index) => ({
        name: `${index}.${index === 1 ? 'png' : 'jpg'}`,
        bytes,
        method: 'stored' as const,
      })),
    ),
    {
      title: 'Blame 1',
      number: 1,
      reading_direction: 'rtl',
      metadata: JSON.stringify({ authors: people, genres: ['Comedy'], year: 2003, language: 'en_US' }),
    },
  )
  novel = await shelf.addBook('novel.epub', epub(), { title: 'The Novel', number: 2 })
  paper = await shelf.addBook('paper.pdf', pdfFile({ pages: [{ text: ['one'] }, { text: ['two'] }] }), {
    title: 'Paper',
    number: 3,
  })
  await server.context.db.write((db) =>
    upsertTerms(
      db,
      'book',
      [{ id: comic, fields: { authors: people, genres: ['Comedy'] }, hadAny: false }],
      new Date(),
    ),
  )
  reader = await server.person('reader')
  app = readingApp(server, reader)
})

afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** The schema of OPDS 2 refuses these, wherever they stand. */
const requirePlain = (value: unknown, path = ''): void => {
  if (value === null || value === '') throw new Error(`${path} is blank`)
  if (Array.isArray(value)) {
    if (value.length === 0 && !/\/(?:resources|toc)$/.test(path)) throw new Error(`${path} is empty`)
    value.forEach((each, index) => requirePlain(each, `${path}/${index}`))
  } else if (typeof value === 'object') {
    const record = value as Record<string, unknown>
    for (const [key, each] of Object.entries(record)) requirePlain(each, `${path}/${key}`)
    if (typeof record['href'] === 'string' && record['href'].includes('{') !== (record['templated'] === true))
      throw new Error(`${path} is a template, and does not say so`)
  }
}

test('OPD-1 the beginning shows the ways on and what somebody reads, and every link of it answers', async () => {
  bodyOf(await reader.call(api.saveProgress, { params: { id: comic }, body: { currentPage: 2 } }))
  const { status, headers, json } = await app.ask('/opds/v2')
  expect([status, headers['content-type']]).toEqual([200, opdsTypes.feed])
  expect((await app.ask('/opds/v2/')).json).toEqual(json)
  const feed = json as OpdsFeed
  requirePlain(feed)
  expect(feed.links.find(({ rel }) => rel === 'search')).toEqual({
    rel: 'search',
    href: `${server.url}/opds/v2/search{?query,title,author}`,
    type: opdsTypes.feed,
    templated: true,
  })
  expect(feed.groups?.map(({ metadata }) => metadata.title)).toEqual([
    'Keep reading',
    'Newest books',
    'Newest series',
    'Libraries',
  ])
  expect(feed.groups?.every(({ links }) => links[0]?.rel === 'self')).toBe(true)
  const onward = [...(feed.navigation ?? []), ...(feed.groups ?? []).flatMap(({ links }) => links)]
  for (const { href } of onward) {
    const next = await app.ask(href)
    expect([href, next.status, next.headers['content-type']]).toEqual([href, 200, opdsTypes.feed])
    requirePlain(next.json, href)
  }
})

test('OPD-1 a publication says what it is, how it looks and how it is had', async () => {
  // Covers are made when they are first asked for, and have another address then.
  await app.ask(`/opds/v1/books/${comic}/cover`)
  const publication = await app.json<OpdsPublication>(`/opds/v2/books/${comic}`)
  requirePlain(publication)
  expect(publication.metadata).toMatchObject({
    title: 'Blame 1',
    identifier: `urn:uuid:${comic}`,
    author: [{ name: 'Kiyohiko Azuma', sortAs: 'Azuma, Kiyohiko' }],
    contributor: [{ name: 'Somebody Else' }],
    language: 'en-US',
    published: '2003-01-01',
    numberOfPages: 3,
    readingProgression: 'rtl',
    belongsTo: { series: { name: 'Blame', position: 1 } },
  })
  const { links, images } = publication
  expect(links.find(({ rel }) => rel === 'http://opds-spec.org/acquisition')).toMatchObject({
    href: `/opds/v1/books/${comic}/file/one.cbz`,
    type: 'application/vnd.comicbook+zip',
    properties: { authenticate: { href: '/opds/v2/auth', type: opdsTypes.authentication } },
  })
  for (const { href, type } of [...links, ...images]) {
    const { status, headers } = await app.ask(href)
    const isUnbegun = status === 204 && /progression|position/.test(href)
    expect([href, isUnbegun || [status, headers['content-type']]]).toEqual([href, isUnbegun || [200, type]])
  }
  const feed = await app.json<OpdsFeed>(`/opds/v2/series/${shelf.series.id}`)
  requirePlain(feed)
  expect(feed.publications?.[0]).toEqual({ ...publication, metadata: { ...publication.metadata, title: '1' } })
  expect(feed.publications?.map(({ metadata }) => metadata.title)).toEqual(['1', '2: The Novel', '3: Paper'])
  expect(
    feed.facets?.map(({ metadata, links }) => [metadata.title, links.filter(({ rel }) => rel === 'self').length]),
  ).toEqual([
    ['Sort by', 1],
    ['Read status', 1],
  ])
})

test('OPD-1 the manifest of a comic is its pages, each of the type it says', async () => {
  const { status, headers, json } = await app.ask(`/opds/v2/books/${comic}/manifest/divina`)
  expect([status, headers['content-type']]).toEqual([200, opdsTypes.divina])
  const manifest = json as OpdsManifest
  requirePlain(manifest)
  expect(manifest.metadata).toMatchObject({
    conformsTo: 'https://readium.org/webpub-manifest/profiles/divina',
    readingProgression: 'rtl',
    layout: 'fixed',
  })
  expect(manifest.readingOrder.map(({ type }) => type)).toEqual(['image/jpeg', 'image/png', 'image/jpeg'])
  for (const { href, type } of manifest.readingOrder) {
    const page = await app.ask(href, { accept: 'image/webp,*/*' })
    expect([href, page.status, page.headers['content-type']]).toEqual([href, 200, type])
  }
})

test('OPD-1 the manifest of a book of text leads to its parts, that of a PDF to the file', async () => {
  const text = await app.json<OpdsManifest>(`/opds/v2/books/${novel}/manifest`)
  requirePlain(text)
  expect(text.metadata).toMatchObject({ layout: 'reflowable', conformsTo: expect.stringMatching(/epub$/) })
  expect(text.readingOrder.length).toBeGreaterThan(0)
  for (const { href, type } of [...text.readingOrder, ...text.resources].slice(0, 4)) {
    const part = await app.ask(href)
    expect([href, part.status, part.headers['content-type']?.split(';')[0]]).toEqual([href, 200, type])
  }
  expect((await app.ask(`/opds/v2/books/${novel}/manifest/divina`)).status).toBe(404)
  const pdf = await app.json<OpdsManifest>(`/opds/v2/books/${paper}/manifest`)
  expect(pdf.readingOrder).toEqual([
    { href: `/opds/v1/books/${paper}/file/paper.pdf`, type: 'application/pdf', title: 'Blame 3: Paper' },
  ])
  const drawn = await app.json<OpdsManifest>(`/opds/v2/books/${paper}/manifest/divina`)
  expect(drawn.readingOrder.map(({ type }) => type)).toEqual(['image/jpeg', 'image/jpeg'])
  expect((await app.ask(drawn.readingOrder[0]?.href ?? '')).headers['content-type']).toBe('image/jpeg')
})

test('OPD-1 an EPUB of pictures has a manifest of each kind', async () => {
  const series = await shelf.addSeries({ title: 'Pictures' })
  const id = await shelf.addBook('pictures.epub', comicEpub(3), { series, title: 'Pictures 1' })
  const drawn = await app.json<OpdsManifest>(`/opds/v2/books/${id}/manifest/divina`)
  expect(drawn.readingOrder.map(({ type }) => type)).toEqual(['image/jpeg', 'image/jpeg', 'image/jpeg'])
  expect((await app.ask(drawn.readingOrder[2]?.href ?? '')).status).toBe(200)
  expect((await app.json<OpdsManifest>(`/opds/v2/books/${id}/manifest`)).metadata.layout).toBe('fixed')
})

test('OPD-1 a search finds books and series, by text, title or author', async () => {
  const byText = await app.json<OpdsFeed>('/opds/v2/search?query=blame')
  expect(byText.groups?.map(({ navigation }) => navigation?.map(({ title }) => title))).toEqual([['Blame']])
  expect(byText.publications?.length).toBe(3)
  const byAuthor = await app.json<OpdsFeed>('/opds/v2/search?author=azuma&title=blame')
  expect(byAuthor.publications?.map(({ metadata }) => metadata.identifier)).toEqual([`urn:uuid:${comic}`])
  const [genre] = (await app.json<OpdsFeed>('/opds/v2/genres')).navigation ?? []
  const [person] = (await app.json<OpdsFeed>('/opds/v2/people')).navigation ?? []
  expect([genre?.title, person?.title]).toEqual(['Comedy', 'Kiyohiko Azuma'])
  for (const href of [genre?.href ?? '', person?.href ?? ''])
    expect((await app.json<OpdsFeed>(href)).publications?.map(({ metadata }) => metadata.title)).toEqual(['Blame 1'])
  const nothing = await app.json<OpdsFeed>('/opds/v2/search?query=xyzzy')
  requirePlain(nothing)
  expect(nothing.navigation).toHaveLength(1)
})

test('OPD-1 links lead where the server is reached, under its base path and its public name', async () => {
  await using other = await startServer({
    env: { CARREL_BASE_PATH: '/books', CARREL_PUBLIC_URL: 'https://library.example/books' },
  })
  const person = await other.person('reader')
  const there = readingApp(other, person)
  const feed = await there.json<OpdsFeed>('/books/opds/v2')
  expect(feed.navigation?.[0]?.href).toBe('/books/opds/v2/keep-reading')
  expect(feed.links.find(({ rel }) => rel === 'search')?.href).toMatch(
    /^https:\/\/library\.example\/books\/opds\/v2\/search/,
  )
  const { text } = await there.ask('/books/opds/v1/opensearch.xml')
  expect(text).toContain('"https://library.example/books/opds/v1/search?q={searchTerms}"')
  const refused = await readingApp(other, { username: 'nobody', password: 'nothing' }).ask('/books/opds/v2')
  expect(refused.json).toMatchObject({ id: 'https://library.example/books/opds/v2/auth' })
})
