import { createHash } from 'node:crypto'
import * as api from '@carrel/api'
import { type OpdsFeed, type OpdsManifest, type OpdsPublication, opdsTypes } from '@carrel/api/doors'
import { fromBuffer } from 'yauzl'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { jpeg, tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { type Element, linkOf, named, readingApp, type ReadingApp, textOf } from '../../../test/opds.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { fillShelf, type Shelf } from '../../../test/shelf.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let shelf: Shelf
let reader: Person
let app: ReadingApp
let first: string
let folder: string
let damaged: string
let empty: string
let novel: string

const comic = (seed: number, width = 600) =>
  zip([{ name: '1.jpg', bytes: jpeg({ width, height: 900, seed }), method: 'stored' }])
const loose = { '1.jpg': tinyJpeg(1), '2.jpg': tinyJpeg(2), 'über 3.jpg': tinyJpeg(3) }

beforeAll(async () => {
  server = await startServer()
  shelf = await fillShelf(server)
  const authors = [{ name: 'Herman Melville', role: 'author', sortName: null }]
  first = await shelf.addBook('1.cbz', comic(1), {
    title: 'Same Title',
    number: 1,
    position_key: '1',
    created_at: '2026-11-01T10:00:01.000Z',
  })
  const other = await shelf.addSeries({ title: 'Other', language: 'ja' })
  await shelf.addBook('2.cbz', comic(2), {
    title: 'Same Title',
    series: other,
    number: 2,
    created_at: '2026-11-01T10:00:02.000Z',
  })
  await shelf.addBook('2.cbz', comic(3), {
    title: 'Same Title',
    number: 2.5,
    position_key: '2',
    created_at: '2026-11-01T10:00:03.000Z',
  })
  folder = await shelf.addBook('loose', loose, {
    title: 'Loose',
    number: 3,
    position_key: '3',
    created_at: '2026-11-01T10:00:04.000Z',
  })
  const failed = { analysis: 'failed' as const, fault_code: 'damaged' as const, fault_message: 'It is cut off.' }
  damaged = await shelf.addBook('damaged.cbr', Buffer.from('no archive at all'), {
    title: 'Damaged',
    number: 4,
    position_key: '4',
    format: 'cbr',
    page_count: 0,
    isUnread: true,
    created_at: '2026-11-01T10:00:05.000Z',
  })
  empty = await shelf.addBook('empty.epub', Buffer.alloc(0), {
    title: 'Empty',
    number: 5,
    position_key: '5',
    format: 'epub',
    page_count: 0,
    isUnread: true,
    created_at: '2026-11-01T10:00:06.000Z',
  })
  novel = await shelf.addBook('novel.epub', epub(), {
    title: 'The Novel',
    series: other,
    number: 7,
    metadata: JSON.stringify({ authors, year: 1851, month: 10, day: 18 }),
    created_at: '2026-11-01T10:00:07.000Z',
  })
  await server.context.db.write((db) =>
    db.updateTable('file').set(failed).where('book_id', 'in', [damaged, empty]).execute(),
  )
  reader = await server.person('reader')
  app = readingApp(server, reader)
})

afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const titlesOf = async (path: string) => named(await app.feed(path), 'entry').map((entry) => textOf(entry, 'title'))

test('D1 books of one title are told apart by series and number, in every list, and in the lists of a series by number', async () => {
  const mixed = [
    'Other 7: The Novel',
    'Blame 5: Empty',
    'Blame 4: Damaged',
    'Blame 3: Loose',
    'Blame 2.5: Same Title',
    'Other 2: Same Title',
    'Blame 1: Same Title',
  ]
  const own = ['1: Same Title', '2.5: Same Title', '3: Loose', '4: Damaged', '5: Empty']
  expect(await titlesOf('/opds/v1/recent')).toEqual(mixed)
  expect(await titlesOf(`/opds/v1/series/${shelf.series.id}`)).toEqual(own)
  const titles = async (path: string) =>
    (await app.json<OpdsFeed>(path)).publications?.map(({ metadata }) => metadata.title)
  expect(await titles('/opds/v2/recent')).toEqual(mixed)
  expect(await titles(`/opds/v2/series/${shelf.series.id}`)).toEqual(own)
})

test('D1 the number is said as such too', async () => {
  const [entry] = named(await app.feed(`/opds/v1/books/${first}`), 'schema:Series')
  expect(entry?.attributes).toEqual({ 'schema:name': 'Blame', 'schema:position': '1' })
  const { metadata } = await app.json<OpdsPublication>(`/opds/v2/books/${first}`)
  expect(metadata.belongsTo?.series).toMatchObject({ name: 'Blame', position: 1 })
})

/**
 * Some readers regroup a feed like this: what belongs to a collection is put into that, and the list holds the rest.
 */
const regrouped = (feed: Element) => {
  const isGrouped = (entry: Element) => linkOf(entry, 'collection') !== undefined
  const entries = named(feed, 'entry')
  return {
    groups: new Set(entries.filter(isGrouped).map((entry) => linkOf(entry, 'collection'))).size,
    list: entries.filter((entry) => !isGrouped(entry)).length,
  }
}

test('D2 readers that group by collections show every list as the list it is', async () => {
  for (const path of [
    '/opds/v1/recent',
    `/opds/v1/series/${shelf.series.id}`,
    '/opds/v1/books?sort=new',
    '/opds/v1/search?q=same',
  ])
    expect([path, regrouped(await app.feed(path)).groups]).toEqual([path, 0])
  expect(regrouped(await app.feed('/opds/v1/recent')).list).toBe(7)
  const entry = await app.feed(`/opds/v1/books/${first}`)
  expect(linkOf(entry, 'collection')).toBe(`/opds/v1/series/${shelf.series.id}`)
})

test('D3 what cannot be read is still what it is, has no manifest and no pages, and its file as it is', async () => {
  const { metadata, links } = await app.json<OpdsPublication>(`/opds/v2/books/${damaged}`)
  expect(metadata['@type']).toBe('http://schema.org/ComicIssue')
  expect(links.filter(({ type }) => type === opdsTypes.divina || type === opdsTypes.webPublication)).toEqual([])
  expect(links.find(({ rel }) => rel === 'http://opds-spec.org/acquisition')).toMatchObject({
    type: 'application/vnd.comicbook-rar',
    size: 17,
  })
  const entry = await app.feed(`/opds/v1/books/${damaged}`)
  expect(named(entry, 'link').filter(({ attributes }) => 'pse:count' in attributes)).toEqual([])
})

test('D3 of a file without a byte nothing is offered but its cover, and no size is said', async () => {
  const { links, images } = await app.json<OpdsPublication>(`/opds/v2/books/${empty}`)
  expect(links.filter(({ size }) => size === 0)).toEqual([])
  expect(links.filter(({ href }) => /\/(?:file|manifest)/.test(href))).toEqual([])
  expect(links.filter(({ rel }) => rel?.startsWith('http://opds-spec.org/acquisition'))).toEqual([])
  // A publication must have a way in: this one is a look at its cover.
  expect(links.filter(({ rel }) => rel === 'preview').map(({ href, type }) => [href, type])).toEqual([
    [images[0]?.href, 'image/jpeg'],
  ])
  const entry = await app.feed(`/opds/v1/books/${empty}`)
  expect(linkOf(entry, 'http://opds-spec.org/acquisition')).toBeUndefined()
  expect(named(entry, 'link').filter(({ attributes }) => attributes['length'] === '0')).toEqual([])
})

test('D4 a streamed page is at most as wide as was asked', async () => {
  const widths: (readonly [number, number])[] = []
  for (const requestedWidth of [30, 200, 400, 480, 599, 600, 5000]) {
    const { bytes } = await plainBytes(`/opds/v1/books/${first}/pages/0?width=${requestedWidth}`)
    widths.push([requestedWidth, jpegWidth(bytes)])
  }
  for (const [requestedWidth, width] of widths)
    expect([requestedWidth, width <= requestedWidth, width > 0]).toEqual([requestedWidth, true, true])
  expect(widths.slice(-2)).toEqual([
    [600, 600],
    [5000, 600],
  ])
})

const plainBytes = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${reader.accessToken}`, ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The frame header states the width. */
const jpegWidth = (bytes: Buffer): number => {
  let position = 2
  while (position < bytes.length) {
    const marker = bytes.readUInt8(position + 1)
    if (marker >= 0xc0 && marker <= 0xc3) return bytes.readUInt16BE(position + 7)
    position += 2 + bytes.readUInt16BE(position + 2)
  }
  return 0
}

const namesIn = (bytes: Buffer): Promise<string[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { validateEntrySizes: true }, (error, archive) => {
      if (error) return reject(error)
      const names: string[] = []
      archive.on('entry', (entry: { fileName: string }) => names.push(entry.fileName))
      archive.on('end', () => resolve(names))
      archive.on('error', reject)
      return undefined
    })
  })

test('D4 a folder of pictures is as long as is said, and comes in parts', async () => {
  const entry = await app.feed(`/opds/v1/books/${folder}`)
  const link = named(entry, 'link').find(({ attributes }) => attributes['rel'] === 'http://opds-spec.org/acquisition')
  const path = link?.attributes['href'] ?? ''
  const full = await plainBytes(path)
  const size = full.bytes.length
  expect([link?.attributes['length'], full.headers.get('content-length'), full.headers.get('accept-ranges')]).toEqual([
    String(size),
    String(size),
    'bytes',
  ])
  const { links } = await app.json<OpdsPublication>(`/opds/v2/books/${folder}`)
  expect(links.find(({ rel }) => rel === 'http://opds-spec.org/acquisition')?.size).toBe(size)
  expect((await namesIn(full.bytes)).sort()).toEqual(Object.keys(loose).sort())
  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const cuts = [0, 1, 29, 30, 41, Math.floor(size / 3), Math.floor(size / 2), size - 100, size - 22, size - 1, size]
  for (const [index, from] of cuts.entries())
    for (const to of cuts.slice(index + 1)) {
      const part = await plainBytes(path, {
        range: `bytes=${from}-${to - 1}`,
        'if-range': full.headers.get('etag') ?? '',
      })
      expect([from, to, part.status, sha(part.bytes)]).toEqual([from, to, 206, sha(full.bytes.subarray(from, to))])
    }
})

test('D4 a search of version 1 finds series too', async () => {
  const results = await app.feed('/opds/v1/search?q=other')
  const series = linkOf(results, 'related') ?? ''
  expect(await titlesOf(series)).toEqual(['Other'])
  const facets = named(results, 'link').filter(({ attributes }) => attributes['opds:facetGroup'] === 'Show')
  expect(facets.map(({ attributes }) => [attributes['title'], attributes['href']])).toEqual([
    ['Books', '/opds/v1/search?query=other'],
    ['Series', series],
  ])
  const { text } = await app.ask('/opds/v1/opensearch.xml')
  expect(text).toContain('/opds/v1/search/series?q={searchTerms}')
  const group = (await app.json<OpdsFeed>('/opds/v2/search?query=other')).groups?.[0]
  expect((await app.json<OpdsFeed>(group?.links[0]?.href ?? '')).navigation?.map(({ title }) => title)).toEqual([
    'Other',
  ])
})

test('D4 a feed calls itself by the very address it was asked at, and so do its neighbours', async () => {
  for (const version of ['v1', 'v2']) {
    for (const query of [
      '',
      '?page=1&pageSize=2',
      '?pageSize=2&sort=title',
      '?sort=new&pageSize=2',
      '?unknown=a%20b&pageSize=2',
      '?pageSize=50',
    ]) {
      const address = `/opds/${version}/books${query}`
      const linksOf = async (path: string): Promise<(rel: string) => string | undefined> => {
        if (version === 'v1') {
          const feed = await app.feed(path)
          return (rel) => linkOf(feed, rel)
        }
        const { links } = await app.json<OpdsFeed>(path)
        return (rel) => links.find((link) => link.rel === rel)?.href
      }
      const link = await linksOf(address)
      expect([address, link('self'), link('first'), link('previous')]).toEqual([address, address, address, undefined])
      const next = link('next')
      if (next === undefined) continue
      const second = await linksOf(next)
      expect(second('self')).toBe(next)
      expect(second('previous')).toBe(address.replace('page=1&', ''))
      expect(second('first')).toBe(second('previous'))
    }
  }
  for (const path of ['/opds/v1/search?q=same+title', '/opds/v1/books/', '/opds/v1/letters/%42?pageSize=1']) {
    const feed = await app.feed(path)
    expect([linkOf(feed, 'self'), linkOf(feed, 'first')]).toEqual([path, path])
  }
  expect(linkOf(await app.feed(`/opds/v1/series/${shelf.series.id}`), 'self')).toBe(
    `/opds/v1/series/${shelf.series.id}`,
  )
})

test('D4 the formats there are stand in the facet, with how many', async () => {
  const formats = async (path: string) =>
    named(await app.feed(path), 'link')
      .filter(({ attributes }) => attributes['opds:facetGroup'] === 'Format')
      .map(({ attributes }) => [attributes['title'], attributes['thr:count']])
  const all = [
    ['All', undefined],
    ['CBZ', '3'],
    ['CBR', '1'],
    ['Folder of pictures', '1'],
    ['EPUB', '2'],
  ]
  expect(await formats('/opds/v1/books')).toEqual(all)
  expect(await formats('/opds/v1/books?format=epub')).toEqual(all)
  expect((await formats('/opds/v1/books?page=2')).map(([title]) => title)).toContain('Kindle (AZW3)')
  const { facets = [] } = await app.json<OpdsFeed>('/opds/v2/books')
  const format = facets.find(({ metadata }) => metadata.title === 'Format')
  expect(format?.links.map(({ title, properties }) => [title, properties?.numberOfItems])).toEqual(
    all.map(([title, count]) => [title, count && Number(count)]),
  )
})

test('D4 how far books have been read stands in the facet, with how many, whatever is chosen of it', async () => {
  const { facets = [] } = await app.json<OpdsFeed>('/opds/v2/books')
  const statusesOf = async (path: string) => {
    const { facets = [] } = await app.json<OpdsFeed>(path)
    const links = facets.find(({ metadata }) => metadata.title === 'Read status')?.links ?? []
    return links.map(({ title, properties }) => [title, properties?.numberOfItems])
  }
  const all = await statusesOf('/opds/v2/books')
  expect(all.map(([title]) => title)).toEqual(['All', 'Unread', 'Reading', 'Read'])
  const sum = all.reduce((sum, [, count]) => sum + Number(count ?? 0), 0)
  const [, ...formats] = facets.find(({ metadata }) => metadata.title === 'Format')?.links ?? []
  expect(sum).toBe(formats.reduce((sum, { properties }) => sum + Number(properties?.numberOfItems), 0))
  expect(await statusesOf('/opds/v2/books?read=read')).toEqual(all)
})

test('D4 books are narrowed by the language of their series, with how many', async () => {
  const languages = async (path: string) =>
    named(await app.feed(path), 'link').filter(({ attributes }) => attributes['opds:facetGroup'] === 'Language')
  const links = await languages('/opds/v1/books')
  expect(links.map(({ attributes }) => [attributes['title'], attributes['thr:count']])).toEqual([
    ['All', undefined],
    ['Japanese', '2'],
  ])
  const narrowed = links[1]?.attributes['href'] ?? ''
  expect(await titlesOf(narrowed)).toEqual(['Other 2: Same Title', 'Other 7: The Novel'])
  expect(await titlesOf(`${narrowed}&format=epub&sort=new`)).toEqual(['Other 7: The Novel'])
  const active = (await languages(`${narrowed}&page=2`)).filter(({ attributes }) => attributes['opds:activeFacet'])
  expect(active.map(({ attributes }) => attributes['title'])).toEqual(['Japanese'])
})

test('D4 series are found by their language', async () => {
  const [entry] = named(await app.feed('/opds/v1/languages'), 'entry')
  expect(entry && [textOf(entry, 'title'), textOf(entry, 'content')]).toEqual(['Japanese', '1 series'])
  expect(await titlesOf(named(entry ?? never(), 'link')[0]?.attributes['href'] ?? '')).toEqual(['Other'])
})

const never = (): never => {
  throw new Error('There is no entry')
}

test('D4 the port of a trusted proxy is part of the address', async () => {
  await using behind = await startServer({ env: { CARREL_TRUSTED_PROXIES: '127.0.0.1' } })
  const templates: unknown[] = []
  for (const headers of [
    { 'x-forwarded-host': 'books.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '8443' },
    { 'x-forwarded-host': 'books.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' },
    { 'x-forwarded-host': 'books.example:9000', 'x-forwarded-port': '80' },
  ]) {
    const { text } = await plainRequest(`${behind.url}/opds/v1/opensearch.xml`, { headers })
    templates.push(/template="([^"]*)\/opds\/v1\/search\?/.exec(text)?.[1])
  }
  expect(templates).toEqual(['https://books.example:8443', 'https://books.example', 'http://books.example:9000'])
  const { text } = await plainRequest(`${server.url}/opds/v1/opensearch.xml`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '1' },
  })
  expect(text).not.toContain('evil.example')
})

test('D4 the manifest of an EPUB says who wrote it, in what language, when, and of which series it is', async () => {
  const patch = { language: 'ja', published: '1851-10-18', belongsTo: { series: { name: 'Other', position: 7 } } }
  const manifest = await app.json<OpdsManifest>(`/opds/v2/books/${novel}/manifest`)
  expect(manifest.metadata).toMatchObject({
    title: 'Other 7: The Novel',
    author: [{ name: 'Herman Melville' }],
    ...patch,
  })
  const { metadata } = bodyOf(await reader.call(api.readManifest, { params: { id: novel } }))
  expect(metadata).toMatchObject({ author: [{ name: 'Herman Melville' }], ...patch })
})

test('D4 the beginning is as new as what came last', async () => {
  const before = textOf(await app.feed('/opds/v1/catalog'), 'updated') ?? ''
  const later = '2126-11-01T10:00:00.000Z'
  await shelf.addBook('newest.cbz', comic(9), { title: 'Newest', number: 9, position_key: '9', created_at: later })
  expect([textOf(await app.feed('/opds/v1/catalog'), 'updated'), before < later]).toEqual([later, true])
  expect((await app.json<OpdsFeed>('/opds/v2')).metadata.modified).toBe(later)
})

test('D4 what somebody wants to read and has filtered has feeds of its own, which only they see', async () => {
  const series = shelf.series.id
  const person = await server.person('reader')
  bodyOf(await person.call(api.addWantToRead, { body: { bookId: novel } }))
  bodyOf(await person.call(api.addWantToRead, { body: { seriesId: series } }))
  const preset = (name: string, target: 'series' | 'books', condition: api.NewFilterPreset['condition']) =>
    person.call(api.createFilterPreset, { body: { name, scope: 'list', target, condition } }).then(bodyOf)
  await preset('Folders', 'books', { format: { operator: 'is', value: 'folder' } })
  await preset('Japanese', 'series', { language: { operator: 'is', value: 'ja' } })
  const theirs = readingApp(server, person)
  const titles = async (who: ReadingApp, path: string) =>
    named(await who.feed(path), 'entry').map((entry) => textOf(entry, 'title'))
  expect(await titles(theirs, '/opds/v1/want-to-read')).toEqual(['Other 7: The Novel'])
  expect(await titles(theirs, '/opds/v1/want-to-read/series')).toEqual(['Blame'])
  const presets = named(await theirs.feed('/opds/v1/presets'), 'entry')
  expect(presets.map((entry) => textOf(entry, 'title'))).toEqual(['Folders', 'Japanese'])
  const shownTitles = await Promise.all(
    presets.map((entry) => titles(theirs, named(entry, 'link')[0]?.attributes['href'] ?? '')),
  )
  expect(shownTitles).toEqual([['Blame 3: Loose'], ['Other']])
  for (const path of ['/opds/v1/want-to-read', '/opds/v1/want-to-read/series', '/opds/v1/presets'])
    expect(await titles(app, path)).toEqual([])
  const foreign = named(presets[0] ?? never(), 'link')[0]?.attributes['href'] ?? ''
  expect((await app.ask(foreign)).status).toBe(404)
})

test('D4 a library has shelves of its own, and lists have pictures', async () => {
  const editor = await server.person('editor')
  const collection = bodyOf(await editor.call(api.createCollection, { body: { name: 'One' } }))
  await editor.call(api.addToCollection, { params: { id: collection.id }, body: { seriesIds: [shelf.series.id] } })
  const list = bodyOf(await editor.call(api.createReadList, { body: { name: 'In order' } }))
  await editor.call(api.addToReadList, { params: { id: list.id }, body: { bookIds: [first] } })
  for (const path of ['/opds/v1/libraries', '/opds/v1/collections', '/opds/v1/readlists']) {
    const [entry] = named(await app.feed(path), 'entry')
    for (const rel of ['http://opds-spec.org/image', 'http://opds-spec.org/image/thumbnail']) {
      const { status, headers } = await app.ask(linkOf(entry ?? never(), rel) ?? '')
      expect([path, rel, status, headers['content-type']]).toEqual([path, rel, 200, 'image/jpeg'])
    }
  }
  const [library] = named(await app.feed('/opds/v1/libraries'), 'entry')
  const address = named(library ?? never(), 'link')[0]?.attributes['href'] ?? ''
  const shelves = named(await app.feed(address), 'entry')
  expect(shelves.map((entry) => textOf(entry, 'title'))).toEqual([
    'Keep reading',
    'On deck',
    'Newest books',
    'Series',
    'Newest series',
    'Updated series',
    'Books',
  ])
  const ids = new Set(shelves.map((entry) => textOf(entry, 'id')))
  expect(ids.size).toBe(shelves.length)
  for (const entry of shelves)
    expect((await app.ask(named(entry, 'link')[0]?.attributes['href'] ?? '')).status).toBe(200)
  const { groups } = await app.json<OpdsFeed>(address.replace('/v1/', '/v2/'))
  expect(groups?.map(({ metadata }) => metadata.title)).toEqual(['Newest books', 'Newest series'])
})
