import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ViewRule } from '../src/catalogue/visibility/visibility.ts'
import { maySee } from '../src/features/access/access.ts'
import { applyAnalyses } from '../src/features/scan/analysis/apply-analysis.ts'
import { storeFiles } from '../src/features/scan/identity/store-files.ts'
import type { IdentifiedFile } from '../src/features/scan/identity/identified-file.ts'
import { selectScannedLibrary } from '../src/features/scan/queries.ts'
import { refresh } from '../src/catalogue/shown/shown.ts'
import { addressOf, doorsOpen, unknownId } from './contract/inputs.ts'
import { compatInputs } from './doors/compat-inputs.ts'
import { koreaderInputs } from './doors/koreader-inputs.ts'
import { opdsInputs } from './doors/opds-inputs.ts'
import { exported } from './exporting.ts'
import { bodyOf } from './outcome.ts'
import { type Person, startServer, type TestServer } from './start-server.ts'
import { testDialect } from './test-database.ts'
import { keptReadsIn, writes } from './kept-answers.ts'
import { collectionIds, furnish, isOnShelf, readListIds, shelfInputs } from './shelves.ts'
import { bookConditions, seriesConditions } from './visible-conditions.ts'
import type { Inputs, Subject } from './visible-inputs.ts'
import { ask, eachOf, onceEach, type VisibleRequest } from './visible-requests.ts'
import { build, comics, everything, idOf, manga, read, seers, sees, shelved, world } from './visible-world.ts'

/** Each once, whatever names it goes under. */
const everyOrder = (orders: Readonly<Record<string, string>>) =>
  [...new Map(Object.entries(orders).map(([name, order]) => [order, name])).values()].map(
    (name, at) => `sort=${name},${at % 2 ? 'asc' : 'desc'}&seed=1`,
  )

const orders = ['name,asc', 'name,desc', 'createdAt,desc', 'updatedAt,asc'].map((sort) => `sort=${sort}`)
const filters = [manga, comics].map((id) => `libraryId=${id}`)
/** The plugin of the world's matches. */
const matcher = idOf('plugin', 1)
const withMissing = ['includeDeleted=true', `includeDeleted=true&libraryId=${manga}`]

/**
 * It says how each endpoint that shows content is requested. A missing endpoint fails the test: whoever adds one adds
 * its row.
 */
const table: Readonly<Record<string, Inputs | 'shows no content'>> = {
  'GET /api/v1/libraries': { queries: ['', 'sort=name,desc', 'pageSize=1'] },
  'GET /api/v1/libraries/at-a-glance': {},
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
  'GET /api/v1/books/{id}/chapters': { of: 'book', readsFiles: true },
  'GET /api/v1/series/{id}': { of: 'series' },
  'GET /api/v1/series/{id}/full': { of: 'series' },
  'GET /api/v1/series/{id}/books': {
    of: 'series',
    queries: ['', ...orders, 'sort=number,desc', 'includeDeleted=true'],
  },
  'GET /api/v1/series/{id}/gaps': { of: 'series' },
  'GET /api/v1/series/{id}/ahead': { of: 'series' },
  'GET /api/v1/series/{id}/related': { of: 'series' },
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
  'GET /api/v1/libraries/{id}/overrides': { of: 'library', queries: ['', 'pageSize=3&page=2'] },
  'GET /api/v1/home': { queries: ['', 'limit=1', 'grouped=true', 'filled=1', ...filters] },
  'GET /api/v1/home/open': { queries: ['', 'limit=1'] },
  'GET /api/v1/user/reading-status': { queries: ['', 'status=planned'] },
  'GET /api/v1/user/followed-series': { queries: ['', 'pageSize=2&page=2'] },
  'GET /api/v1/user/notifications': { queries: ['', 'unread=true', 'unread=false&pageSize=1'] },
  'GET /api/v1/user/notifications/unread-count': {},
  'GET /api/v1/user/annotations': { queries: [''] },
  'GET /api/v1/user/devices': 'shows no content',
  'GET /api/v1/user/feed': 'shows no content',
  'GET /api/v1/user/webhook': 'shows no content',
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
  // A test of its own covers the file of a user who no longer sees a book.
  'GET /api/v1/user/reading-history': 'shows no content',
  'GET /api/v1/user/reading-history/imports/{id}': 'shows no content',
  'GET /api/v1/reading-stats/coverage': { queries: [''] },
  'GET /api/v1/reading-stats/calendar': { queries: ['year=2026'] },
  'GET /api/v1/reading-stats/year': { queries: ['year=2026'] },
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
  'GET /api/v1/books/{id}/pages/{number}/text': { of: 'book', readsFiles: true },
  'GET /media/books/{id}/pages/{number}': { of: 'book', readsFiles: true },
  'GET /api/v1/series/{id}/thumbnail': { of: 'series', readsFiles: true },
  'GET /media/series/{id}/thumbnail': { of: 'series', readsFiles: true },
  'GET /api/v1/series/{id}/covers/{coverId}/image': { of: 'series', readsFiles: true },
  'GET /api/v1/series/{id}/download': { of: 'series', readsFiles: true },
  'GET /api/v1/books/{id}/search': { of: 'book', readsFiles: true, queries: ['q=word'] },
  'GET /api/v1/books/{id}/covers': { of: 'book' },
  'GET /api/v1/series/{id}/covers': { of: 'series' },
  'GET /api/v1/search': {
    queries: [
      'q=series',
      'q=seires',
      'q=series 4 2',
      'q=xxx',
      'q=1&limit=2',
      'q=role',
      'q=person told 0',
      'q=publisher told 0',
      'q=hides',
    ],
  },
  'GET /api/v1/search/suggest': { queries: ['q=ser', 'q=seires', 'q=role'] },
  'GET /api/v1/series/{id}/metadata': { of: 'series' },
  'GET /api/v1/series/{id}/metadata/sources': { of: 'series', few: true },
  'GET /api/v1/series/{id}/metadata/history': { of: 'series', few: true },
  'GET /api/v1/series/{id}/metadata/context': { of: 'series', few: true },
  'GET /api/v1/series/{id}/metadata/rendered': { of: 'series', few: true },
  'GET /api/v1/books/{id}/placement': { of: 'book' },
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
  'GET /api/v1/people/by-name': {
    mayBeNothing: true,
    queries: ['name=common person', ...world.map((_, number) => `name=person${number}`)],
  },
  ...shelfInputs,
  'GET /api/v1/books/{id}': { of: 'book' },
  'GET /api/v1/books/{id}/full': { of: 'book' },
  // The content of their files is compared below.
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
const addressPattern =
  /^\/(api\/v1|media)\/(libraries|series|books|covers|pages|progress|home|search|filesystem|genres|tags|people|want-to-read|user\/(reading-status|followed-series|notifications|annotations|recommendations))\b/
const contentEndpoints = allEndpoints.filter(
  ({ method, path, shape }) =>
    (method === 'GET' && (areas.test(shape.access) || addressPattern.test(path))) ||
    // A request with a body may still only read.
    (method === 'POST' && areas.test(shape.access) && shape.access.endsWith(':read')),
)

const allIds: Readonly<Record<Subject, readonly string[]>> = {
  library: [manga, comics],
  series: world.map((_, number) => idOf('series', number)),
  book: world.flatMap(({ books }, number) => books.map((_, index) => idOf('book', number * 10 + index))),
  collection: collectionIds,
  readList: readListIds,
}

/** Every address of the table, with every id there is. */
const addresses = contentEndpoints.flatMap((endpoint) => {
  const inputs = table[api.nameOf(endpoint)]
  if (!inputs || inputs === 'shows no content') return []
  const someIds = inputs.of ? allIds[inputs.of].filter((_, index) => !inputs.few || index % 4 === 1) : []
  const ids = inputs.of ? [...someIds, unknownId] : ['']
  return ids.flatMap((id) =>
    (inputs.queries ?? ['']).flatMap((query) =>
      (inputs.bodies ?? [undefined]).map((body) => ({
        of: inputs.of,
        readsFiles: inputs.readsFiles === true,
        asReader: inputs.asReader === true,
        // The answer depends on more than the id.
        isCompared: /\{(bookId|document)\}/.test(endpoint.path) || inputs.mayBeNothing === true,
        id,
        address: `${addressOf(endpoint, { id, bookId: idOf('book', 0), document: id, letter: 'S' })}?${query}`,
        body,
      })),
    ),
  )
})

/**
 * Everybody asks whatever has no id, and each for two thirds of the ids on SQLite and for the last third on PostgreSQL, where
 * a question costs twice as much: together everybody asks everything. `npm run test:all` asks it all on both.
 */
const askedBy = (turn: number): typeof addresses => {
  if (process.env.TESTS === 'all') return addresses
  const isLast = (of: Subject, id: string) => (allIds[of].indexOf(id) + turn) % 3 === 0
  return addresses.filter(
    ({ of, id }) => of === undefined || id === unknownId || isLast(of, id) === (testDialect === 'postgres'),
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
  const number = world.findIndex((series, index) =>
    of === 'series' ? idOf('series', index) === id : series.books.some((_, at) => idOf('book', index * 10 + at) === id),
  )
  const series = world[number]
  if (!series) return true
  // One none of whose books is seen is missing (C23).
  if (of === 'series')
    return !sees(rule, series, series.rating) || !series.books.some(({ rating }) => sees(rule, series, rating))
  return !sees(rule, series, series.books[Number(id.slice(-3)) - number * 10]?.rating ?? null)
}

test('HTTP-3 AUTH-7 whatever shows content has a row here', () => {
  expect(contentEndpoints.map(api.nameOf).sort()).toEqual(Object.keys(table).sort())
})

/** Series whose rating is that of their books. */
const plainSeries = [1, 4, 6, 7]

/** A file that a scan has come upon, in the folder of a series. */
const foundIn = (number: number, name: string): IdentifiedFile => ({
  rootId: idOf('root', world[number]?.library === comics ? 1 : 0),
  walked: [`Series ${number}/`, name, 1000, 1, 1, number, 1, 0],
  bookId: undefined,
  change: 'new',
  isNewContent: true,
})

/** Two new books in each series that is hidden: one that nobody has looked into, and one that was looked into in vain. */
const comeUpon = async ({ context: { db, clock } }: TestServer, rule: ViewRule): Promise<number> => {
  const hidden = plainSeries.flatMap((number) => {
    const written = world[number]
    if (!written || sees(rule, written, written.rating)) return []
    return [{ ...written, number, showsBooks: written.books.some(({ rating }) => sees(rule, written, rating)) }]
  })
  for (const { number, library: libraryId, showsBooks } of hidden)
    await db.write(async (db) => {
      const library = await selectScannedLibrary(db, libraryId)
      if (!library) throw new Error('There is no such library')
      const files = [foundIn(number, 'Just found.cbz'), foundIn(number, 'In vain.cbz')]
      const { touched, ...placed } = await storeFiles(db, library, files, { now: clock() })
      expect([...touched.placed.seriesIds]).toEqual([idOf('series', number)])
      const fault = { code: 'damaged' as const, message: 'It cannot be read.' }
      await applyAnalyses(db, [{ bookId: placed.newBookIds[1] ?? '', fault }], clock())
      // It would take from the series what this world says of it without a source, and so from its book that shows.
      const seriesIds = showsBooks ? new Set<string>() : touched.placed.seriesIds
      await refresh(db, { placed: { ...touched.placed, seriesIds } }, clock())
    })
  return hidden.length
}

/** To whose servers more is done than to ask them everything; a start costs as much as a hundred questions. */
const doneWith = {
  export: ['one library and an age', 'a white list, for somebody who edits', 'a group'],
  justFound: ['one library and an age', 'an age that lets unrated works show', 'a tag that is denied'],
}

for (const [turn, [name, { role, access, rule }]] of Object.entries(seers).entries())
  describe(`with ${name}`, () => {
    let full: TestServer
    let twin: TestServer
    let here: Person
    let there: Person
    let askThere: (request: VisibleRequest) => ReturnType<typeof ask>
    beforeAll(async () => {
      ;[full, twin] = [await startServer({ env: doorsOpen }), await startServer({ env: doorsOpen })]
      await build(full.context.db, everything)
      await build(twin.context.db, rule)
      here = await full.person(role, { access })
      there = await twin.person(role, { access })
      await read(full.context.db, here.id, everything)
      await read(twin.context.db, there.id, rule)
      await furnish(full.context.db, here.id, shelved(everything))
      await furnish(twin.context.db, there.id, shelved(rule))
      askThere = onceEach((request) => ask(twin, request, there))
    })
    afterAll(async () => {
      await full[Symbol.asyncDispose]()
      await twin[Symbol.asyncDispose]()
    })

    test('HTTP-3 AUTH-7 W9 every answer is the same as where the hidden content does not exist', async () => {
      let count = 0
      const unknown = onceEach((request) => ask(full, request, here))
      await eachOf(askedBy(turn), async ({ of, id, address, readsFiles, asReader, isCompared, body }) => {
        const isThere = !isHidden(rule, of, id, role !== 'reader' && !asReader)
        if (readsFiles && isThere) return
        // Where it does not exist, one unknown id is as good as another.
        const [seen, expected] = await Promise.all([
          ask(full, { address, body }, here),
          askThere({ address: isThere || isCompared ? address : address.replace(id, unknownId), body }),
        ])
        expect(seen).toEqual({ ...expected, address })
        // Requests that only editors may send are refused before anything is read.
        if (seen.status === 403 || isCompared) return
        const text = isThere ? seen.text : (await unknown({ address: address.replace(id, unknownId), body })).text
        // Where nobody has read anything yet there is nothing to answer with.
        const status = seen.text === '' ? 204 : 200
        expect([address, seen.status, seen.text]).toEqual([address, isThere ? status : 404, text])
        count += isThere ? 1 : 0
      })
      expect(count).toBeGreaterThan(20)
    })

    test.each(doneWith.export.filter((each) => each === name))(
      'HTTP-3 AUTH-7 W9 with %s, an export is the same as where the hidden content does not exist',
      async () => {
        const [all, ...narrowed] = exportsWanted
        const seen = await exported(full, here, all)
        expect(seen).toBe(await exported(twin, there, all))
        expect(seen).toContain('"Series 0"')
        for (const body of narrowed) expect(await exported(full, here, body)).toBe(await exported(twin, there, body))
      },
    )

    // The last: from here on there is more in what is hidden.
    test.each(doneWith.justFound.filter((each) => each === name))(
      'A1 HTTP-3 W9 with %s, books just found or looked into in vain in what is hidden are as if they were not there',
      async () => {
        expect(await comeUpon(full, rule)).toBeGreaterThan(0)
        const rows = await full.context.db.read
          .selectFrom('file')
          .select('file.book_id as id')
          .where('file.name', 'in', ['Just found.cbz', 'In vain.cbz'])
          .execute()

        // A request about something visible has nothing to do with hidden things.
        const asking = askedBy(turn).filter(
          ({ of, id }) => of === undefined || of === 'library' || isHidden(rule, of, id, role !== 'reader'),
        )
        await eachOf(asking, async (request) => {
          const { of, id, address, body } = request
          expect(await ask(full, request, here)).toEqual(await askThere({ address, body }))
          if (of !== 'book' || id !== unknownId) return
          const unknown = await ask(full, request, here)
          for (const { id: bookId } of rows) {
            const ofRow = address.replace(id, bookId)
            const { status, text } = await ask(full, { body, address: ofRow }, here)
            expect([ofRow, status, text.replaceAll(bookId, unknownId)]).toEqual([ofRow, unknown.status, unknown.text])
          }
        })
      },
    )
  })

test('AUTH-7 HTTP-3 a deleted library is as if it had never been', async () => {
  await using full = await startServer({ env: doorsOpen })
  await using twin = await startServer({ env: doorsOpen })
  const rule = { ...everything, libraries: [manga] }
  await build(full.context.db, everything)
  await build(twin.context.db, rule)
  const here = await full.person('admin')
  const there = await twin.person('admin')
  expect((await here.call(api.deleteLibrary, { params: { id: comics } })).status).toBe(204)

  await eachOf(askedBy(1), async (request) => {
    if (request.readsFiles) return
    const [seen, expected] = await Promise.all([ask(full, request, here), ask(twin, request, there)])
    expect(seen).toEqual(expected)
  })
})

test('A11 C4 HTTP-3 to a key that may not read it, nothing tells what its owner has read, rated, followed or wants', async () => {
  await using server = await startServer({ env: doorsOpen })
  const { db } = server.context
  await build(db, everything)
  const permissions = api.permissions.filter((each) => each !== 'progress:read')
  const [reader, stranger] = [await server.person('admin'), await server.person('admin')]
  await read(db, reader.id, everything)
  await furnish(db, reader.id, shelved(everything))
  const withKey = async (person: Person) => {
    const { key } = bodyOf(await person.call(api.createApiKey, { body: { name: 'No reading', permissions } }))
    return { id: person.id, accessToken: person.accessToken, key }
  }
  const [here, there] = [await withKey(reader), await withKey(stranger)]

  let tellsMore = 0
  await eachOf(askedBy(2), async (request) => {
    if (request.readsFiles) return
    expect(await ask(server, request, here)).toEqual(await ask(server, request, there))
    // The same questions tell their owner a great deal.
    if (tellsMore > 100) return
    const own = await ask(server, request, reader)
    tellsMore += own.text === (await ask(server, request, stranger)).text ? 0 : 1
  })
  expect(tellsMore).toBeGreaterThan(100)
})

test('W1 what is kept is read from tables whose changes end it, and from rows of its reader', async () => {
  await using server = await startServer({ env: doorsOpen })
  const { db } = server.context
  await build(db, everything)
  const reader = await server.person('admin')
  await read(db, reader.id, everything)
  await furnish(db, reader.id, shelved(everything))
  await eachOf(askedBy(0), async (request) => void (request.readsFiles || (await ask(server, request, reader))))

  const reads = keptReadsIn(server.logLines)
  expect(new Set(reads.map(({ table }) => table)).size).toBeGreaterThan(25)
  expect(reads.filter(({ concern }) => concern === 'nobody')).toEqual([])
  const unowned = reads.filter(({ sql, concern }) => concern === 'reader' && !/\buser_id"? = |"user"/.test(sql))
  expect(unowned).toEqual([])
})

/** What is kept, of everything that has no id. */
const keptAddresses = addresses.filter(
  ({ of, readsFiles, address }) =>
    of === undefined &&
    !readsFiles &&
    /^\/(?:api\/v1\/(?:series|books|search|collections|reading-stats)|opds|komga)/.test(address),
)

describe('when something is written on another node', () => {
  let warm: TestServer
  let elsewhere: TestServer
  let reader: Person
  let other: Person
  let child: Person
  beforeAll(async () => {
    warm = await startServer({ env: doorsOpen })
    const { db, config } = warm.context
    await build(db, everything)
    ;[reader, other] = [await warm.person('admin'), await warm.person('admin')]
    child = await warm.person('reader', { access: seers['a tag that is denied']?.access ?? {} })
    await read(db, reader.id, everything)
    await furnish(db, reader.id, shelved(everything))
    elsewhere = await startServer({ env: doorsOpen, address: config.database })
  })
  afterAll(async () => {
    await elsewhere[Symbol.asyncDispose]()
    await warm[Symbol.asyncDispose]()
  })

  test.each([...Object.keys(writes).entries()])(
    'W1 AUTH-7 (%i) when somebody %s, be it the reader, what is kept tells the reader what is so',
    async (turn, name) => {
      const addresses = keptAddresses.filter((_, index) => index % 8 === turn % 8)
      for (const actor of [other, reader]) {
        await eachOf(addresses, async (each) => void (await ask(warm, each, reader), await ask(warm, each, child)))
        const call = elsewhere.callWith({ authorization: `Bearer ${actor.accessToken}` })
        const written = { bookId: idOf('book', 11), seriesId: idOf('series', actor === other ? 1 : 4) }
        expect((await writes[name]?.({ ...actor, call }, written))?.status).toBeLessThan(300)
        await using fresh = await startServer({ env: doorsOpen, address: warm.context.config.database })
        await eachOf(addresses, async (each) => {
          for (const person of [reader, child])
            expect(await ask(warm, each, person)).toEqual(await ask(fresh, each, person))
        })
      }
    },
  )
})
