import * as api from '@carrel/api'
import { opdsTypes } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../../../../test/books/epub.ts'
import { png, tinyJpeg } from '../../../../test/books/pictures.ts'
import { zip } from '../../../../test/books/zip.ts'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { linkOf, named, readingApp, type ReadingApp, textOf } from '../../../../test/opds.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { plainRequest } from '../../../../test/plain-request.ts'
import { fillShelf, type Shelf } from '../../../../test/shelf.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let shelf: Shelf
let reader: Person
let app: ReadingApp
let comic: string
let novel: string
let folder: string
let long: string

const authors = [
  { name: 'Kiyohiko Azuma', role: 'author', sortName: null },
  { name: 'Amy Forsyth', role: 'translator', sortName: null },
]
const comicMetadata = { authors, genres: ['Comedy'], isbns: ['9784840224666'], year: 2003, month: 8, language: 'ja' }

beforeAll(async () => {
  server = await startServer()
  shelf = await fillShelf(server)
  const pages = [tinyJpeg(1), png({ width: 40, height: 60 })]
  comic = await shelf.addBook(
    'Yotsuba & Co #1; ünï?.cbz',
    zip(pages.map((bytes, index) => ({ name: `${index}.${index ? 'png' : 'jpg'}`, bytes, method: 'stored' as const }))),
    { title: 'Blame 1', summary: 'A girl <moves> in', metadata: JSON.stringify(comicMetadata), number: 1 },
  )
  novel = await shelf.addBook('novel.epub', epub(), { title: 'The Novel', number: 2 })
  folder = await shelf.addBook('loose', { '1.jpg': tinyJpeg(3) }, { title: 'Loose', number: 3 })
  const { db } = server.context
  const library = await addLibrary(db, { name: 'Long', path: '/data/long' })
  const series = await addSeries(db, library, { title: 'Long runner', publisher: 'Square & Co' })
  long = series.id
  await addBooks(
    db,
    series,
    Array.from({ length: 120 }, () => ({})),
  )
  reader = await server.person('reader')
  app = readingApp(server, reader)
})

afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('OPD-1 AUTH-4 C14 whoever has not signed in is told how, in the words of OPDS', async () => {
  for (const path of ['/opds/v1/catalog', '/opds/v2', '/opds', `/opds/v1/books/${comic}/cover`]) {
    const { status, headers, json } = await plainRequest(server.url + path)
    expect([path, status, headers['content-type'], headers['www-authenticate']]).toEqual([
      path,
      401,
      opdsTypes.authentication,
      'Basic realm="Carrel", charset="UTF-8"',
    ])
    expect(headers.link).toBe(
      `<${server.url}/opds/v2/auth>; rel="http://opds-spec.org/auth/document"; type="${opdsTypes.authentication}"`,
    )
    expect(json).toMatchObject({
      id: `${server.url}/opds/v2/auth`,
      title: 'Carrel',
      authentication: [{ type: 'http://opds-spec.org/auth/basic' }],
    })
    expect((await plainRequest(`${server.url}/opds/v2/auth`)).json).toEqual(json)
  }
  const wrong = await readingApp(server, { ...reader, password: 'not this one' }).ask('/opds/v1/catalog')
  expect([wrong.status, wrong.headers['content-type']]).toEqual([401, opdsTypes.authentication])
  const nothing = await app.ask('/opds/v1/nothing')
  expect([nothing.status, nothing.headers['content-type'], nothing.json]).toMatchObject([
    404,
    'application/problem+json; charset=utf-8',
    { title: 'not_found', status: 404, detail: expect.any(String), error: 'not_found', requestId: expect.any(String) },
  ])
})

test('AUTH-4 a key is taken as a password, in its header and as a bearer', async () => {
  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'reader app' } }))
  expect((await readingApp(server, { username: reader.username, password: key }).ask('/opds/v1/catalog')).status).toBe(
    200,
  )
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${reader.accessToken}` }])
    expect((await plainRequest(`${server.url}/opds/v1/catalog`, { headers })).status).toBe(200)
})

test('AUTH-4 W13 with Basic switched off it is neither taken nor asked for', async () => {
  await using other = await startServer({ env: { CARREL_SETTING_OPDS_BASIC: 'false' } })
  const person = await other.person('reader')
  const { status, headers, json } = await readingApp(other, person).ask('/opds/v1/catalog')
  expect([status, headers['www-authenticate'], json]).toMatchObject([
    401,
    'Bearer realm="Carrel"',
    { authentication: [] },
  ])
})

test('OPD-1 every spelling of the beginning answers directly, and leads everywhere', async () => {
  const texts = await Promise.all(
    ['/opds', '/opds/', '/opds/v1', '/opds/v1/', '/opds/v1/catalog', '/opds/v1/catalog/'].map(
      async (path) => (await app.ask(path)).text,
    ),
  )
  expect(new Set(texts).size).toBe(1)
  const root = await app.feed('/opds/v1/catalog')
  expect([root.name, root.uri]).toEqual(['feed', 'http://www.w3.org/2005/Atom'])
  expect(linkOf(root, 'self')).toBe('/opds/v1/catalog')
  expect(linkOf(root, 'alternate', opdsTypes.feed)).toBe('/opds/v2')
  const entries = named(root, 'entry')
  expect(new Set(entries.map((entry) => textOf(entry, 'id'))).size).toBe(entries.length)
  for (const entry of entries) {
    const [first] = named(entry, 'link')
    const { href = '', type } = first?.attributes ?? {}
    const { status, headers, text } = await app.ask(href)
    expect([href, status, headers['content-type']]).toEqual([href, 200, type])
    expect(text).toContain('<feed ')
  }
})

test('OPD-1 a book says everything a reading application asks for', async () => {
  const root = await app.feed(`/opds/v1/series/${shelf.series.id}`)
  const [first] = named(root, 'entry')
  if (!first) throw new Error('There is no entry')
  expect(textOf(first, 'title')).toBe('1')
  expect(textOf(first, 'id')).toBe(`urn:uuid:${comic}`)
  expect([textOf(first, 'summary'), textOf(first, 'content')]).toEqual(['A girl <moves> in', 'A girl <moves> in'])
  expect(named(first, 'author').map((author) => textOf(author, 'name'))).toEqual(['Kiyohiko Azuma'])
  expect(named(first, 'contributor').map((each) => textOf(each, 'name'))).toEqual(['Amy Forsyth'])
  expect(textOf(first, 'dc:issued')).toBe('2003-08')
  expect(textOf(first, 'dc:language')).toBe('ja')
  expect(textOf(first, 'dc:identifier')).toBe('urn:isbn:9784840224666')
  expect(named(first, 'category').map(({ attributes }) => attributes['term'])).toEqual(['Comedy'])
  const complete = await app.ask(linkOf(first, 'alternate') ?? '')
  expect([complete.status, complete.headers['content-type']]).toEqual([200, opdsTypes.entry])
  expect(complete.text).toContain(`<id>urn:uuid:${comic}</id>`)
  for (const rel of ['http://opds-spec.org/image', 'http://opds-spec.org/image/thumbnail']) {
    const { status, headers } = await app.ask(linkOf(first, rel) ?? '')
    expect([rel, status, headers['content-type']]).toEqual([rel, 200, 'image/jpeg'])
  }
})

test('OPD-1 a book without a cover shows a picture of the kind its entry says', async () => {
  const [entry] = named(await app.feed(`/opds/v1/series/${long}`), 'entry')
  const images = entry ? named(entry, 'link').filter(({ attributes }) => attributes['rel']?.includes('/image')) : []
  expect(images).toHaveLength(2)
  for (const { attributes } of images) {
    const { status, headers } = await app.ask(attributes['href'] ?? '')
    expect([status, headers['content-type']]).toEqual([200, attributes['type']])
  }
})

test('OPD-1 files have the name and type their entries say, in whole and in parts', async () => {
  const root = await app.feed(`/opds/v1/series/${shelf.series.id}`)
  const links = named(root, 'entry').map((entry) =>
    named(entry, 'link').find(({ attributes }) => attributes['rel'] === 'http://opds-spec.org/acquisition'),
  )
  const offered = links.map((each) => [each?.attributes['type'], each?.attributes['href']?.split('/').at(-1)])
  expect(offered).toEqual([
    ['application/vnd.comicbook+zip', 'Yotsuba%20%26%20Co%20%231%3B%20%C3%BCn%C3%AF%3F.cbz'],
    ['application/epub+zip', 'novel.epub'],
    ['application/vnd.comicbook+zip', 'loose.cbz'],
  ])
  for (const link of links) {
    const { status, headers } = await app.ask(link?.attributes['href'] ?? '')
    expect([status, headers['content-type']]).toEqual([200, link?.attributes['type']])
    expect(headers['content-disposition']).toMatch(/^attachment; filename=".*\.(?:cbz|epub)"/)
  }
  const reply = await app.ask(links[0]?.attributes['href'] ?? '')
  expect(reply.headers['content-disposition']).toBe(
    `attachment; filename="Yotsuba & Co #1; _n_?.cbz"; filename*=UTF-8''Yotsuba%20%26%20Co%20%231%3B%20%C3%BCn%C3%AF%3F.cbz`,
  )
  const part = await app.ask(links[0]?.attributes['href'] ?? '', { range: 'bytes=0-3' })
  expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 0-3/${reply.headers['content-length']}`])
  expect(folder).not.toBe('')
})

test('OPD-1 pages are streamed as JPEG from 0, and the entry says where one is', async () => {
  const address = `/opds/v1/books/${comic}`
  const before = await app.feed(address)
  const streams = named(before, 'link').filter(({ attributes }) => attributes['rel']?.includes('opds-pse'))
  expect(streams.map(({ attributes }) => attributes)).toEqual([
    {
      rel: 'http://vaemendis.net/opds-pse/stream',
      href: `/opds/v1/books/${comic}/pages/{pageNumber}?width={maxWidth}`,
      type: 'image/jpeg',
      'pse:count': '2',
    },
  ])
  const template = streams[0]?.attributes['href'] ?? ''
  for (const [page, width] of [
    ['0', '800'],
    ['1', '800'],
    ['1', '{maxWidth}'],
  ] as const) {
    const path = template.replace('{pageNumber}', page).replace('{maxWidth}', encodeURIComponent(width))
    const { status, headers } = await app.ask(path)
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'image/jpeg'])
  }
  expect((await app.ask(template.replace('{pageNumber}', '2').replace('{maxWidth}', '800'))).status).toBe(404)
  bodyOf(
    await reader.call(api.saveProgress, {
      params: { id: comic },
      body: { currentPage: 2, at: '2026-10-20T10:01:11.000Z' },
    }),
  )
  const after = named(await app.feed(address), 'link').find(({ attributes }) => 'pse:count' in attributes)
  expect(after?.attributes).toMatchObject({ 'pse:lastRead': '2', 'pse:lastReadDate': '2026-10-20T10:01:11.000Z' })
  const flowing = await app.feed(`/opds/v1/books/${novel}`)
  expect(named(flowing, 'link').some(({ attributes }) => 'pse:count' in attributes)).toBe(false)
})

test('OPD-1 the pages of a feed neither repeat nor drop anything, and end', async () => {
  const seen: (string | undefined)[] = []
  let next: string | undefined = `/opds/v1/series/${long}?sort=title`
  let pages = 0
  while (next !== undefined) {
    const feed = await app.feed(next)
    expect(textOf(feed, 'opensearch:totalResults')).toBe('120')
    seen.push(...named(feed, 'entry').map((entry) => textOf(entry, 'id')))
    next = linkOf(feed, 'next')
    pages += 1
    expect(linkOf(feed, 'previous') === undefined).toBe(pages === 1)
  }
  expect([pages, seen.length, new Set(seen).size]).toEqual([3, 120, 120])
  const behind = await app.feed(`/opds/v1/series/${long}?page=99999999999999999999999`)
  expect([named(behind, 'entry').length, linkOf(behind, 'previous')]).toEqual([0, `/opds/v1/series/${long}?page=3`])
})

test('OPD-1 facets keep what else was chosen, one of each group being active', async () => {
  const feed = await app.feed(`/opds/v1/series/${long}?sort=new&read=unread&page=2`)
  const facets = named(feed, 'link').filter(({ attributes }) => attributes['rel'] === 'http://opds-spec.org/facet')
  const active = facets.filter(({ attributes }) => attributes['opds:activeFacet'] === 'true')
  expect(active.map(({ attributes }) => [attributes['opds:facetGroup'], attributes['title']])).toEqual([
    ['Sort by', 'Newest'],
    ['Read status', 'Unread'],
  ])
  const read = facets.find(({ attributes }) => attributes['title'] === 'Read')?.attributes['href']
  expect(read).toBe(`/opds/v1/series/${long}?sort=new&read=read`)
  expect(named(await app.feed(read ?? ''), 'entry')).toEqual([])
})

test('OPD-1 a search is described to anybody, and finds books by what they and their series are called', async () => {
  const root = await app.feed('/opds/v1/catalog')
  const searches = named(root, 'link').filter(({ attributes }) => attributes['rel'] === 'search')
  expect(searches.map(({ attributes }) => attributes['type'])).toEqual(['application/atom+xml', opdsTypes.openSearch])
  const description = await plainRequest(server.url + (searches[1]?.attributes['href'] ?? ''))
  expect([description.status, description.headers['content-type']]).toEqual([200, opdsTypes.openSearch])
  const [, template = ''] = /template="([^"]+)"/.exec(description.text) ?? []
  expect(template).toBe(`${server.url}/opds/v1/search?q={searchTerms}`)
  const results = await app.feed(template.replace('{searchTerms}', 'novel'))
  expect(named(results, 'entry').map((entry) => textOf(entry, 'id'))).toEqual([`urn:uuid:${novel}`])
  expect(named(await app.feed('/opds/v1/search'), 'entry')).toEqual([])
})

test('OPD-1 letters, people, genres and publishers lead to what bears them', async () => {
  const follow = async (path: string, title: string) => {
    const entry = named(await app.feed(path), 'entry').find((each) => textOf(each, 'title') === title)
    const href = named(entry ?? { name: '', uri: '', attributes: {}, children: [], text: '' }, 'link')[0]?.attributes[
      'href'
    ]
    return named(await app.feed(href ?? ''), 'entry').map((each) => textOf(each, 'title'))
  }
  expect(await follow('/opds/v1/letters', 'L')).toEqual(['Long runner'])
  expect(await follow('/opds/v1/letters', 'B')).toEqual(['Blame'])
  expect(await follow('/opds/v1/publishers', 'Square & Co')).toEqual(['Long runner'])
  expect(await follow('/opds/v1/libraries', 'Long')).toContain('Newest series')
  const narrowed = async (query: string) =>
    named(await app.feed(`/opds/v1/books?${query}`), 'entry').map((each) => textOf(each, 'title'))
  expect(await narrowed('format=epub')).toEqual(['Blame 2: The Novel'])
  expect(named(await app.feed('/opds/v1/letters/Q'), 'entry')).toEqual([])
})

test('OPD-1 W17 HEAD says what GET would, and what has not changed is not sent again', async () => {
  for (const path of [
    '/opds/v1/catalog',
    `/opds/v1/series/${shelf.series.id}`,
    '/opds/v1/opensearch.xml',
    `/opds/v1/books/${comic}/thumbnail`,
    '/opds/v2',
  ]) {
    const get = await app.ask(path)
    const head = await app.ask(path, {}, 'HEAD')
    const headersOf = ({ headers }: typeof get) => [headers['content-type'], headers['content-length'], headers.etag]
    expect([path, head.status, head.text, headersOf(head)]).toEqual([path, 200, '', headersOf(get)])
    expect(get.headers['last-modified']).toBeUndefined()
    const again = await app.ask(path, { 'if-none-match': get.headers.etag ?? '' })
    expect([path, again.status, again.text]).toEqual([path, 304, ''])
  }
})
