import {
  listSeriesByCondition,
  queryLengthMax,
  resetSetting,
  saveProgress,
  saveSetting,
  search,
  type SearchResults,
  suggest,
} from '@carrel/api'
import { assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries, type AddedLibrary, type SeriesOptions } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { sortKey } from '../../platform/text/sort-key.ts'
import { indexDocuments } from '../../catalogue/search-index/search-index.ts'

let server: TestServer
let library: AddedLibrary
let reader: Person

beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

/** Series as if each had books. */
const addTitles = (options: readonly SeriesOptions[]) =>
  addManySeries(
    server.context.db,
    library,
    options.map((each) => ({ book_count: 1, ...each })),
  )
const searchFor = async (q: string, person = reader): Promise<SearchResults> =>
  bodyOf(await person.call(search, { query: { q } }))
const titlesFor = async (q: string): Promise<string[]> => (await searchFor(q)).series.map(({ title }) => title)

test('CAT-5 W10 titles are found whatever their case, accents, width and kana, by beginnings and by parts', async () => {
  const titles = [
    'Über Café',
    'ワンピース',
    '進撃の巨人',
    '한국 만화',
    'Spider-Man',
    'ＦＵＬＬ Width',
    '!!!',
    'Sabine 007',
    'Øresund · Størm',
  ]
  await addTitles(titles.map((title) => ({ title })))
  const expected = {
    'uber cafe': 'Über Café',
    UBER: 'Über Café',
    'CAFE\u0301': 'Über Café',
    caf: 'Über Café',
    ワンピース: 'ワンピース',
    わんぴーす: 'ワンピース',
    ﾜﾝﾋﾟ: 'ワンピース',
    ピー: 'ワンピース',
    ス: 'ワンピース',
    巨: '進撃の巨人',
    撃の: '進撃の巨人',
    撃の巨: '進撃の巨人',
    국: '한국 만화',
    '만화 한': '한국 만화',
    full: 'ＦＵＬＬ Width',
    ｗｉｄｔｈ: 'ＦＵＬＬ Width',
    spiderman: 'Spider-Man',
    'spider-m': 'Spider-Man',
    '!!!': '!!!',
    'sabine 7': 'Sabine 007',
    s: 'Spider-Man',
    'width   FULL': 'ＦＵＬＬ Width',
  }
  for (const [q, title] of Object.entries(expected))
    expect([q, await titlesFor(q)]).toEqual([q, expect.arrayContaining([title])])
  for (const q of ['巨撃', 'afe', 'uber missing', '???', ' ', '', 'fullwidth1'])
    expect([q, await titlesFor(q)]).toEqual([q, []])
})

test('CAT-5 the title itself comes first, then what begins with it, then what holds its words', async () => {
  await addTitles(
    ['The Great Garland Guide', 'Garland of Smoke', 'Garland', 'Smoke and Garlands', 'Smoke'].map((title) => ({
      title,
      publisher: 'Garland Smoke Press',
    })),
  )
  expect(await titlesFor('garland')).toEqual([
    'Garland',
    'Garland of Smoke',
    'Smoke and Garlands',
    'The Great Garland Guide',
    'Smoke',
  ])
  expect((await titlesFor('smoke garland')).slice(0, 2)).toEqual(['Garland of Smoke', 'Smoke and Garlands'])
})

test('CAT-5 one mistake of any kind is forgiven in words of five letters or more, unless that is switched off', async () => {
  await addTitles([{ title: 'Berserk' }, { title: 'Berzerk Too' }, { title: 'Akira' }, { title: 'Yaks' }])
  const forgiven = { bersrek: 'Berserk', berserkk: 'Berserk', brserk: 'Berserk', betserk: 'Berserk', akrra: 'Akira' }
  for (const [q, title] of Object.entries(forgiven))
    expect([q, await titlesFor(q)]).toEqual([q, expect.arrayContaining([title])])
  expect(await titlesFor('akra')).toEqual(['Akira'])
  for (const q of ['yakx', 'besrrek', 'brsrk', 'bersrek missing']) expect([q, await titlesFor(q)]).toEqual([q, []])
  // A title with this very spelling comes first.
  expect(await titlesFor('berserk')).toEqual(['Berserk', 'Berzerk Too'])

  const admin = await server.person('admin')
  const params = { key: 'search.fuzzy.enabled' }
  bodyOf(await admin.call(saveSetting, { params, body: { value: false } }))
  expect(await titlesFor('bersrek')).toEqual([])
  expect(await titlesFor('berserk')).toEqual(['Berserk'])
  bodyOf(await admin.call(resetSetting, { params }))
  expect(await titlesFor('bersrek')).toEqual(['Berserk'])
})

test('CAT-5 alternate titles, authors, publishers and file names are looked at too', async () => {
  const metadata = JSON.stringify({
    authors: [{ name: 'Ayako Quillfeather', role: 'writer', sortName: null }],
    alternateTitles: [{ label: 'romaji', title: 'Hagane no Renkinjutsushi' }],
  })
  const [series] = await addTitles([
    { title: 'The Alchemist', title_sort: 'Alchemist, The', publisher: 'Vellum House', name: 'fma (2001)', metadata },
  ])
  if (!series) throw new Error('There is no series')
  await addBooks(server.context.db, series, [
    { title: 'Volume One', fileName: 'scan_xj9_final.cbz', metadata: JSON.stringify({ subtitle: 'Dawnbreak' }) },
  ])
  for (const q of ['renkinjutsushi', 'quillfeather aya', 'vellum', 'fma', 'alchemist hagane'])
    expect([q, await titlesFor(q)]).toEqual([q, ['The Alchemist']])
  for (const q of ['xj9', 'dawnbreak', 'alchemist one', 'volume one'])
    expect([q, (await searchFor(q)).books.map(({ title }) => title)]).toEqual([q, ['Volume One']])
})

test('CAT-5 of a person who has worked on more than 100 series no more than 100 are counted', async () => {
  const { db } = server.context
  const series = await addTitles(Array.from({ length: 120 }, (_, index) => ({ title: `Busy ${index}` })))
  const [first, second] = series
  if (!first || !second) throw new Error('There are no series')
  const books = await addBooks(db, second, [{}, {}, {}])
  const [busy, few] = [newId(), newId()]
  const person = (id: string, name: string) => ({ id, name, kind: 'person' as const, key: name, sort_key: name })
  const link = { role: '', place: 0 }
  await db.write(async (db) => {
    const created_at = '2026-11-01T10:00:00.000Z'
    await insertMany(db, 'term', [
      { ...person(busy, 'Ottoline Everywhere'), created_at },
      { ...person(few, 'Ottoline Seldom'), created_at },
    ])
    const all = series.map(({ id }) => ({ series_id: id, term_id: busy, ...link }))
    await insertMany(db, 'series_term', [...all, { series_id: first.id, term_id: few, ...link }])
    // Three books of one series are one series.
    await insertMany(
      db,
      'book_term',
      books.map((id) => ({ book_id: id, term_id: few, ...link })),
    )
    await indexDocuments(db, 'term', [busy, few])
  })
  const { people } = await searchFor('ottoline')
  expect(people.map(({ name, count }) => [name, count])).toEqual([
    ['Ottoline Seldom', 2],
    ['Ottoline Everywhere', 100],
  ])
})

test('E3 CAT-5 people, collections and read lists are found, and suggested with what tells them apart', async () => {
  const { db } = server.context
  const [series, other] = await addTitles([
    { title: 'Tinderbox', writers: 'Tinder Person 0' },
    { title: 'Elsewhere', book_count: 0 },
  ])
  if (!series || !other) throw new Error('There are no series')
  const [bookId = ''] = await addBooks(db, series, [{ title: 'Tinderbox 1' }])
  const at = '2026-11-01T10:00:00.000Z'
  const names = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name} ${index}`)
  const rowsOf = (each: readonly string[]) =>
    each.map((name) => ({
      id: newId(),
      name,
      name_key: name,
      sort_key: sortKey(name),
      summary: null,
      ordered: 0 as const,
    }))
  const people = names(2, 'Tinder Person').map((name) => ({ id: newId(), kind: 'person' as const, name, key: name }))
  const genre = { id: newId(), kind: 'genre' as const, name: 'Tinder', key: 'Tinder' }
  const [full, empty] = [rowsOf(['Tinder Collection']), rowsOf(['Tinder Nothing'])]
  const lists = rowsOf(['Tinder List', 'Tinder Void'])
  await db.write(async (db) => {
    await insertMany(
      db,
      'term',
      [...people, genre].map((each) => ({ ...each, sort_key: each.name, created_at: at })),
    )
    await insertMany(
      db,
      'series_term',
      [people[0], genre].map((each) => ({ series_id: series.id, term_id: each?.id ?? '', role: '', place: 0 })),
    )
    await insertMany(db, 'book_term', [{ book_id: bookId, term_id: people[0]?.id ?? '', role: '', place: 0 }])
    await insertMany(db, 'series_term', [{ series_id: other.id, term_id: people[1]?.id ?? '', role: '', place: 0 }])
    await insertMany(
      db,
      'collection',
      [...full, ...empty].map((row) => ({ ...row, condition: null, created_at: at, updated_at: at })),
    )
    await insertMany(db, 'collection_series', [
      { collection_id: full[0]?.id ?? '', series_id: series.id, position: 0, added_at: at },
      { collection_id: empty[0]?.id ?? '', series_id: other.id, position: 0, added_at: at },
    ])
    await insertMany(
      db,
      'read_list',
      lists.map((row) => ({ ...row, created_at: at, updated_at: at })),
    )
    await db
      .insertInto('read_list_book')
      .values({ id: newId(), read_list_id: lists[0]?.id ?? '', book_id: bookId, position: 0, added_at: at })
      .execute()
    await indexDocuments(
      db,
      'term',
      [...people, genre].map(({ id }) => id),
    )
    await indexDocuments(
      db,
      'collection',
      [...full, ...empty].map(({ id }) => id),
    )
    await indexDocuments(
      db,
      'read_list',
      lists.map(({ id }) => id),
    )
  })

  expect(await searchFor('tinder')).toMatchObject({
    series: [{ title: 'Tinderbox' }],
    books: [{ title: 'Tinderbox 1' }],
    people: [{ name: 'Tinder Person 0', count: 1, covers: [{ seriesId: series.id, placeholder: null }] }],
    collections: [{ name: 'Tinder Collection', count: 1, covers: [{ seriesId: series.id }] }],
    readlists: [{ name: 'Tinder List', count: 1, covers: [{ seriesId: series.id }] }],
  })
  const { suggestions } = bodyOf(await reader.call(suggest, { query: { q: 'tin' } }))
  const [seriesFound, bookFound] = [suggestions[0], suggestions[4]]
  expect(seriesFound).toMatchObject({
    libraryName: 'Manga',
    year: null,
    oneShot: false,
    authors: ['Tinder Person 0'],
    placeholder: null,
    tone: null,
  })
  expect(bookFound).toMatchObject({
    seriesId: series.id,
    seriesName: 'Tinderbox',
    number: 1,
    volume: null,
    chapter: null,
    coverVersion: '0',
    readProgress: null,
    wantToRead: false,
  })
  expect(seriesFound).toMatchObject({ unreadCount: 1, wantToRead: false })
  expect(suggestions[1]).toMatchObject({ covers: [{ seriesId: series.id, coverVersion: expect.any(String) }] })
  expect(suggestions.map(({ kind, value, id, count }) => ({ kind, value, id, count }))).toEqual([
    { kind: 'series', value: 'Tinderbox', id: series.id, count: 1 },
    { kind: 'person', value: 'Tinder Person 0', id: people[0]?.id, count: 1 },
    { kind: 'collection', value: 'Tinder Collection', id: full[0]?.id, count: 1 },
    { kind: 'readlist', value: 'Tinder List', id: lists[0]?.id, count: 1 },
    { kind: 'book', value: 'Tinderbox 1', id: bookId, count: 1 },
  ])
  const stranger = await server.person('reader', { access: { libraries: [] } })
  expect(await searchFor('tinder', stranger)).toEqual({
    series: [],
    books: [],
    people: [],
    collections: [],
    readlists: [],
  })
  expect(bodyOf(await stranger.call(suggest, { query: { q: 'tin' } }))).toEqual({ suggestions: [] })
})

test('P1 CAT-5 a one-shot is suggested once, as a book; what is begun comes before other books', async () => {
  const { db } = server.context
  const [alone, run] = await addTitles([{ title: 'Quarry' }, { title: 'Quarry Tales', book_count: 4 }])
  if (!alone || !run) throw new Error('There are no series')
  const [bookId = ''] = await addBooks(db, alone, [{ title: 'Quarry', book_type: 'oneshot' }])
  const numbered = await addBooks(
    db,
    run,
    [1, 2, 3, 4].map((number) => ({ title: `Quarry ${'x'.repeat(number)}` })),
  )
  const admin = await server.person('admin')
  const begunId = numbered[2] ?? ''
  bodyOf(await admin.call(saveProgress, { params: { id: begunId }, body: { currentPage: 2 } }))
  const { suggestions } = bodyOf(await admin.call(suggest, { query: { q: 'quarry' } }))
  expect(suggestions.map(({ kind, id }) => [kind, id])).toEqual([
    ['series', run.id],
    ['book', begunId],
    ['book', bookId],
    ...[0, 1, 3].map((at) => ['book', numbered[at]]),
  ])
  expect(suggestions[1]?.readProgress).toMatchObject({ currentPage: 2, completed: false })
  // Nobody is told of the progress of others.
  const others = bodyOf(await reader.call(suggest, { query: { q: 'quarry' } })).suggestions
  expect(others.map(({ readProgress }) => readProgress ?? null)).toEqual(others.map(() => null))
})

test('P1 CAT-5 a person shows the covers of the first and of the last of their series, of those one may see', async () => {
  const { db } = server.context
  const hidden = await addLibrary(db, { name: 'Hidden' })
  const three = await addTitles([{ title: 'Alder' }, { title: 'Birch' }, { title: 'Cedar' }])
  const [secret] = await addManySeries(db, hidden, [{ title: 'Secret', book_count: 1 }])
  if (!secret) throw new Error('There is no series')
  const id = newId()
  await db.write(async (db) => {
    await insertMany(db, 'term', [
      { id, kind: 'person', name: 'Wilhelmina Twice', key: 'w', sort_key: 'w', created_at: '2026-11-01T10:00:00.000Z' },
    ])
    const all = [...three, secret].map((series) => ({ series_id: series.id, term_id: id, role: '', place: 0 }))
    await insertMany(db, 'series_term', all)
    await indexDocuments(db, 'term', [id])
  })
  const seen = await server.person('reader', { access: { libraries: [library.id] } })
  const idsOf = async (person: Person) =>
    (await searchFor('wilhelmina', person)).people[0]?.covers.map((each) => each.seriesId)
  const ids = three.map((each) => each.id).sort()
  expect(await idsOf(seen)).toEqual([ids[0], ids[2]])
  expect(await idsOf(reader)).toContain(secret.id)
})

test('CAT-5 any text is a search; one of more than 500 characters is refused in words', async () => {
  const texts = oneof(
    string({ unit: 'binary', maxLength: 60 }),
    string({ unit: 'grapheme', maxLength: 60 }),
    string({ unit: constantFrom(...`"'*:&|!()<>\\^+-.~ aANDORNEAR\u0000\ud800進ー👩‍👩‍👧`), maxLength: 30 }),
    constantFrom(
      '"',
      '" OR "',
      'a* b*',
      "'a':* & !b",
      'NEAR(a b)',
      'words:a',
      '\\',
      "''",
      '-'.repeat(500),
      '進'.repeat(500),
    ),
  )
  await assert(
    asyncProperty(texts, async (q) => {
      // A null character is refused here too, before anything is searched.
      const status = q.includes('\0') ? 400 : 200
      const replies = [await reader.call(search, { query: { q } }), await reader.call(suggest, { query: { q } })]
      expect([q, ...replies.map((reply) => reply.status)]).toEqual([q, status, status])
    }),
    { numRuns: 25 },
  )
  const long = errorOf(await reader.call(search, { query: { q: 'x'.repeat(queryLengthMax + 1) } }))
  expect(long).toMatchObject({
    error: 'validation_failed',
    details: [{ path: 'q', message: expect.stringContaining('500') }],
  })
})

test('CAT-5 W11 a list that is given a text counts to 10,000 and shows the best of them', async () => {
  const titles = ['Umbra', ...Array.from({ length: 10_020 }, (_, index) => `The Umbra of ${index}`), 'Umbra Rising']
  await addTitles(titles.map((title) => ({ title })))
  const list = async (fullTextSearch: string, page = 1, libraryId = library.id) =>
    bodyOf(
      await reader.call(listSeriesByCondition, {
        query: { page, pageSize: 50 },
        body: { fullTextSearch, condition: { libraryId: { operator: 'is', value: libraryId } } },
      }),
    )
  const first = await list('umbra')
  expect(first).toMatchObject({ total: 10_000, totalIsLowerBound: true, totalPages: 200 })
  expect(first.data.slice(0, 2).map(({ title }) => title)).toEqual(['Umbra', 'Umbra Rising'])
  const last = await list('umbra', 200)
  expect(last.data).toHaveLength(50)
  expect(new Set([...first.data, ...(await list('umbra', 2)).data, ...last.data].map(({ id }) => id)).size).toBe(150)
  expect((await list('umbra', 201)).data).toEqual([])

  // The same without a condition, for those who see all and for those who see a part.
  for (const person of [reader, await server.person('reader', { access: { libraries: [library.id] } })]) {
    const best = async (page: number) =>
      bodyOf(
        await person.call(listSeriesByCondition, { query: { page, pageSize: 50 }, body: { fullTextSearch: 'umbra' } }),
      )
    const pages = [await best(1), await best(2), await best(200)]
    expect(pages[0]).toMatchObject({ total: 10_000, totalIsLowerBound: true, totalPages: 200 })
    const shown = pages.flatMap(({ data }) => data.map(({ title }) => title))
    expect(shown.slice(0, 3)).toEqual(['Umbra', 'Umbra Rising', expect.stringMatching(/^The Umbra of \d+$/)])
    expect(new Set(shown).size).toBe(150)
    // Shorter titles come first, and the last page ends with the longest that are listed.
    const lengths = shown.slice(2).map((title) => title.length)
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other))
    expect((await best(201)).data).toEqual([])
  }

  const few = await list('umbra 77')
  expect(few.total).toBe(titles.filter((title) => / 77\d*$/.test(title)).length)
  expect(few).not.toHaveProperty('totalIsLowerBound')
  expect((await list('umbar risnig')).data.map(({ title }) => title)).toEqual(['Umbra Rising'])
  expect((await list('umbra', 1, newId())).total).toBe(0)
})
