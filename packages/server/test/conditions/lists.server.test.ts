import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../src/catalogue/visibility/visibility.ts'
import { insertMany } from '../../src/database/many.ts'
import { hasEachTermBooks } from '../../src/catalogue/lists/books/queries.ts'
import { randomStartOf } from '../../src/filtering/filtering.ts'
import { newId } from '../../src/platform/ids.ts'
import { fold, plainText } from '../../src/platform/text/sort-key.ts'
import { addBooks, addLibrary, addSeries } from '../content.ts'
import { bodyOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { type Person, startServer, type TestServer } from '../start-server.ts'
import { buildWorld, type World } from './world.ts'

let server: TestServer
let world: World
let reader: Person
let child: Person
let library: Person

beforeAll(async () => {
  server = await startServer()
  reader = await server.person('reader')
  world = await buildWorld(server.context.db, reader.id)
  const [, second = ''] = world.libraryIds
  child = await server.person('reader', { access: { ageCeiling: 12 } })
  library = await server.person('reader', { access: { libraries: [second] } })
})
afterAll(() => server[Symbol.asyncDispose]())

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const viewerOf = (person: Person): Viewer => ({
  userId: person.id,
  deletedLibraries: [],
  seesPaths: false,
  rule:
    person === child
      ? { ...everything, ageCeiling: 12 }
      : person === library
        ? { ...everything, libraries: world.libraryIds.slice(1) }
        : everything,
})

const mayAge = (person: Person, age: number | null): boolean => person !== child || (age !== null && age <= 12)
const mayLibrary = (person: Person, id: string): boolean => person !== library || world.libraryIds[1] === id

const booksSeenBy = (person: Person) =>
  world.books.filter(
    ({ age, libraryId, isMissing }) => !isMissing && mayAge(person, age) && mayLibrary(person, libraryId),
  )

const seriesSeenBy = (person: Person) => {
  const withBooks = new Set(booksSeenBy(person).map(({ seriesId }) => seriesId))
  return world.series.filter(
    ({ id, age, libraryId }) => withBooks.has(id) && mayAge(person, age) && mayLibrary(person, libraryId),
  )
}

/** Everything, a page after the other. */
const all = async (person: Person, target: 'series' | 'books', query: object, pageSize = 13): Promise<string[]> => {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const request = { query: { ...query, page, pageSize } }
    const { data, total } =
      target === 'series'
        ? bodyOf(await person.call(api.listSeries, request))
        : bodyOf(await person.call(api.listBooks, request))
    ids.push(...data.map(({ id }) => id))
    if (page * pageSize >= total) {
      expect(ids.length).toBe(total)
      return ids
    }
  }
}

type Key = string | number | null

/** Bytes, as the databases compare them. */
const compare = (one: Key, other: Key): number =>
  typeof one === 'string' && typeof other === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : Number(one) - Number(other)

/** Nulls last whatever the direction, and the rest, ties too, the other way round when it is downwards. */
const plainlySorted = (rows: readonly { id: string; keys: readonly Key[] }[], direction: 'asc' | 'desc'): string[] => {
  const way = direction === 'asc' ? 1 : -1
  return rows
    .toSorted((one, other) => {
      for (const [at, key] of one.keys.entries()) {
        const another = other.keys[at] ?? null
        if (key === null && another === null) continue
        if (key === null || another === null) return key === null ? 1 : -1
        const order = compare(key, another)
        if (order !== 0) return way * order
      }
      return way * compare(one.id, other.id)
    })
    .map(({ id }) => id)
}

test('HTTP-5 W10 every order of series is that of a plain sort, page after page, whoever asks', async () => {
  const rows = await server.context.db.read.selectFrom('series').selectAll().execute()
  const read = await server.context.db.read.selectFrom('series_progress').selectAll().execute()
  const rated = await server.context.db.read.selectFrom('series_rating').selectAll().execute()
  for (const person of [reader, child, library]) {
    const seen = new Set(seriesSeenBy(person).map(({ id }) => id))
    const counts = new Map<string, number>()
    for (const { seriesId } of booksSeenBy(person)) counts.set(seriesId, (counts.get(seriesId) ?? 0) + 1)
    type Row = (typeof rows)[number]
    const own = <Own extends { user_id: string; series_id: string }>(list: readonly Own[], { id }: Row) =>
      list.find(({ user_id, series_id }) => user_id === person.id && series_id === id)
    const keys: Record<string, (row: Row) => Key[]> = {
      name: (row) => [row.sort_key],
      createdAt: (row) => [row.created_at],
      updatedAt: (row) => [row.updated_at],
      year: (row) => [row.year],
      released: (row) => [row.first_released],
      lastRead: (row) => {
        const at = own(read, row)?.last_read_at ?? null
        return at === null ? [null, row.sort_key] : [at]
      },
      bookCount: ({ id }) => [counts.get(id) ?? 0],
      userRating: (row) => {
        const rating = own(rated, row)?.rating ?? null
        return rating === null ? [null, row.sort_key] : [rating]
      },
      communityRating: (row) => [row.community_rating],
      externalRating: (row) => [row.external_rating],
      relevance: (row) => [row.sort_key],
    }
    expect(seen.size).toBeGreaterThan(5)
    for (const [name, field] of Object.entries(api.seriesOrders)) {
      if (field === 'random') continue
      for (const direction of ['asc', 'desc'] as const) {
        const shown = rows
          .filter(({ id }) => seen.has(id))
          .map((row) => ({ id: row.id, keys: keys[field]?.(row) ?? [] }))
        const way = field === 'relevance' ? (direction === 'asc' ? 'desc' : 'asc') : direction
        expect([name, direction, await all(person, 'series', { sort: `${name},${direction}` })]).toEqual([
          name,
          direction,
          plainlySorted(shown, way),
        ])
      }
    }
  }
})

test('HTTP-5 W10 every order of books is that of a plain sort, page after page, whoever asks', async () => {
  const rows = await server.context.db.read
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .selectAll('book')
    .select('series.sort_key as series_key')
    .execute()
  const progress = await server.context.db.read.selectFrom('read_progress').selectAll().execute()
  for (const person of [reader, child, library]) {
    const seen = new Set(booksSeenBy(person).map(({ id }) => id))
    type Row = (typeof rows)[number]
    const keys: Record<string, (row: Row) => Key[]> = {
      name: (row) => [row.sort_key],
      series: (row) => [row.series_key, row.series_id, row.position_key],
      number: (row) => [row.number_sort],
      createdAt: (row) => [row.created_at],
      updatedAt: (row) => [row.updated_at],
      released: (row) => [row.released],
      size: (row) => [row.size],
      fileName: (row) => [row.file_sort_key],
      pageCount: (row) => [row.page_count],
      lastRead: ({ id, sort_key }) => {
        const at = progress.find(({ user_id, book_id }) => user_id === person.id && book_id === id)?.updated_at
        return at === undefined ? [null, sort_key] : [at]
      },
      relevance: (row) => [row.sort_key],
    }
    for (const [name, field] of Object.entries(api.bookOrders)) {
      if (field === 'random') continue
      for (const direction of ['asc', 'desc'] as const) {
        const shown = rows
          .filter(({ id }) => seen.has(id))
          .map((row) => ({ id: row.id, keys: keys[field]?.(row) ?? [] }))
        const way = field === 'relevance' ? (direction === 'asc' ? 'desc' : 'asc') : direction
        expect([name, direction, await all(person, 'books', { sort: `${name},${direction}` }, 31)]).toEqual([
          name,
          direction,
          plainlySorted(shown, way),
        ])
      }
    }
  }
})

test('HTTP-5 by chance is one order for one seed, and another for another', async () => {
  const expected = seriesSeenBy(reader).map(({ id }) => id)
  const [one, again, other] = [
    await all(reader, 'series', { sort: 'random,asc', seed: 'one' }),
    await all(reader, 'series', { sort: 'random,asc', seed: 'one' }, 7),
    await all(reader, 'series', { sort: 'random,asc', seed: 'other' }),
  ]
  expect(one).toEqual(again)
  expect(one).not.toEqual(other)
  expect(one.toSorted()).toEqual(expected.toSorted())
  expect(await all(reader, 'series', { sort: 'random,desc', seed: 'one' })).toEqual(one.toReversed())
  expect((await all(reader, 'books', { sort: 'random,asc', seed: 'one' })).toSorted()).toEqual(
    booksSeenBy(reader)
      .map(({ id }) => id)
      .toSorted(),
  )
})

const names = (list: unknown, sought: string): boolean => (list as string[]).some((name) => fold(name) === fold(sought))

test('CAT-4 W11 a list is narrowed by a condition, by the names of genres and tags, and counted exactly', async () => {
  const condition: api.SeriesCondition = {
    anyOf: [
      { title: { operator: 'contains', value: 'ALPHA' } },
      { allOf: [{ year: { operator: 'gte', value: 2000 } }, { not: { genre: { operator: 'is', value: 'álpha' } } }] },
    ],
  }
  const expected = seriesSeenBy(reader)
    .filter(({ plain }) => {
      const { title, year, genre } = plain(viewerOf(reader))
      return /alpha|álpha/i.test(String(title)) || ((year as number) >= 2000 && !names(genre, 'alpha'))
    })
    .map(({ id }) => id)
  const first = bodyOf(await reader.call(api.listSeriesByCondition, { query: { pageSize: 5 }, body: { condition } }))
  const rest = bodyOf(
    await reader.call(api.listSeriesByCondition, {
      query: { pageSize: 5, page: 2, sort: 'date_added,desc' },
      body: { condition },
    }),
  )
  expect(first.total).toBe(expected.length)
  expect(first.links.next).toBe('/api/v1/series/list?pageSize=5&page=2')
  expect(rest.total).toBe(expected.length)
  const full = bodyOf(await reader.call(api.listSeriesByCondition, { query: { pageSize: 500 }, body: { condition } }))
  expect(full.data.map(({ id }) => id).sort()).toEqual(expected.sort())
  const byName = await all(reader, 'series', {})
  for (const body of [{}, undefined, { condition: { allOf: [] } }, { condition: { not: { anyOf: [] } } }]) {
    const { data } = bodyOf(
      await reader.call(api.listSeriesByCondition, { query: { pageSize: 500 }, ...(body && { body }) }),
    )
    expect(data.map(({ id }) => id)).toEqual(byName)
  }
  const nothing = bodyOf(await reader.call(api.listSeriesByCondition, { body: { condition: { anyOf: [] } } }))
  expect(nothing).toMatchObject({ data: [], total: 0, totalPages: 0 })

  for (const [genres, tags] of [
    ['Alpha', ''],
    ['alpha, straße', ''],
    ['', 'ガンダム,,'],
    ['manga', 'ALPHA beta'],
  ]) {
    const namesIn = (list: unknown, all = '') =>
      all
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .every((name) => names(list, name))
    const fitting = (entries: World['series']) =>
      entries
        .filter(({ plain }) => {
          const { genre, tag } = plain(viewerOf(reader))
          return namesIn(genre, genres) && namesIn(tag, tags)
        })
        .map(({ id }) => id)
        .sort()
    const query = { ...(genres && { genres }), ...(tags && { tags }) }
    expect((await all(reader, 'series', query)).sort()).toEqual(fitting(seriesSeenBy(reader)))
    expect((await all(reader, 'books', query)).sort()).toEqual(fitting(booksSeenBy(reader)))
  }
})

test('CAT-4 C10 books whose file is missing are listed when they are asked for, in every order', async () => {
  const present = booksSeenBy(reader).map(({ id }) => id)
  const every = world.books.map(({ id }) => id).toSorted()
  const sorts = [undefined, 'series,asc', 'release_date,desc', 'last_read,desc', 'random,asc', 'file_size,asc'] as const
  expect(every.length).toBeGreaterThan(present.length)
  for (const sort of sorts) {
    const query = { ...(sort && { sort }), seed: '1' }
    expect((await all(reader, 'books', { ...query, includeDeleted: true })).toSorted()).toEqual(every)
    const { data, total } = bodyOf(
      await reader.call(api.listBooksByCondition, {
        query: { ...query, pageSize: 500 },
        body: { includeDeleted: true, condition: { format: { operator: 'is', value: 'EPUB' } } },
      }),
    )
    const epubs = world.books.filter(({ plain }) => plain(viewerOf(reader))['format'] === 'epub')
    expect([total, data.map(({ id }) => id).toSorted()]).toEqual([epubs.length, epubs.map(({ id }) => id).toSorted()])
  }
})

/** Each letter with how many begin with it, and the page of three on which the first of them stands. */
const lettersIn = (titles: readonly string[]) => {
  const letters = new Map<string, { letter: string; count: number; page: number }>()
  for (const [at, title] of titles.entries()) {
    const [first = ''] = fold(title)
    const letter = /\p{L}/u.test(first) ? first.toUpperCase() : '#'
    const entry = letters.get(letter) ?? { letter, count: 0, page: Math.floor(at / 3) + 1 }
    letters.set(letter, { ...entry, count: entry.count + 1 })
  }
  return [...letters.values()]
}

test('C18 letters say how many begin with each and on which page the first of them stands', async () => {
  const titleOf = ({ title, titleSort }: { title: string; titleSort: string | null }): string => titleSort ?? title
  const [all, three] = [{ pageSize: 500 }, { pageSize: 3 }]
  for (const [person, condition] of [
    [reader, undefined],
    [child, undefined],
    [library, { year: { operator: 'isNotNull' } }],
  ] as const) {
    const body = condition ? { condition } : {}
    const listed = bodyOf(await person.call(api.listSeriesByCondition, { query: all, body })).data
    const { letters } = bodyOf(await person.call(api.readSeriesLetters, { query: three, body }))
    expect(letters).toEqual(lettersIn(listed.map(titleOf)))
    expect(letters.length).toBeGreaterThan(3)
  }
  for (const [person, body] of [
    [reader, {}],
    [reader, { includeDeleted: true }],
    [child, {}],
    [library, { condition: { format: { operator: 'isNot', value: 'epub' } } }],
  ] as const) {
    const query = { ...all, sort: 'name,asc' } as const
    const listed = bodyOf(await person.call(api.listBooksByCondition, { query, body })).data
    const { letters } = bodyOf(await person.call(api.readBookLetters, { query: three, body }))
    expect(letters).toEqual(lettersIn(listed.map(titleOf)))
    expect(letters.length).toBeGreaterThan(1)
  }
})

/** It counts how often each value occurs, the most frequent first; a value spelled in several ways is one value. */
const tally = (values: readonly (readonly unknown[])[], folding: (text: string) => string) => {
  const counts = new Map<string, number>()
  for (const each of values)
    for (const value of new Set(each.map((one) => folding(String(one)))))
      counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([one, count], [other, another]) => another - count || (one < other ? -1 : 1))
}

test('C18 W9 facets count what this viewer sees, for every facet', async () => {
  for (const person of [reader, child, library]) {
    const viewer = viewerOf(person)
    const isTheirs = person === reader
    for (const target of ['series', 'books'] as const) {
      const entries = target === 'series' ? seriesSeenBy(person) : booksSeenBy(person)
      const facets = target === 'series' ? api.seriesFacets : api.bookFacets
      const answer = bodyOf(
        target === 'series'
          ? await person.call(api.readSeriesFacets, { body: { facets: [...api.seriesFacets], limit: 500 } })
          : await person.call(api.readBookFacets, { body: { facets: [...api.bookFacets], limit: 500 } }),
      )
      for (const facet of facets) {
        const values = entries.map(({ plain }) => {
          const value = facet === 'readStatus' && !isTheirs ? 'unread' : (plain(viewer)[facet] ?? [])
          return [value].flat()
        })
        const folding = ['genre', 'tag', 'author'].includes(facet) ? fold : plainText
        const shown = (answer.facets[facet] ?? []).map(({ value, count }) => [folding(String(value)), count] as const)
        const inOrder = shown.map(([, count]) => count)
        expect([facet, inOrder]).toEqual([facet, inOrder.toSorted((one, other) => other - one)])
        expect([facet, new Map(shown)]).toEqual([facet, new Map(tally(values, folding))])
      }
    }
  }
  const { facets } = bodyOf(
    await reader.call(api.readSeriesFacets, {
      body: { facets: ['genre'], limit: 2, condition: { libraryId: { operator: 'in', values: [] } } },
    }),
  )
  expect(facets).toEqual({ genre: [] })
})

test('C17 the books before and after one in its series', async () => {
  for (const person of [reader, child]) {
    const seen = new Set(booksSeenBy(person).map(({ id }) => id))
    for (const { id } of seriesSeenBy(person).slice(0, 15)) {
      const own = world.books.filter(({ seriesId, id: bookId }) => seriesId === id && seen.has(bookId))
      for (const [at, book] of own.entries()) {
        const { prev, next } = bodyOf(await person.call(api.readAdjacentBooks, { params: { id: book.id } }))
        expect([prev?.id, next?.id]).toEqual([own[at - 1]?.id, own[at + 1]?.id])
      }
    }
    const hidden = world.books.find((book) => !seen.has(book.id) && !book.isMissing)
    expect(person === child).toBe(hidden !== undefined)
    const id = hidden?.id ?? newId()
    expect((await person.call(api.readAdjacentBooks, { params: { id } })).status).toBe(404)
  }
})

test('W1 a page takes no more than four statements', async () => {
  const statements = async (ask: () => Promise<unknown>): Promise<number> => {
    const before = server.logLines.length
    await ask()
    // Other code asks meanwhile what is new: these tables know nothing of that.
    return server.logLines
      .slice(before)
      .filter(({ msg, sql }) => msg === 'Statement' && /^\s*select.*\b(?:book|series|library)\b/s.test(String(sql)))
      .length
  }
  const condition = { genre: { operator: 'is', value: 'alpha' } } as const
  for (const ask of [
    () => reader.call(api.listSeries, { query: { sort: 'year,desc' } }),
    () => reader.call(api.listSeries, { query: { sort: 'random,desc' } }),
    () => reader.call(api.listBooks, { query: { sort: 'last_read,desc' } }),
    () => reader.call(api.listBooks, { query: { sort: 'series,desc' } }),
    () => library.call(api.listBooks, { query: { sort: 'page_count,desc' } }),
    () => reader.call(api.listSeriesByCondition, { body: { condition } }),
    () => reader.call(api.listBooksByCondition, { body: { condition } }),
  ]) {
    await ask()
    expect(await statements(ask)).toBeLessThanOrEqual(4)
  }
})

test('HTTP-5 an order that does not exist is refused with those that do', async () => {
  for (const address of ['/api/v1/series', '/api/v1/books', '/api/v1/series/list', '/api/v1/books/list'])
    for (const sort of ['secret,asc', 'name', 'name,up', 'created_at,asc;drop', '']) {
      const { status, json } = await plainRequest(`${server.url}${address}?sort=${encodeURIComponent(sort)}`, {
        headers: { authorization: `Bearer ${reader.accessToken}` },
        ...(address.endsWith('list') && { method: 'POST', body: {} }),
      })
      expect([address, sort, status]).toEqual([address, sort, 400])
      expect((json as api.ErrorReply).message).toMatch(/^sort must be one of name,asc, name,desc, .*random,desc\.$/)
    }
})

test('HTTP-4 HTTP-5 pages far down go on where those before them end', async () => {
  await using long = await startServer()
  const { db } = long.context
  const count = 2600
  const series = await addSeries(db, await addLibrary(db))
  const ids = await addBooks(
    db,
    series,
    Array.from({ length: count }, (_, index) => ({
      released: index % 5 < 3 ? `20${10 + (index % 7)}` : null,
      size: index % 11,
    })),
  )
  const person = await long.person('reader')
  const rows = await db.read.selectFrom('book').selectAll().execute()
  const keys = {
    release_date: ({ released }: (typeof rows)[number]) => [released],
    file_size: ({ size }: (typeof rows)[number]) => [size],
    random: ({ id }: (typeof rows)[number]) => [id.slice(24) >= randomStartOf('s') ? 0 : 1, id.slice(24)],
    last_read: ({ sort_key }: (typeof rows)[number]) => [sort_key],
  }
  for (const [name, key] of Object.entries(keys))
    for (const direction of ['asc', 'desc'] as const) {
      const query = { sort: `${name},${direction}` as api.BookSort, seed: 's' }
      const expected = plainlySorted(
        rows.map((row) => ({ id: row.id, keys: key(row) })),
        direction,
      )
      const at = [1, 11, 14, 16, 24, 26]
      const pages = await Promise.all(
        at.map(async (page) => bodyOf(await person.call(api.listBooks, { query: { ...query, page, pageSize: 100 } }))),
      )
      expect([query.sort, pages.map(({ data }) => data.map(({ id }) => id))]).toEqual([
        query.sort,
        at.map((page) => expected.slice((page - 1) * 100, page * 100)),
      ])
    }
  expect(ids.length).toBe(count)
})

test('CAT-4 W11 books with one genre, tag or person, and those without, are counted exactly, whoever asks', async () => {
  const { db } = server.context
  const hasAlpha = ({ plain }: World['books'][number]) => names(plain(viewerOf(reader))['genre'], 'alpha')
  const hidden = booksSeenBy(reader).find(hasAlpha)
  await db.write(async (db) => {
    await db
      .updateTable('book')
      .set({ state: 'hidden' })
      .where('id', '=', hidden?.id ?? '')
      .execute()
    await db
      .updateTable('library')
      .set(({ eb }) => ({ book_count: eb('book_count', '-', 1) }))
      .where('id', '=', hidden?.libraryId ?? '')
      .execute()
    // Everybody who has worked on a book has done two things.
    const worked = await db
      .selectFrom('book_term')
      .innerJoin('term', 'term.id', 'book_term.term_id')
      .where('term.kind', '=', 'person')
      .selectAll('book_term')
      .execute()
    await insertMany(
      db,
      'book_term',
      worked.map((row) => ({ ...row, role: 'other' })),
    )
  })
  const questions = (['genre', 'tag', 'author'] as const).flatMap((field) =>
    ['Álpha', 'beta', 'nobody'].map((value) => ({ field, value })),
  )
  for (const person of [reader, child, library])
    for (const { field, value } of questions) {
      const listed = async (operator: 'is' | 'isNot') => {
        const body = { condition: { [field]: { operator, value } } as unknown as api.BookCondition }
        const { data, total } = bodyOf(await person.call(api.listBooksByCondition, { query: { pageSize: 500 }, body }))
        return [operator, total, data.map(({ id }) => id).toSorted()]
      }
      const seen = booksSeenBy(person).filter(({ id }) => id !== hidden?.id)
      const having = seen.filter(({ plain }) => names(plain(viewerOf(person))[field], value)).map(({ id }) => id)
      const lacking = seen.map(({ id }) => id).filter((id) => !having.includes(id))
      expect([field, value, await listed('is')]).toEqual([field, value, ['is', having.length, having.toSorted()]])
      expect([field, value, await listed('isNot')]).toEqual([
        field,
        value,
        ['isNot', lacking.length, lacking.toSorted()],
      ])
    }
})

test('CAT-4 terms are common where so many books have each of them', async () => {
  const term = (name: string) => ({ kind: 'genre' as const, key: fold(name), isNegative: false })
  const areCommon = (name: readonly string[], from: number) =>
    hasEachTermBooks(server.context.db.read, name.map(term), from)

  expect(await areCommon(['alpha'], 1)).toBe(true)
  expect(await areCommon(['alpha', 'nobody'], 1)).toBe(false)
  expect(await areCommon(['alpha'], 100_000)).toBe(false)

  // The search asks that wherever a text stands beside the terms.
  const person = await server.person('admin')
  const beside = [
    { genre: { operator: 'is', value: 'alpha' } },
    { title: { operator: 'contains', value: 'a' } },
  ] as const
  const listed = await person.call(api.listBooksByCondition, { body: { condition: { allOf: [...beside] } } })
  const alone = await person.call(api.listBooksByCondition, { body: { condition: beside[0] } })
  expect(bodyOf(listed).total).toBeLessThanOrEqual(bodyOf(alone).total)
})
