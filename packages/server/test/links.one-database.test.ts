import * as api from '@carrel/api'
import { type OpdsFeed, type OpdsPublication, opdsTypes } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicEpub, epub } from './books/epub.ts'
import { fictionBook } from './books/fb2.ts'
import { mobiFile } from './books/mobi.ts'
import { pdfFile } from './books/pdf.ts'
import { tinyJpeg } from './books/pictures.ts'
import { zip } from './books/zip.ts'
import { doorsOpen } from './contract/inputs.ts'
import { followLinks, type Step, type Walker } from './every-link.ts'
import { type Element, linkOf, named, parseStrictly, textOf } from './opds.ts'
import { bodyOf } from './outcome.ts'
import { fillShelf, type Shelf } from './shelf.ts'
import { type Person, startServer, type TestServer } from './start-server.ts'

let server: TestServer
let shelf: Shelf
let reader: Person
let admin: Person
let books: readonly string[]

const pages = [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const }))
const oddChapters = ['kapitel 1 – größe.xhtml', "it's 50% #2?.xhtml", 'ünter/wegs & co.xhtml'].map((name) => ({
  name,
  title: name,
}))

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  shelf = await fillShelf(server)
  const { db } = server.context
  const texts = await shelf.addSeries({ title: 'Ünter wegs & Co?', language: 'de', publisher: 'Ñandú & Söhne' })
  const metadata = JSON.stringify({ authors: [{ name: 'Ñandú', role: 'writer' }], genres: ['A & B'], tags: ['c/d'] })
  const damaged = { page_count: 0, isUnread: true } as const
  books = [
    await shelf.addBook('Blame #1; "50%".cbz', zip(pages), { number: 1, metadata }),
    await shelf.addBook('loose', { '1.jpg': tinyJpeg(1), 'zwölf 2.jpg': tinyJpeg(2) }, { number: 2 }),
    await shelf.addBook('document.pdf', pdfFile({ pages: [{ text: ['one'] }, {}] }), { number: 3 }),
    await shelf.addBook('not looked at.cbz', zip(pages), { number: 4, isUnread: true, page_count: 0 }),
    await shelf.addBook('broken.cbr', Buffer.from('nothing'), { number: 5, format: 'cbr', ...damaged }),
    await shelf.addBook('empty.cbz', Buffer.alloc(0), { number: 6, ...damaged }),
    await shelf.addBook('Größe 7.epub', epub({ chapters: oddChapters }), { series: texts, number: 1, metadata }),
    await shelf.addBook('drawn.epub', comicEpub(2), { series: texts, number: 2 }),
    await shelf.addBook('torn.epub', epub({ without: ['OEBPS/chapter2.xhtml'] }), { series: texts, number: 3 }),
    await shelf.addBook('empty.epub', Buffer.alloc(0), { series: texts, number: 4, format: 'epub', ...damaged }),
    await shelf.addBook('kindle.mobi', mobiFile(), { series: texts, number: 5 }),
    await shelf.addBook('fiction.fb2', Buffer.from(fictionBook()), { series: texts, number: 6 }),
  ]
  const fault = { analysis: 'failed' as const, fault_code: 'damaged' as const, fault_message: 'It is cut off.' }
  const failed = [books[4] ?? '', books[5] ?? '', books[9] ?? '']
  await db.write((db) => db.updateTable('file').set(fault).where('book_id', 'in', failed).execute())
  const faust = await shelf.addSeries({ title: 'Faust', age_rating: 18, own_age_rating: 18 })
  const grown = await shelf.addBook('Faust.cbz', zip(pages), { series: faust, age_rating: 18 })
  reader = await server.person('reader')
  admin = await server.person('admin')
  await fillLists(grown, faust.id)
  await keepForThemselves(reader)
})

afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** One of what everybody sees, one that is empty, one of what only some see. */
const fillLists = async (hiddenBook: string, hiddenSeries: string) => {
  for (const [name, seriesIds, bookIds] of [
    ['Seen', [shelf.series.id], books.slice(0, 7)],
    ['Empty', [], []],
    ['Hidden', [hiddenSeries], [hiddenBook]],
  ] as const) {
    const { id } = bodyOf(await admin.call(api.createCollection, { body: { name } }))
    if (seriesIds.length > 0)
      await admin.call(api.addToCollection, { params: { id }, body: { seriesIds: [...seriesIds] } })
    const list = bodyOf(await admin.call(api.createReadList, { body: { name } }))
    if (bookIds.length > 0)
      await admin.call(api.addToReadList, { params: { id: list.id }, body: { bookIds: [...bookIds] } })
  }
}

const keepForThemselves = async ({ call }: Person) => {
  bodyOf(await call(api.saveProgress, { params: { id: books[0] ?? '' }, body: { currentPage: 2 } }))
  bodyOf(await call(api.saveProgress, { params: { id: books[2] ?? '' }, body: { currentPage: 2, completed: true } }))
  bodyOf(await call(api.addWantToRead, { body: { bookId: books[1] ?? '' } }))
  bodyOf(await call(api.addWantToRead, { body: { seriesId: shelf.series.id } }))
  const preset = {
    name: 'Unread',
    scope: 'list',
    condition: { readStatus: { operator: 'is', value: 'unread' } },
  } as const
  for (const target of ['series', 'books'] as const)
    bodyOf(await call(api.createFilterPreset, { body: { ...preset, target } }))
}

/** Thousands of requests, on whatever machine. */
const walkMaxMs = 300_000

const opdsBeginnings = ['/opds', '/opds/v1/catalog', '/opds/v2', '/opds/v1/opensearch.xml', '/opds/v2/auth']

/** Applications begin at these addresses by themselves; everything else they reach by links. */
const beginnings = () => [
  ...opdsBeginnings,
  ...['libraries', 'series', 'books', 'collections', 'readlists', 'want-to-read', 'genres', 'people'].map(
    (list) => `/api/v1/${list}?pageSize=2`,
  ),
  ...['libraries', 'series', 'books', 'collections', 'readlists'].map((list) => `/komga/api/v1/${list}`),
  // Only opened books can be read: what a list says of a book leads there.
  ...books
    .filter((_, at) => ![4, 5, 9].includes(at))
    .flatMap((id) => [`/api/v1/books/${id}/manifest`, `/komga/api/v1/books/${id}/manifest`]),
]

/** A dead end is a link to something that is refused, or to nothing. */
const deadEnds = (steps: readonly Step[]) =>
  steps
    .filter(({ from, status }) => from !== '' && status !== 200 && status !== 204)
    .map(({ from, href, status }) => `${status} ${href} (from ${from})`)

const asUser = ({ username, accessToken }: Person, sameMax: number): Walker => ({
  name: username,
  headers: { authorization: `Bearer ${accessToken}` },
  sameMax,
})

test(
  'A6 no link that is shown to a user leads nowhere',
  async () => {
    const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
    const outsider = await server.person('reader', { access: { libraries: [] } })
    for (const person of [reader, child, outsider, await server.person('editor'), admin]) {
      const steps = await followLinks(server.url, asUser(person, person === reader ? 14 : 2), beginnings())
      expect([person.username, deadEnds(steps)]).toEqual([person.username, []])
      expect(steps.length).toBeGreaterThan(person === outsider ? 40 : 100)
    }
  },
  walkMaxMs,
)

const matters: readonly api.Permission[] = [
  'libraries:read',
  'series:read',
  'books:read',
  'pages:read',
  'collections:read',
  'readlists:read',
  'progress:read',
  'files:download',
]

const keyWith = async (permissions: readonly api.Permission[]): Promise<Walker> => {
  const body = { name: `key ${permissions.join(' ')}`.slice(0, 100), permissions: [...permissions] }
  const { key } = bodyOf(await reader.call(api.createApiKey, { body }))
  return { name: permissions.join(' '), headers: { 'x-api-key': key }, sameMax: 2 }
}

const without = (left: api.Permission): readonly api.Permission[] => matters.filter((each) => each !== left)

const sets: readonly (readonly api.Permission[])[] = [
  matters,
  ...matters.map(without),
  ...matters.map((only) => [only]),
  ['series:read', 'books:read'],
  ['series:read', 'books:read', 'progress:read'],
  ['series:read', 'books:read', 'pages:read'],
]

const walks = new Map<string, Promise<Step[]>>()

/** Each kind of key goes its way once, whatever is then looked at. */
const walkWith = (permissions: readonly api.Permission[]): Promise<Step[]> => {
  const name = permissions.join(' ')
  const walk = walks.get(name) ?? keyWith(permissions).then((key) => followLinks(server.url, key, beginnings()))
  walks.set(name, walk)
  return walk
}

/** It collects the documents this door has sent to a key. */
const documentsFor = async (permissions: readonly api.Permission[]): Promise<readonly Step[]> => {
  const steps = await walkWith(permissions)
  return steps.filter(({ href, status, text }) => href.startsWith('/opds') && status === 200 && text !== '')
}

test(
  'A6 no link that is shown to a key leads nowhere, whatever it may ask for',
  async () => {
    const walked: number[] = []
    for (const permissions of sets) {
      const steps = await walkWith(permissions)
      expect([permissions, deadEnds(steps)]).toEqual([permissions, []])
      walked.push(steps.filter(({ from }) => from !== '').length)
    }
    expect(Math.max(...walked)).toBeGreaterThan(100)
  },
  walkMaxMs,
)

test(
  'A6 what a key may not ask for it is not told either',
  async () => {
    const told = async (permissions: readonly api.Permission[]) =>
      (await documentsFor(permissions)).map(({ text }) => text).join('\n')
    const everything = await told(matters)
    const signs: readonly (readonly [api.Permission, readonly string[]])[] = [
      ['libraries:read', [shelf.series.library.name, '/libraries']],
      ['collections:read', ['/collections']],
      ['readlists:read', ['/readlists']],
      [
        'progress:read',
        [
          'pse:lastRead',
          '/progression',
          '/position',
          '/keep-reading',
          '/on-deck',
          '/want-to-read',
          '/presets',
          'Read status',
        ],
      ],
      ['files:download', ['/file/']],
      ['pages:read', ['/pages/', '/manifest', '/resources/']],
    ]
    for (const [left, words] of signs) {
      const texts = await told(without(left))
      for (const word of words)
        expect([left, word, everything.includes(word), texts.includes(word)]).toEqual([left, word, true, false])
    }
  },
  walkMaxMs,
)

test('A6 lists that go by reading are refused to a key that may not know of it', async () => {
  const { headers } = await keyWith(without('progress:read'))
  for (const path of [
    '/opds/v1/books?read=read',
    '/opds/v2/books?sort=read',
    `/opds/v1/series/${shelf.series.id}?read=unread`,
    '/opds/v1/keep-reading',
    '/opds/v2/on-deck',
  ]) {
    const [step] = await followLinks(server.url, { name: '', headers, sameMax: 1 }, [path])
    expect([path, step?.status]).toEqual([path, 403])
  }
})

const nameOfPerson = (person: Element) => named(person, 'name').length

/** It checks the grammar of OPDS 1.2 and the schemas of OPDS 2, as far as something can go wrong here. */
const requireValid = ({ href, text }: Step): void => {
  if (text.startsWith('<')) return requireValidAtom(href, parseStrictly(text))
  const document = JSON.parse(text) as Partial<OpdsFeed & OpdsPublication>
  if (document.images) return requireValidPublication(href, document as OpdsPublication)
  if (!document.links || 'readingOrder' in document || 'authentication' in document) return
  const { links, navigation, publications, groups = [], facets = [] } = document as OpdsFeed
  const lists = [navigation, publications, ...groups.flatMap((group) => [group.navigation, group.publications])]
  expect([href, links.filter(({ rel }) => rel === 'self').length]).toEqual([href, 1])
  expect([href, [navigation, publications, groups].some((list) => list && list.length > 0)]).toEqual([href, true])
  expect([href, lists.filter((list) => list?.length === 0)]).toEqual([href, []])
  const ways = [
    navigation ?? [],
    ...groups.map((group) => group.navigation ?? []),
    ...facets.map((facet) => facet.links),
  ]
  expect([href, ways.flat().filter(({ title }) => !title)]).toEqual([href, []])
  for (const each of [...(publications ?? []), ...groups.flatMap((group) => group.publications ?? [])])
    requireValidPublication(href, each)
}

const requireValidPublication = (from: string, { metadata, links, images }: OpdsPublication): void => {
  const ways = links.filter(({ rel = '' }) => /^(?:preview$|http:\/\/opds-spec\.org\/acquisition)/.test(rel))
  expect([from, metadata.title, ways.length, images.length > 0]).toEqual([from, metadata.title, 1, true])
  expect([from, links.filter(({ size, type, rel }) => size === 0 || !type || !rel)]).toEqual([from, []])
  const position = metadata.belongsTo?.series.position
  expect([from, position === undefined || position > 0]).toEqual([from, true])
}

const requireValidAtom = (href: string, root: Element): void => {
  // A description of the search, or a book.
  if (root.name !== 'feed' && root.name !== 'entry') return
  const entries = root.name === 'feed' ? named(root, 'entry') : [root]
  const isOfBooks = root.name === 'entry' || linkOf(root, 'self', opdsTypes.acquisition) !== undefined
  for (const each of [root, ...entries])
    expect([href, ['id', 'title', 'updated'].map((name) => named(each, name).length)]).toEqual([href, [1, 1, 1]])
  for (const entry of entries) {
    const rels = named(entry, 'link').map(({ attributes }) => attributes['rel'] ?? '')
    const ways = rels.filter((rel) => rel.startsWith('http://opds-spec.org/acquisition'))
    expect([href, textOf(entry, 'title'), ways.length]).toEqual([href, textOf(entry, 'title'), isOfBooks ? 1 : 0])
    expect([href, named(entry, 'author').filter((person) => nameOfPerson(person) !== 1)]).toEqual([href, []])
    if (!isOfBooks) expect([href, rels[0]]).toEqual([href, expect.stringMatching(/^subsection$|sort\/new$/)])
  }
}

test(
  'D3 every document is whole, whatever books are in it and whoever asks',
  async () => {
    for (const permissions of [matters, without('files:download'), ['series:read', 'books:read'] as const]) {
      const documents = await documentsFor(permissions)
      for (const document of documents) requireValid(document)
      expect(documents.length).toBeGreaterThan(30)
    }
  },
  walkMaxMs,
)
