import type { Access, Role } from '@carrel/api'
import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { array, assert, asyncProperty, boolean, constant, constantFrom, oneof, record, subarray } from 'fast-check'
import { expect, test } from 'vitest'
import type { Database } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'
import { maySee, type ViewRule } from '../src/features/access/access.ts'
import { recountSeries } from '../src/features/reading/reading.ts'
import { type Viewer, visibleLibraries, visibleTo } from '../src/features/visibility/visibility.ts'
import { addBooks, addLibrary, addManySeries, addSeries } from './content.ts'
import { addressOf, unknownId } from './contract/inputs.ts'
import { startServer, type TestServer } from './start-server.ts'
import { addShelves, collectionIds, furnish, isOnShelf, readListIds, shelfInputs, shelvedFrom } from './shelves.ts'

/** Ids that are the same in every database of these tests. */
const idKinds = ['library', 'root', 'series', 'book', 'file', 'tag', 'group', 'term', 'duplicates'] as const
const idOf = (kind: (typeof idKinds)[number], number: number): string => {
  const kinds: readonly string[] = idKinds
  return `019aa3b2-${kinds.indexOf(kind)}000-7000-8000-${String(number).padStart(12, '0')}`
}

const manga = idOf('library', 1)
const comics = idOf('library', 2)
const family = idOf('tag', 1)
const secret = idOf('tag', 2)
const circle = idOf('group', 1)

interface WrittenBook {
  readonly rating: number | null
  readonly isMissing?: boolean
}

interface WrittenSeries {
  readonly library: string
  readonly rating: number | null
  readonly tags: readonly string[]
  readonly books: readonly WrittenBook[]
}

const book = (rating: number | null): WrittenBook => ({ rating })
const missing = (rating: number | null): WrittenBook => ({ rating, isMissing: true })

/** Every way in which something can be hidden beside something that is not. */
const world: readonly WrittenSeries[] = [
  { library: manga, rating: 6, tags: [family], books: [book(6), book(18), book(6), missing(6), missing(18)] },
  { library: manga, rating: 18, tags: [family], books: [book(18), book(6)] },
  { library: manga, rating: null, tags: [family], books: [book(null), book(null)] },
  { library: manga, rating: 6, tags: [], books: [book(6)] },
  { library: manga, rating: 6, tags: [family, secret], books: [book(6), missing(6)] },
  { library: manga, rating: 6, tags: [family], books: [book(18), book(18)] },
  { library: manga, rating: 12, tags: [secret], books: [book(12)] },
  { library: comics, rating: 6, tags: [family], books: [book(6), book(6)] },
  { library: comics, rating: null, tags: [], books: [book(null)] },
]

interface Seer {
  readonly role: Role
  readonly access: Partial<Access>
  /** What that comes to. */
  readonly rule: ViewRule
}

const everything: ViewRule = { libraries: 'all', ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }

const seers: Readonly<Record<string, Seer>> = {
  'one library and an age': {
    role: 'reader',
    access: { libraries: [manga], ageCeiling: 12 },
    rule: { ...everything, libraries: [manga], ageCeiling: 12 },
  },
  'an age that lets unrated works show': {
    role: 'reader',
    access: { ageCeiling: 12, includeUnrated: true },
    rule: { ...everything, ageCeiling: 12, includeUnrated: true },
  },
  'a white list, for somebody who edits': {
    role: 'editor',
    access: { allowTags: [family] },
    rule: { ...everything, allowTags: [family] },
  },
  'a tag that is denied': {
    role: 'reader',
    access: { denyTags: [secret] },
    rule: { ...everything, denyTags: [secret] },
  },
  'a group': {
    role: 'reader',
    access: { groups: [circle] },
    rule: { libraries: [manga], ageCeiling: 16, includeUnrated: true, allowTags: [family], denyTags: [secret] },
  },
  'no library at all': { role: 'reader', access: { libraries: [] }, rule: { ...everything, libraries: [] } },
}

const sees = (rule: ViewRule, { library, tags }: WrittenSeries, ageRating: number | null): boolean =>
  maySee(rule, { libraryId: library, content: { ageRating, sharingTags: tags } })

/** The world, or what is left of it for somebody from whom the rest is hidden. */
const build = async (db: Database, rule: ViewRule): Promise<void> => {
  await addAccess(db)
  for (const [libraryNumber, id] of [manga, comics].entries()) {
    if (!maySee(rule, { libraryId: id })) continue
    const name = `Library ${libraryNumber + 1}`
    const library = await addLibrary(db, { id, name, path: `/data/${name}`, rootId: idOf('root', libraryNumber) })
    for (const [number, written] of world.entries()) {
      if (written.library !== id) continue
      const visible = [...written.books.entries()].filter(([, { rating }]) => sees(rule, written, rating))
      // A book may show although its series does not.
      if (visible.length === 0 && !sees(rule, written, written.rating)) continue
      const row = {
        id: idOf('series', number),
        title: `Series ${number}`,
        age_rating: written.rating,
        year: number % 3 === 0 ? null : 2000 + (number % 4),
        publisher: number % 2 === 0 ? 'Even' : 'Odd',
        total_volume_count: 2,
      }
      const series = await addSeries(db, library, { ...row, sharingTags: written.tags })
      const bookIds = await addBooks(
        db,
        series,
        visible.map(([place, { rating, isMissing }]) => ({
          id: idOf('book', number * 10 + place),
          file: { id: idOf('file', number * 10 + place) },
          number: place + 1,
          volume: place + 1,
          age_rating: rating,
          cover_version: place,
          placeholder: `cover ${place}`,
          ...(isMissing && { state: 'missing' as const }),
        })),
      )
      await addTerms(db, number, bookIds)
    }
  }
  await addDuplicates(db)
  await addShelves(db, shelved(rule))
}

/** The world as shelves see it: what there is of it for a rule, and whether it stands in lists. */
const shelved = (rule: ViewRule) =>
  shelvedFrom(world, idOf, (written: WrittenSeries, rating) => sees(rule, written, rating))

/** Of series and of books, by their places in the world; the last of each has been dismissed, as far as it goes. */
const alike = {
  series: [
    [0, 1, 3],
    [4, 6],
    [0, 5],
    [2, 3],
    [0, 7],
    [3, 8],
    [0, 2],
    [0, 4],
  ],
  books: [
    [0, 1, 2],
    [10, 11],
    [0, 10],
    [2, 70],
    [3, 4],
    [20, 30],
    [50, 51],
    [0, 2, 40],
  ],
} as const

const addDuplicates = async (db: Database): Promise<void> => {
  const at = '2026-11-01T10:00:00.000Z'
  const there = {
    series: new Set((await db.read.selectFrom('series').select('id').execute()).map(({ id }) => id)),
    books: new Set((await db.read.selectFrom('book').select('id').execute()).map(({ id }) => id)),
  }
  const groupOf = (of: 'series' | 'books', index: number) => ({
    id: idOf('duplicates', index + (of === 'series' ? 0 : 100)),
    match_type: of === 'books' ? ('content' as const) : index % 2 === 0 ? ('title' as const) : ('external_id' as const),
    scope: of === 'series' && index % 2 === 0 ? manga : '',
    key: `key ${index}`,
    created_at: at,
    updated_at: at,
  })
  const membersOf = (of: keyof typeof alike) =>
    alike[of].flatMap((numbers, index) =>
      numbers
        .map((number) => ({ id: idOf(of === 'series' ? 'series' : 'book', number), isLast: number === numbers.at(-1) }))
        .filter(({ id }) => there[of].has(id))
        .map(({ id, isLast }) => ({
          group_id: groupOf(of, index).id,
          id,
          // Of the last group all, of the one before all but one.
          dismissed: index === alike[of].length - 1 || (index === alike[of].length - 2 && !isLast) ? 1 : 0,
        })),
    )
  await db.write(async (db) => {
    for (const of of ['series', 'books'] as const)
      await insertMany(
        db,
        'duplicate_group',
        alike[of].map((_, index) => groupOf(of, index)),
      )
    await insertMany(
      db,
      'duplicate_series',
      membersOf('series').map(({ id, ...row }) => ({ ...row, series_id: id, dismissed: row.dismissed as 0 | 1 })),
    )
    await insertMany(
      db,
      'duplicate_book',
      membersOf('books').map(({ id, ...row }) => ({ ...row, book_id: id, dismissed: row.dismissed as 0 | 1 })),
    )
  })
}

/** Of each kind a term of its own for each, and one that all have. */
const addTerms = async (db: Database, number: number, bookIds: readonly string[]): Promise<void> => {
  const kinds = ['genre', 'tag', 'person'] as const
  const terms = kinds.flatMap((kind, place) =>
    [
      { name: kind === 'genre' ? 'common' : `common ${kind}`, id: idOf('term', 1000 + place) },
      { name: `${kind}${number}`, id: idOf('term', number * 10 + place) },
    ].map((term) => ({ ...term, kind, key: term.name, sort_key: term.name, created_at: '2026-11-01T10:00:00.000Z' })),
  )
  // Nobody has made a series, only its books: they are told from those.
  const ofSeries = terms.filter(({ kind }) => kind !== 'person')
  const of = (all: typeof terms) => all.map(({ id }, place) => ({ term_id: id, role: '', place }))
  await db.write(async (db) => {
    await insertMany(db, 'term', terms, 'is left as it is')
    await insertMany(
      db,
      'series_term',
      of(ofSeries).map((each) => ({ series_id: idOf('series', number), ...each })),
    )
    await insertMany(
      db,
      'book_term',
      bookIds.flatMap((book_id) => of(terms).map((each) => ({ book_id, ...each }))),
    )
  })
}

/** They have read and opened what they see now and, where it exists, what is hidden from them since. */
const read = async (db: Database, userId: string, rule: ViewRule): Promise<void> => {
  const at = '2026-11-02T10:00:00.000Z'
  const rows = world.flatMap((series, number) =>
    [...series.books.entries()]
      .filter(([place, { rating }]) => (number + place) % 3 < 2 && sees(rule, series, rating))
      .map(([place]) => ({
        user_id: userId,
        book_id: idOf('book', number * 10 + place),
        fact_id: idOf('book', number * 10 + place),
        device_id: 'unknown',
        page: 3,
        percentage: null,
        page_count: 20,
        completed: ((number + place) % 3) as 0 | 1,
        rereading: 0 as const,
        started_at: at,
        updated_at: at.replace('10:', `${10 + number}:`),
        completed_at: (number + place) % 3 ? at : null,
      })),
  )
  await db.write(async (db) => {
    await insertMany(db, 'read_progress', rows)
    await recountSeries(
      db,
      world.map((_, number) => idOf('series', number)),
    )
  })
}

const addAccess = async (db: Database): Promise<void> => {
  const at = '2026-11-01T10:00:00.000Z'
  const named = (name: string) => ({
    name,
    name_key: name,
    sort_key: name,
    description: null,
    created_at: at,
    updated_at: at,
  })
  const rule = { all_libraries: 0 as const, age_ceiling: 16, include_unrated: 1 as const }
  const grant = (tag_id: string, mode: 'allow' | 'deny') => ({ owner_id: circle, tag_id, mode, created_at: at })
  await db.write(async (db) => {
    await insertMany(db, 'sharing_tag', [
      { id: family, ...named('family'), name_text: 'family' },
      { id: secret, ...named('secret'), name_text: 'secret' },
    ])
    await insertMany(db, 'access_group', [{ id: circle, ...named('circle'), ...rule }])
    await insertMany(db, 'access_group_library', [{ owner_id: circle, library_id: manga }])
    await insertMany(db, 'access_group_grant', [grant(family, 'allow'), grant(secret, 'deny')])
  })
}

type Subject = 'library' | 'series' | 'book' | 'collection' | 'readList'

interface Inputs {
  /** What it answers stands in files, and there are none here: only that hidden content is not there is looked at. */
  readonly readsFiles?: true
  /** It is found as its metadata is, for which every id is tried: these are asked for some. */
  readonly few?: true
  /** What its `id` names; absent: it takes none. */
  readonly of?: Subject
  readonly queries?: readonly string[]
  /** Of one that is asked with a body. */
  readonly bodies?: readonly object[]
}

/** Each once, whatever names it goes under. */
const everyOrder = (orders: Readonly<Record<string, string>>) =>
  [...new Map(Object.entries(orders).map(([name, order]) => [order, name])).values()].map(
    (name, at) => `sort=${name},${at % 2 ? 'asc' : 'desc'}&seed=1`,
  )

const seriesConditions = [
  {},
  { condition: { genre: { operator: 'is', value: 'common' } } },
  { condition: { completion: { operator: 'isTrue' } } },
  { condition: { sharingTag: { operator: 'is', value: 'family' } } },
  { condition: { readStatus: { operator: 'is', value: 'read' } } },
  { condition: { readStatus: { operator: 'isNot', value: 'unread' } } },
  { condition: { not: { libraryId: { operator: 'is', value: manga } } } },
  { fullTextSearch: 'series' },
]
const bookConditions = [
  {},
  { includeDeleted: true },
  { condition: { genre: { operator: 'is', value: 'common' } } },
  { condition: { readStatus: { operator: 'is', value: 'read' } }, includeDeleted: true },
  { condition: { path: { operator: 'contains', value: 'data' } } },
  { condition: { pageCount: { operator: 'gt', value: 1 } } },
  { fullTextSearch: 'series' },
]

const orders = ['name,asc', 'name,desc', 'createdAt,desc', 'updatedAt,asc'].map((sort) => `sort=${sort}`)
const filters = [manga, comics].map((id) => `libraryId=${id}`)
const withMissing = ['includeDeleted=true', `includeDeleted=true&libraryId=${manga}`]

/** How each endpoint that shows content is asked. One that is not here fails the test: whoever adds one adds its row. */
const table: Readonly<Record<string, Inputs | 'shows no content'>> = {
  'GET /api/v1/libraries': { queries: ['', 'sort=name,desc', 'pageSize=1'] },
  'GET /api/v1/libraries/{id}': { of: 'library' },
  'GET /api/v1/libraries/{id}/series': { of: 'library', queries: ['', ...orders] },
  'GET /api/v1/libraries/{id}/books': { of: 'library', queries: ['', ...orders, 'includeDeleted=true'] },
  'GET /api/v1/filesystem/browse': 'shows no content',
  'GET /api/v1/filesystem/drives': 'shows no content',
  'GET /api/v1/series': {
    queries: ['', ...everyOrder(api.seriesOrders), ...filters, 'genres=common', 'pageSize=2&page=2'],
  },
  'POST /api/v1/series/list': { queries: ['', 'sort=book_count,desc'], bodies: seriesConditions },
  'POST /api/v1/series/list/letters': { bodies: seriesConditions },
  'POST /api/v1/series/facets': { bodies: seriesConditions.map((each) => ({ ...each, facets: api.seriesFacets })) },
  'POST /api/v1/books/list': { bodies: bookConditions },
  'POST /api/v1/books/facets': { bodies: bookConditions.map((each) => ({ ...each, facets: api.bookFacets })) },
  'GET /api/v1/books/{id}/adjacent': { of: 'book' },
  'GET /api/v1/series/{id}': { of: 'series' },
  'GET /api/v1/series/{id}/full': { of: 'series' },
  'GET /api/v1/series/{id}/books': {
    of: 'series',
    queries: ['', ...orders, 'sort=number,desc', 'includeDeleted=true'],
  },
  'GET /api/v1/series/{id}/sharing-tags': { of: 'series' },
  'GET /api/v1/books': {
    queries: [
      '',
      ...everyOrder(api.bookOrders),
      ...filters,
      ...withMissing,
      ...world.map((_, number) => `seriesId=${idOf('series', number)}`),
      'pageSize=2&page=2',
    ],
  },
  'GET /api/v1/libraries/{id}/scan-status': { of: 'library' },
  'GET /api/v1/libraries/{id}/scans': 'shows no content',
  'GET /api/v1/libraries/{id}/held-changes': 'shows no content',
  'GET /api/v1/libraries/{id}/held-changes/{heldId}/items': 'shows no content',
  'GET /api/v1/libraries/{id}/relinks': 'shows no content',
  'GET /api/v1/progress': { queries: [''] },
  'GET /api/v1/books/{id}/progress': { of: 'book' },
  'GET /api/v1/books/{id}/progress/history': { of: 'book' },
  'GET /api/v1/books/{id}/progression': { of: 'book' },
  'GET /api/v1/books/{id}/read-history': { of: 'book' },
  'GET /api/v1/book-errors': { queries: [''] },
  'GET /api/v1/books/{id}/manifest': { of: 'book', readsFiles: true },
  'GET /api/v1/books/{id}/positions': { of: 'book', readsFiles: true },
  'GET /api/v1/books/{id}/resources/{path}': { of: 'book', readsFiles: true },
  'GET /api/v1/books/{id}/thumbnail': { of: 'book', readsFiles: true },
  'GET /media/books/{id}/thumbnail': { of: 'book', readsFiles: true },
  'GET /api/v1/books/{id}/covers/{coverId}/image': { of: 'book', readsFiles: true },
  'GET /api/v1/books/{id}/file': { of: 'book', readsFiles: true },
  'GET /api/v1/books/{id}/pages': { of: 'book', readsFiles: true },
  'GET /api/v1/books/{id}/pages/{number}': { of: 'book', readsFiles: true },
  'GET /media/books/{id}/pages/{number}': { of: 'book', readsFiles: true },
  'GET /api/v1/series/{id}/thumbnail': { of: 'series', readsFiles: true },
  'GET /media/series/{id}/thumbnail': { of: 'series', readsFiles: true },
  'GET /api/v1/series/{id}/covers/{coverId}/image': { of: 'series', readsFiles: true },
  'GET /api/v1/series/{id}/download': { of: 'series', readsFiles: true },
  'GET /api/v1/books/{id}/search': { of: 'book', readsFiles: true, queries: ['q=word'] },
  'GET /api/v1/books/{id}/covers': { of: 'book' },
  'GET /api/v1/series/{id}/covers': { of: 'series' },
  'GET /api/v1/search': { queries: ['q=series', 'q=seires', 'q=series 4 2', 'q=xxx', 'q=1&limit=2', 'q=role'] },
  'GET /api/v1/search/suggest': { queries: ['q=ser', 'q=seires', 'q=role'] },
  'GET /api/v1/series/{id}/metadata': { of: 'series' },
  'GET /api/v1/series/{id}/metadata/sources': { of: 'series', few: true },
  'GET /api/v1/series/{id}/metadata/history': { of: 'series', few: true },
  'GET /api/v1/series/{id}/metadata/context': { of: 'series', few: true },
  'GET /api/v1/series/{id}/metadata/rendered': { of: 'series', few: true },
  'GET /api/v1/books/{id}/metadata': { of: 'book' },
  'GET /api/v1/books/{id}/metadata/sources': { of: 'book', few: true },
  'GET /api/v1/books/{id}/metadata/history': { of: 'book', few: true },
  'GET /api/v1/books/{id}/metadata/context': { of: 'book', few: true },
  'GET /api/v1/books/{id}/metadata/rendered': { of: 'book', few: true },
  'GET /api/v1/genres': { queries: ['', 'pageSize=2&page=2', 'q=genre1'] },
  'GET /api/v1/tags': { queries: ['', 'pageSize=2&page=2'] },
  'GET /api/v1/people': { queries: ['', 'q=Person'] },
  ...shelfInputs,
  'GET /api/v1/books/{id}': { of: 'book' },
  'GET /api/v1/books/{id}/full': { of: 'book' },
  'GET /api/v1/duplicates/series': {
    queries: ['', 'matchType=title', 'matchType=external_id', 'pageSize=1&page=2'],
  },
  'GET /api/v1/duplicates/books': { queries: ['', 'matchType=content', 'matchType=file', 'pageSize=2'] },
}

const areas = /^(libraries|series|books|pages|progress|collections|readlists):|^files:download$/
const places =
  /^\/(api\/v1|media)\/(libraries|series|books|covers|pages|progress|home|search|filesystem|genres|tags|people|want-to-read)\b/
const contentEndpoints = allEndpoints.filter(
  ({ method, path, shape }) =>
    (method === 'GET' && (areas.test(shape.access) || places.test(path))) ||
    // What is asked with a body and changes nothing.
    (method === 'POST' && areas.test(shape.access) && shape.access.endsWith(':read')),
)

const allIds: Readonly<Record<Subject, readonly string[]>> = {
  library: [manga, comics],
  series: world.map((_, number) => idOf('series', number)),
  book: world.flatMap(({ books }, number) => books.map((_, place) => idOf('book', number * 10 + place))),
  collection: collectionIds,
  readList: readListIds,
}

/** Every address of the table, with every id there is. */
const addresses = contentEndpoints.flatMap((endpoint) => {
  const inputs = table[api.nameOf(endpoint)]
  if (!inputs || inputs === 'shows no content') return []
  const known = inputs.of ? allIds[inputs.of].filter((_, place) => !inputs.few || place % 4 === 1) : []
  const ids = inputs.of ? [...known, unknownId] : ['']
  return ids.flatMap((id) =>
    (inputs.queries ?? ['']).flatMap((query) =>
      (inputs.bodies ?? [undefined]).map((body) => ({
        of: inputs.of,
        readsFiles: inputs.readsFiles === true,
        // What is there depends on more than its id.
        isCompared: endpoint.path.includes('{bookId}'),
        id,
        address: `${addressOf(endpoint, { id, bookId: idOf('book', 0) })}?${query}`,
        body,
      })),
    ),
  )
})

interface Asked {
  readonly address: string
  readonly body?: object | undefined
}

const ask = async (
  { url }: TestServer,
  { address, body }: Asked,
  { id, accessToken }: { id: string; accessToken: string },
) => {
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
  const reply = await fetch(url + address, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const { requestId = '' } = JSON.parse(text || '{}') as { requestId?: string }
  return {
    address,
    body,
    status: reply.status,
    // What each reply and each person has of its own.
    text: text
      .replaceAll(id, 'the viewer')
      .replaceAll(requestId || 'no request id', '')
      .replaceAll(/"id":"[^"]*","userId"/g, 'their progress'),
    link: reply.headers.get('link'),
  }
}

const isHidden = (rule: ViewRule, of: Subject | undefined, id: string, mayChange = false): boolean => {
  if (of === undefined) return false
  if (id === unknownId) return true
  if (of === 'library') return !maySee(rule, { libraryId: id })
  if (of === 'collection' || of === 'readList') return !isOnShelf(shelved(rule), of, id, mayChange)
  const number = world.findIndex((series, place) =>
    of === 'series' ? idOf('series', place) === id : series.books.some((_, at) => idOf('book', place * 10 + at) === id),
  )
  const series = world[number]
  if (!series) return true
  if (of === 'series') return !sees(rule, series, series.rating)
  return !sees(rule, series, series.books[Number(id.slice(-3)) - number * 10]?.rating ?? null)
}

test('HTTP-3 AUTH-7 whatever shows content has a row here', () => {
  expect(contentEndpoints.map(api.nameOf).sort()).toEqual(Object.keys(table).sort())
})

for (const [name, { role, access, rule }] of Object.entries(seers)) {
  test(`HTTP-3 AUTH-7 W9 with ${name}, every answer is the same as where the hidden content does not exist`, async () => {
    await using full = await startServer()
    await using twin = await startServer()
    await build(full.context.db, everything)
    await build(twin.context.db, rule)
    const here = await full.person(role, { access })
    const there = await twin.person(role, { access })
    await read(full.context.db, here.id, everything)
    await read(twin.context.db, there.id, rule)
    await furnish(full.context.db, here.id, shelved(everything))
    await furnish(twin.context.db, there.id, shelved(rule))

    let found = 0
    for (const { of, id, address, readsFiles, isCompared, body } of addresses) {
      const isThere = !isHidden(rule, of, id, role !== 'reader')
      if (readsFiles && isThere) continue
      const seen = await ask(full, { address, body }, here)
      expect(seen).toEqual(await ask(twin, { address, body }, there))
      // What only editors may ask is refused before anybody looks.
      if (seen.status === 403 || isCompared) continue
      const text = isThere ? seen.text : (await ask(full, { address: address.replace(id, unknownId), body }, here)).text
      // Where nobody has read anything yet there is nothing to answer with.
      const status = seen.text === '' ? 204 : 200
      expect([address, seen.status, seen.text]).toEqual([address, isThere ? status : 404, text])
      found += isThere ? 1 : 0
    }
    expect(found).toBeGreaterThan(20)
  })
}

test('AUTH-7 HTTP-3 a deleted library is as if it had never been', async () => {
  await using full = await startServer()
  await using twin = await startServer()
  const rule = { ...everything, libraries: [manga] }
  await build(full.context.db, everything)
  await build(twin.context.db, rule)
  const here = await full.person('admin')
  const there = await twin.person('admin')
  expect((await here.call(api.deleteLibrary, { params: { id: comics } })).status).toBe(204)

  for (const asked of addresses.filter(({ readsFiles }) => !readsFiles))
    expect(await ask(full, asked, here)).toEqual(await ask(twin, asked, there))
})

const tags = [1, 2, 3, 4].map((number) => idOf('tag', number))
const libraries = [1, 2, 3].map((number) => idOf('library', number))
const ratings = [null, 0, 6, 12, 16, 18] as const

const rules = record({
  libraries: oneof(constant('all' as const), subarray(libraries)),
  ageCeiling: constantFrom(...ratings),
  includeUnrated: boolean(),
  allowTags: oneof(constant([]), subarray(tags)),
  denyTags: oneof(constant([]), subarray(tags)),
})

const labels = record({
  library: constantFrom(...libraries),
  rating: constantFrom(...ratings),
  bookRating: constantFrom(...ratings),
  tags: subarray(tags),
})

test('AUTH-7 what a query selects is what an event is told of, for any rule and any labels', async () => {
  await using server = await startServer()
  const { db } = server.context
  const at = '2026-11-01T10:00:00.000Z'
  await db.write((db) =>
    insertMany(
      db,
      'sharing_tag',
      tags.map((id) => ({
        id,
        name: id,
        name_key: id,
        sort_key: id,
        name_text: id,
        description: null,
        created_at: at,
        updated_at: at,
      })),
    ),
  )
  const added = new Map<string, Awaited<ReturnType<typeof addLibrary>>>()
  for (const [number, id] of libraries.entries())
    added.set(id, await addLibrary(db, { id, name: `Library ${number}`, path: `/data/${number}` }))
  const known: {
    seriesId: string
    bookId: string
    libraryId: string
    rating: number | null
    bookRating: number | null
    tags: readonly string[]
  }[] = []

  const grow = async (
    more: readonly { library: string; rating: number | null; bookRating: number | null; tags: string[] }[],
  ) => {
    for (const { library, rating, bookRating, tags } of more) {
      const place = added.get(library)
      if (!place) continue
      const title = `Series ${known.length}`
      const [series] = await addManySeries(db, place, [{ title, age_rating: rating, sharingTags: tags }])
      const [bookId = ''] = series ? await addBooks(db, series, [{ age_rating: bookRating }]) : []
      known.push({ seriesId: series?.id ?? '', bookId, libraryId: library, rating, bookRating, tags })
    }
  }
  const expected = (rule: ViewRule, of: 'series' | 'book') =>
    known
      .filter(({ libraryId, rating, bookRating, tags: sharingTags }) =>
        maySee(rule, { libraryId, content: { ageRating: of === 'series' ? rating : bookRating, sharingTags } }),
      )
      .map(({ seriesId, bookId }) => (of === 'series' ? seriesId : bookId))
      .sort()

  await assert(
    asyncProperty(array(labels, { maxLength: 3 }), array(rules, { minLength: 5, maxLength: 5 }), async (more, some) => {
      await grow(more)
      for (const rule of some) {
        const viewer: Viewer = { userId: '', rule, deletedLibraries: [], seesPaths: false }
        for (const of of ['series', 'book'] as const) {
          const rows = await db.read.selectFrom(of).select(`${of}.id`).where(visibleTo(viewer, of)).execute()
          expect(rows.map(({ id }) => id).sort()).toEqual(expected(rule, of))
        }
        const shown = await db.read.selectFrom('library').select('library.id').where(visibleLibraries(viewer)).execute()
        expect(shown.map(({ id }) => id).sort()).toEqual(libraries.filter((libraryId) => maySee(rule, { libraryId })))
      }
    }),
    { numRuns: 60 },
  )
})
