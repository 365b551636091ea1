import * as api from '@carrel/api'
import { type OpdsFeed, type OpdsManifest, type OpdsPublication, opdsTypes } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicHeader } from '../../../test/basic-door.ts'
import { epub } from '../../../test/books/epub.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { type Element, linkOf, named, parseStrictly, readingApp, textOf } from '../../../test/opds.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { fillShelf, type Shelf } from '../../../test/shelf.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

// Each family of applications asks for this, in its order and with its headers, and looks for this in the answers.

let server: TestServer
let shelf: Shelf
let reader: Person
let comic: string
let novel: string

beforeAll(async () => {
  server = await startServer()
  shelf = await fillShelf(server)
  comic = await shelf.addBook(
    'Blame 1.cbz',
    zip([1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const }))),
    { title: 'Blame 1', number: 1, summary: 'A long way up' },
  )
  novel = await shelf.addBook('Novel.epub', epub(), { title: 'Novel', number: 2 })
  reader = await server.person('reader')
  bodyOf(await reader.call(api.saveProgress, { params: { id: comic }, body: { currentPage: 2 } }))
})

afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

interface ClientRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: unknown
  readonly isAnonymous?: boolean
}

const ask = (path: string, { headers = {}, isAnonymous = false, ...rest }: ClientRequest = {}) =>
  plainRequest(new URL(path, server.url).href, {
    ...rest,
    headers: { ...(!isAnonymous && basicHeader(reader.username, reader.password)), ...headers },
  })

const entriesOf = async (path: string, options: ClientRequest = {}): Promise<readonly Element[]> =>
  named(parseStrictly((await ask(path, options)).text), 'entry')

const hrefsOf = (entry: Element, fits: (attributes: Element['attributes']) => boolean): string[] =>
  named(entry, 'link')
    .filter(({ attributes }) => fits(attributes))
    .map(({ attributes }) => attributes['href'] ?? '')

const acquisition = 'http://opds-spec.org/acquisition'

/** The way from the beginning to the books of the one series, as most go it. */
const booksByWayOf = async (isWay: (attributes: Element['attributes']) => boolean, options: ClientRequest = {}) => {
  const titled = (entries: readonly Element[], title: string) =>
    entries.find((entry) => textOf(entry, 'title') === title) ?? {
      name: '',
      uri: '',
      attributes: {},
      children: [],
      text: '',
    }
  const [allSeries = ''] = hrefsOf(titled(await entriesOf('/opds/v1/catalog', options), 'Series'), isWay)
  const [books = ''] = hrefsOf(titled(await entriesOf(allSeries, options), 'Blame'), isWay)
  return entriesOf(books, options)
}

test('OPD-1 KOReader: HEAD before GET, folders by their relation, the description of the search, raw names, streaming', async () => {
  const headers = {
    accept: 'application/opds+json, application/atom+xml;profile=opds-catalog, */*',
    'accept-encoding': 'identity',
    'user-agent': 'KOReader/2026.07',
  }
  for (const path of ['/opds/v1/catalog', '/opds/v1/recent']) {
    const head = await ask(path, { headers, method: 'HEAD' })
    expect([head.status, head.headers['last-modified'], head.headers['content-encoding']]).toEqual([
      200,
      undefined,
      undefined,
    ])
    const { text } = await ask(path, { headers })
    expect(text.startsWith('<?xml')).toBe(true)
    expect(text).not.toMatch(/<content[^>]*\/>|<content (?!type="text">)/)
  }
  const followed = new Set(['subsection', 'http://opds-spec.org/sort/new', 'http://opds-spec.org/sort/popular'])
  const isFolder = ({ type = '', rel = '' }: Element['attributes']) =>
    type.includes('application/atom+xml') && followed.has(rel)
  const books = await booksByWayOf(isFolder, { headers })
  expect(books.flatMap((entry) => hrefsOf(entry, isFolder))).toEqual([])
  const downloads = books.map((entry) => hrefsOf(entry, ({ rel = '' }) => rel.startsWith(acquisition))[0] ?? '')
  expect(downloads.map((href) => /\.(\w+)$/.exec(href)?.[1])).toEqual(['cbz', 'epub'])
  const head = await ask(downloads[0] ?? '', { headers, method: 'HEAD' })
  expect(/filename="([^"]+)"/.exec(head.headers['content-disposition'] ?? '')?.[1]).toBe('Blame 1.cbz')
  const stream = books[0] && named(books[0], 'link').find(({ attributes }) => 'pse:count' in attributes)?.attributes
  expect([stream?.['pse:count'], stream?.['pse:lastRead']]).toEqual(['3', '2'])
  const address = stream?.['href']?.replace('{pageNumber}', '1').replace('{maxWidth}', '1072') ?? ''
  expect((await ask(address)).headers['content-type']).toBe('image/jpeg')

  const root = parseStrictly((await ask('/opds/v1/catalog', { headers })).text)
  const description = named(root, 'link').findLast(({ attributes }) => attributes['rel'] === 'search')?.attributes[
    'href'
  ]
  expect((await ask(description ?? '', { headers, method: 'HEAD' })).status).toBe(200)
  const [url] = named(parseStrictly((await ask(description ?? '', { headers })).text), 'Url')
  expect(url?.attributes['type']).toContain('application/atom+xml')
  const entries = await entriesOf(url?.attributes['template']?.replace('{searchTerms}', 'novel') ?? '', { headers })
  expect(entries.map((entry) => textOf(entry, 'id'))).toEqual([`urn:uuid:${novel}`])
})

test('OPD-1 KOReader with version 2: the first acquisition of each book, a picture, search by query', async () => {
  const feed = (await ask('/opds/v2/recent')).json as OpdsFeed
  for (const { links, images, metadata } of feed.publications ?? []) {
    expect(links.find(({ rel }) => rel === acquisition)?.href).toMatch(/\.(?:cbz|epub)$/)
    expect([typeof images[0]?.href, typeof metadata.title]).toEqual(['string', 'string'])
  }
  const search = feed.links.find(({ rel }) => rel === 'search')?.href.replace(/\{.*\}/, '')
  expect(((await ask(`${search}?query=novel`)).json as OpdsFeed).publications).toHaveLength(1)
})

test('OPD-1 Panels: a challenge before it signs in, series with pictures, an id for each entry, slashes at the end', async () => {
  const first = await ask('/opds/v1/catalog/', { isAnonymous: true })
  expect([first.status, first.headers['www-authenticate']]).toEqual([401, 'Basic realm="Carrel", charset="UTF-8"'])
  const series = await entriesOf('/opds/v1/series/')
  for (const entry of series) {
    const { status, headers } = await ask(linkOf(entry, 'http://opds-spec.org/image/thumbnail') ?? '')
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg'])
  }
  const books = await entriesOf(`/opds/v1/series/${shelf.series.id}/`)
  expect(new Set(books.map((entry) => textOf(entry, 'id'))).size).toBe(books.length)
  const streams = books.flatMap((entry) => hrefsOf(entry, ({ rel = '' }) => rel.includes('opds-pse')))
  expect(streams).toHaveLength(1)
  for (const page of [0, 1, 2])
    expect(
      (await ask(streams[0]?.replace('{pageNumber}', String(page)).replace('{maxWidth}', '640') ?? '')).status,
    ).toBe(200)
})

test('OPD-1 Chunky: UTF-8, the name of the file in its address, a number of pages', async () => {
  const { text } = await ask(`/opds/v1/series/${shelf.series.id}`)
  expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>/)
  const [book] = await entriesOf(`/opds/v1/series/${shelf.series.id}`)
  expect(book && linkOf(book, acquisition)).toMatch(/\/Blame%201\.cbz$/)
})

test('OPD-1 Moon+ Reader: no redirect and no page of HTML, and the search is described without signing in', async () => {
  const headers = { 'user-agent': 'OPDS/Stanza iPhone/Aldiko/Moon+ Reader(Android)' }
  for (const path of [
    '/opds',
    '/opds/v1',
    '/opds/v1/catalog',
    '/opds/v1/series',
    '/opds/v1/nothing',
    '/opds/v1/libraries/x',
  ]) {
    const { status, headers: reply, text } = await ask(path, { headers })
    expect([path, status >= 300 && status < 400, reply.location, text.includes('<html')]).toEqual([
      path,
      false,
      undefined,
      false,
    ])
  }
  const { status, headers: reply } = await ask('/opds/v1/opensearch.xml', { headers, isAnonymous: true })
  expect([status, reply['content-type']]).toEqual([200, opdsTypes.openSearch])
})

test('OPD-1 Librera and CrossPoint: the search is a link of its own, books have their very type', async () => {
  const root = parseStrictly((await ask('/opds/v1/catalog')).text)
  const template = linkOf(root, 'search', 'application/atom+xml')
  expect(template).toContain('{searchTerms}')
  const entries = await entriesOf(template?.replace('{searchTerms}', encodeURIComponent('blame 1')) ?? '')
  expect(entries.length).toBeGreaterThan(0)
  const novels = (await entriesOf('/opds/v1/books?format=epub')).flatMap((entry) =>
    hrefsOf(entry, ({ type }) => type === 'application/epub+zip'),
  )
  expect((await ask(novels[0] ?? '')).headers['content-type']).toBe('application/epub+zip')
  expect((await entriesOf('/opds/v1/books')).length).toBeLessThanOrEqual(50)
})

test('OPD-1 Thorium: the authentication document, comics by their manifest, progression by its very type', async () => {
  const refused = await ask('/opds/v2', { isAnonymous: true, headers: { accept: 'application/opds+json' } })
  const [flow] = (refused.json as { authentication: { type: string }[] }).authentication
  expect(flow?.type).toBe('http://opds-spec.org/auth/basic')
  const feed = (await ask('/opds/v2/recent')).json as OpdsFeed
  const shown = feed.publications?.find(({ metadata }) => metadata.identifier === `urn:uuid:${comic}`)
  const manifest = shown?.links.find(({ type }) => type === opdsTypes.divina)
  const pages = ((await ask(manifest?.href ?? '')).json as OpdsManifest).readingOrder
  expect(pages).toHaveLength(3)
  expect((await ask(pages[2]?.href ?? '')).status).toBe(200)
  const progression = shown?.links.find(({ type }) => type === opdsTypes.progression)?.href ?? ''
  const device = { id: 'urn:uuid:0191b2a0-0000-4000-8000-000000000002', name: 'Thorium' }
  const sent = await ask(progression, {
    method: 'PUT',
    headers: { accept: opdsTypes.progression, 'content-type': opdsTypes.progression },
    body: { modified: new Date(Date.now() + 1000).toISOString(), device, progression: 1, references: [pages[2]?.href] },
  })
  expect([sent.status, sent.headers['content-type']]).toEqual([200, opdsTypes.progression])
  expect((await ask(progression, { headers: { accept: opdsTypes.progression } })).json).toMatchObject({
    device,
    progression: 1,
  })
})

test('OPD-1 Cantook and Readium: the first link of an entry, moments to the second, the older progression', async () => {
  const entries = await booksByWayOf(({ href }) => href !== undefined)
  for (const entry of entries) {
    for (const moment of [textOf(entry, 'updated'), textOf(entry, 'published')])
      expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
    expect(
      named(entry, 'link').every(({ attributes }) => attributes['rel'] !== 'collection' || attributes['title']),
    ).toBe(true)
  }
  const publication = (await ask(`/opds/v2/books/${novel}`)).json as OpdsPublication
  const position = publication.links.find(({ rel }) => rel === 'http://www.cantook.com/api/progression')?.href ?? ''
  const device = { id: 'aldiko-1', name: 'Aldiko' }
  const body = (modified: string) => ({
    modified,
    device,
    locator: {
      href: 'chapter1.xhtml',
      type: 'application/xhtml+xml',
      locations: { progression: 0.5, totalProgression: 0.3 },
    },
  })
  const headers = { 'content-type': opdsTypes.readiumProgression }
  const put = async (modified: string) => (await ask(position, { method: 'PUT', headers, body: body(modified) })).status
  expect((await ask(position)).status).toBe(204)
  expect(await put('2026-01-27T11:00:00+00:00')).toBe(204)
  expect(await put('2026-01-26T11:00:00+00:00')).toBe(409)
  expect((await ask(position)).json).toMatchObject({ device, locator: { locations: { totalProgression: 0.3 } } })
})

test('OPD-1 Foliate, Readest and OpenComic: every link has a relation and a type, also for pages of other origins', async () => {
  const headers = { origin: 'tauri://localhost', accept: 'application/atom+xml, application/xml, text/xml, */*' }
  for (const path of ['/opds/v1/catalog', `/opds/v1/series/${shelf.series.id}`]) {
    const root = parseStrictly((await ask(path, { headers })).text)
    const links = [root, ...named(root, 'entry')].flatMap((each) => named(each, 'link'))
    for (const { attributes } of links) expect([attributes['rel'], attributes['type']]).not.toContain(undefined)
  }
  const feed = (await ask(`/opds/v2/series/${shelf.series.id}`, { headers })).json as OpdsFeed
  for (const { links, images } of feed.publications ?? []) {
    expect(links.every(({ rel, type }) => rel !== undefined && type !== undefined)).toBe(true)
    expect(images.length).toBeGreaterThan(0)
  }
  const device = { id: 'readest', name: 'Readest' }
  const sent = await ask(`/opds/v2/books/${novel}/progression`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': opdsTypes.progression },
    body: { modified: new Date().toISOString(), device, progression: 0.4 },
  })
  expect(sent.status).toBe(200)
})

test('OPD-1 ComicCatcher: pages by the manifest, and either progression leads to a page of it', async () => {
  const headers = { 'user-agent': 'comiccatcher/0.7.5 (Linux; Desktop)' }
  const app = readingApp(server, await server.person('reader'))
  const json = async <Body>(path: string) => (await app.ask(path, headers)).json as Body
  const { publications = [] } = await json<OpdsFeed>('/opds/v2/recent')
  const reached: unknown[] = []
  for (const { title, links } of [comic, novel].map((id) => {
    const publication = publications.find(({ links }) => links.some(({ href }) => href.includes(id)))
    return { title: publication?.metadata.title, links: publication?.links ?? [] }
  })) {
    const of = (rel: string) => links.find((link) => link.rel === rel)?.href ?? ''
    const readable = links.find(({ type = '' }) => /divina|webpub/.test(type))?.href ?? ''
    const { readingOrder } = await json<OpdsManifest>(readable)
    const body = {
      modified: '2026-11-22T09:52:26.993000+00:00',
      device: { id: 'urn:uuid:11111111-2222-4333-8444-555555555555', name: 'ComicCatcher PyQt6 (11111111)' },
      progression: 0.67,
    }
    const written = { ...headers, 'content-type': 'application/json' }
    const put = await app.ask(of('http://opds-spec.org/progression'), written, 'PUT', body)
    const { locator } = await json<api.Progression>(of('http://www.cantook.com/api/progression'))
    const part = readingOrder.find(({ href }) => href === locator.href)
    reached.push([title, put.status, part?.type === locator.type, locator.locations?.totalProgression])
    expect((await app.ask(locator.href, headers)).status).toBe(200)
  }
  expect(reached).toEqual([
    ['Blame 1', 200, true, expect.any(Number)],
    ['Blame 2: Novel', 200, true, expect.any(Number)],
  ])
})

test('OPD-1 KyBook and PocketBook: what a book is about stands where they look, and facets narrow', async () => {
  const [book] = await entriesOf(`/opds/v1/series/${shelf.series.id}`)
  expect(book && [textOf(book, 'content'), textOf(book, 'summary')]).toEqual(['A long way up', 'A long way up'])
  const feed = parseStrictly((await ask('/opds/v1/books')).text)
  const only = named(feed, 'link').find(({ attributes }) => attributes['title'] === 'EPUB')?.attributes['href'] ?? ''
  expect((await entriesOf(only)).map((entry) => textOf(entry, 'id'))).toEqual([`urn:uuid:${novel}`])
})

test('OPD-1 AUTH-4 a grid of 200 covers costs one password and exhausts no limit', async () => {
  await using limited = await startServer({ env: { CARREL_RATE_LIMIT_ENABLED: 'true' } })
  const person = await limited.person('reader')
  const headers = basicHeader(person.username, person.password)
  let checks = 0
  const { passwords } = limited.context
  const { verify } = passwords
  Object.assign(passwords, {
    verify: (...given: Parameters<typeof verify>) => {
      checks += 1
      return verify(...given)
    },
  })
  const cover = `${limited.url}/opds/v1/books/019aa3b2-0000-7000-8000-00000000dead/cover`
  const replies = await Promise.all(Array.from({ length: 200 }, () => plainRequest(cover, { headers })))
  const statuses = new Set(replies.map(({ status }) => status))
  expect([...statuses]).toEqual([404])
  expect(checks).toBe(1)
})
