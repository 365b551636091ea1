import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { array, assert, asyncProperty, boolean, constant, constantFrom, oneof, record, subarray } from 'fast-check'
import { expect, test } from 'vitest'
import { insertMany } from '../src/database/many.ts'
import { maySee, type ViewRule } from '../src/features/access/access.ts'
import { type Viewer, visibleLibraries, visibleTo } from '../src/features/visibility/visibility.ts'
import { addBooks, addLibrary, addManySeries } from './content.ts'
import { addressOf, doorsOpen, unknownId } from './contract/inputs.ts'
import { compatInputs } from './doors/compat-inputs.ts'
import { koreaderInputs } from './doors/koreader-inputs.ts'
import { opdsInputs } from './doors/opds-inputs.ts'
import { exported } from './exporting.ts'
import { startServer, type TestServer } from './start-server.ts'
import { collectionIds, furnish, isOnShelf, readListIds, shelfInputs } from './shelves.ts'
import type { Inputs, Subject } from './visible-inputs.ts'
import { build, comics, everything, idOf, manga, read, seers, sees, shelved, world } from './visible-world.ts'

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
/** The plugin of the world's matches. */
const matcher = idOf('plugin', 1)
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
  'POST /api/v1/books/list/letters': { bodies: bookConditions },
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
  'GET /api/v1/home': { queries: ['', 'limit=1', ...filters] },
  'GET /api/v1/user/reading-status': { queries: ['', 'status=planned'] },
  'GET /api/v1/user/followed-series': { queries: ['', 'pageSize=2&page=2'] },
  'GET /api/v1/user/notifications': { queries: ['', 'unread=true', 'unread=false&pageSize=1'] },
  'GET /api/v1/user/notifications/unread-count': {},
  'GET /api/v1/user/annotations': { queries: [''] },
  'GET /api/v1/user/recommendations': {},
  'GET /api/v1/books/{id}/bookmarks': { of: 'book' },
  'GET /api/v1/books/{id}/annotations': { of: 'book' },
  'GET /api/v1/progress': { queries: [''] },
  'GET /api/v1/books/{id}/progress': { of: 'book' },
  'GET /api/v1/books/{id}/progress/history': { of: 'book' },
  'GET /api/v1/books/{id}/progression': { of: 'book' },
  'GET /api/v1/books/{id}/read-history': { of: 'book' },
  'GET /api/v1/series/{id}/read-history': { of: 'series' },
  'GET /api/v1/books/{id}/time-left': { of: 'book' },
  'GET /api/v1/reading-stats': { queries: ['from=2016-01-01&to=2026-12-31&granularity=month'] },
  // What is in the file of one who no longer sees a book is looked at in its own test.
  'GET /api/v1/user/reading-history': 'shows no content',
  'GET /api/v1/user/reading-history/imports/{id}': 'shows no content',
  'GET /api/v1/reading-stats/coverage': { queries: [''] },
  'GET /api/v1/reading-stats/calendar': { queries: ['year=2026'] },
  'GET /api/v1/reading-stats/pace': { queries: [''] },
  'GET /api/v1/book-errors': { queries: [''] },
  'GET /api/v1/book-errors/kinds': { queries: ['', ...filters] },
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
  'GET /api/v1/metadata/matches': {
    queries: ['state=uncertain', 'state=matched&entity=book', 'pageSize=2&page=2', `libraryId=${manga}`],
  },
  'GET /api/v1/plugins/actions': 'shows no content',
  'GET /api/v1/plugins/web-links': 'shows no content',
  'GET /api/v1/series/{id}/metadata/search-title': { of: 'series', queries: [`pluginId=${matcher}`] },
  'GET /api/v1/books/{id}/metadata/search-title': { of: 'book', few: true, queries: [`pluginId=${matcher}`] },
  'GET /api/v1/libraries/{id}/jobs': { of: 'library' },
  'GET /api/v1/libraries/{id}/jobs/{jobId}': 'shows no content',
  'GET /api/v1/library-jobs/metadata-refresh/field-groups': 'shows no content',
  'GET /api/v1/genres': { queries: ['', 'pageSize=2&page=2', 'q=genre1'] },
  'GET /api/v1/tags': { queries: ['', 'pageSize=2&page=2'] },
  'GET /api/v1/people': { queries: ['', 'q=Person'] },
  ...shelfInputs,
  'GET /api/v1/books/{id}': { of: 'book' },
  'GET /api/v1/books/{id}/full': { of: 'book' },
  // What is in their files is compared below.
  'GET /api/v1/user/exports/series': 'shows no content',
  'POST /api/v1/user/exports/series': 'shows no content',
  'GET /api/v1/user/exports/series/fields': 'shows no content',
  'GET /api/v1/user/exports/series/{id}': 'shows no content',
  'GET /api/v1/user/exports/series/{id}/download': 'shows no content',
  'GET /api/v1/duplicates/series': {
    queries: ['', 'matchType=title', 'matchType=external_id', 'pageSize=1&page=2'],
  },
  'GET /api/v1/duplicates/books': { queries: ['', 'matchType=content', 'matchType=file', 'pageSize=2'] },
  'GET /api/v1/duplicates/series/merges': { queries: ['', 'pageSize=2&page=2'] },
  'GET /api/v1/duplicates/books/merges': { queries: ['', 'pageSize=5&page=2'] },
  ...opdsInputs,
  ...compatInputs,
  ...koreaderInputs,
}

const areas = /^(libraries|series|books|pages|progress|collections|readlists):|^files:download$/
const places =
  /^\/(api\/v1|media)\/(libraries|series|books|covers|pages|progress|home|search|filesystem|genres|tags|people|want-to-read|user\/(reading-status|followed-series|notifications|annotations|recommendations))\b/
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
        asReader: inputs.asReader === true,
        // What is there depends on more than its id.
        isCompared: /\{(bookId|document)\}/.test(endpoint.path) || inputs.mayBeNothing === true,
        id,
        address: `${addressOf(endpoint, { id, bookId: idOf('book', 0), document: id, letter: 'S' })}?${query}`,
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
  const [, requestId = ''] = /"requestId":"([^"]+)"/.exec(text) ?? []
  return {
    address,
    body,
    status: reply.status,
    // What each reply and each person has of its own.
    text: text
      .replaceAll(url, 'the server')
      .replaceAll(id, 'the viewer')
      .replaceAll(requestId || 'no request id', '')
      .replace(/"timestamp":"[^"]*"/, '')
      // Of a refusal at the compatibility door: it says again what was asked.
      .replace(/"path":"\/komga\/[^"]*"/, '')
      .replaceAll(/"id":"[^"]*","userId"/g, 'their progress'),
    link: reply.headers.get('link'),
  }
}

/** Several at a time: most of a question is waiting for the database. */
const eachOf = async <Item>(items: readonly Item[], look: (item: Item) => Promise<void>): Promise<void> => {
  const left = items.values()
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const item of left) await look(item)
    }),
  )
}

/** Everything there is to show, narrowed by what hidden books could give away, and without. */
const exportsWanted: readonly [api.CreateSeriesExportRequest, ...api.CreateSeriesExportRequest[]] = [
  {
    format: 'json',
    exportType: 'both',
    fields: [...api.seriesExportFields],
    bookFields: [...api.bookExportFields],
  },
  { format: 'csv', condition: { readStatus: { operator: 'is', value: 'read' } } },
]

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
    await using full = await startServer({ env: doorsOpen })
    await using twin = await startServer({ env: doorsOpen })
    await build(full.context.db, everything)
    await build(twin.context.db, rule)
    const here = await full.person(role, { access })
    const there = await twin.person(role, { access })
    await read(full.context.db, here.id, everything)
    await read(twin.context.db, there.id, rule)
    await furnish(full.context.db, here.id, shelved(everything))
    await furnish(twin.context.db, there.id, shelved(rule))

    let found = 0
    await eachOf(addresses, async ({ of, id, address, readsFiles, asReader, isCompared, body }) => {
      const isThere = !isHidden(rule, of, id, role !== 'reader' && !asReader)
      if (readsFiles && isThere) return
      const [seen, expected] = await Promise.all([
        ask(full, { address, body }, here),
        ask(twin, { address, body }, there),
      ])
      expect(seen).toEqual(expected)
      // What only editors may ask is refused before anybody looks.
      if (seen.status === 403 || isCompared) return
      const text = isThere ? seen.text : (await ask(full, { address: address.replace(id, unknownId), body }, here)).text
      // Where nobody has read anything yet there is nothing to answer with.
      const status = seen.text === '' ? 204 : 200
      expect([address, seen.status, seen.text]).toEqual([address, isThere ? status : 404, text])
      found += isThere ? 1 : 0
    })
    expect(found).toBeGreaterThan(20)
  })
}

test.each(['one library and an age', 'a white list, for somebody who edits', 'a group'])(
  'HTTP-3 AUTH-7 W9 with %s, an export is the same as where the hidden content does not exist',
  async (name) => {
    const { role, access, rule } = seers[name] ?? { role: 'reader', access: {}, rule: everything }
    await using full = await startServer({ env: doorsOpen })
    await using twin = await startServer({ env: doorsOpen })
    await build(full.context.db, everything)
    await build(twin.context.db, rule)
    const here = await full.person(role, { access })
    const there = await twin.person(role, { access })
    await read(full.context.db, here.id, everything)
    await read(twin.context.db, there.id, rule)
    await furnish(full.context.db, here.id, shelved(everything))
    await furnish(twin.context.db, there.id, shelved(rule))

    const [all, ...narrowed] = exportsWanted
    const seen = await exported(full, here, all)
    expect(seen).toBe(await exported(twin, there, all))
    expect(seen).toContain('"Series 0"')
    for (const body of narrowed) expect(await exported(full, here, body)).toBe(await exported(twin, there, body))
  },
)

test('AUTH-7 HTTP-3 a deleted library is as if it had never been', async () => {
  await using full = await startServer({ env: doorsOpen })
  await using twin = await startServer({ env: doorsOpen })
  const rule = { ...everything, libraries: [manga] }
  await build(full.context.db, everything)
  await build(twin.context.db, rule)
  const here = await full.person('admin')
  const there = await twin.person('admin')
  expect((await here.call(api.deleteLibrary, { params: { id: comics } })).status).toBe(204)

  await eachOf(addresses, async (asked) => {
    if (asked.readsFiles) return
    const [seen, expected] = await Promise.all([ask(full, asked, here), ask(twin, asked, there)])
    expect(seen).toEqual(expected)
  })
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
