import { listBooksByCondition, listSeriesByCondition } from '@carrel/api'
import { expect, test } from 'vitest'
import { randomFrom } from '../../../test/books/pictures.ts'
import { addBooks, addLibrary, addManySeries, addSeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { indexDocuments } from '../../catalogue/search-index/search-index.ts'

const words = ['ash', 'ashen', 'elm', 'elmwood', 'oak', 'the', 'of', 'birchgrove', 'birchgroves', '7']

/** Titles of few words, of which many begin alike. */
const inventTitles = (random: () => number, count: number): string[] =>
  Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => words[Math.floor(random() * words.length)] ?? '').join(
      ' ',
    ),
  )

interface Listed {
  readonly title: string
  /** What stands elsewhere than in the title. */
  readonly publisher: string
}

/** Nobody's idea of quick: everything that there is, in the order in which it should be listed. */
const oracle = (all: readonly Listed[], text: string): { readonly title: string; readonly rank: string }[] => {
  const sought = [...new Set(text.split(' '))]
  const holds = (words: readonly string[]) =>
    sought.every((word, index) =>
      words.some((each) => each === word || (index === sought.length - 1 && each.startsWith(word))),
    )
  return all
    .filter(({ title, publisher }) => holds([...title.split(' '), ...publisher.split(' ')]))
    .map(({ title }) => {
      const own = title.split(' ')
      const rank = title === text ? 0 : title.startsWith(text) ? 1 : holds(own) ? 2 : 3
      return { title, rank: `${rank} ${String(title.length).padStart(3, '0')}` }
    })
    .sort((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0))
}

const texts = ['ash', 'as', 'elm', 'oak', 'the', 'the ash', 'elm oak', 'of the', 'birchgr', 'birchgrove', 'oak as', '7']

/** Every page of a list, one after the other. */
const listAll = async (person: Person, kind: 'books' | 'series', fullTextSearch: string) => {
  const pageSize = 23
  const rows: { readonly id: string; readonly title: string }[] = []
  for (let page = 1; ; page += 1) {
    const request = { query: { page, pageSize }, body: { fullTextSearch } }
    const { data, total } =
      kind === 'books'
        ? bodyOf(await person.call(listBooksByCondition, request))
        : bodyOf(await person.call(listSeriesByCondition, request))
    rows.push(...data.map(({ id, title }) => ({ id, title })))
    if (page * pageSize >= total) return { rows, total }
  }
}

/** It returns what is listed for each text, and what should be: the ranks in their order, each row once. */
const listedAndRight = async (person: Person, kind: 'books' | 'series', all: readonly Listed[]) => {
  const listed: unknown[] = []
  const should: unknown[] = []
  for (const text of texts) {
    const { rows, total } = await listAll(person, kind, text)
    const right = oracle(all, text)
    const rankOf = new Map(right.map(({ title, rank }) => [title, rank]))
    const ids = new Set(rows.map(({ id }) => id))
    listed.push({ text, total, count: ids.size, ranks: rows.map(({ title }) => rankOf.get(title)) })
    should.push({ text, total: right.length, count: right.length, ranks: right.map(({ rank }) => rank) })
  }
  return { listed, should }
}

const fill = async (server: TestServer, states: readonly ('present' | 'missing' | 'hidden')[]) => {
  const { db } = server.context
  const random = randomFrom(11)
  const [open, closed] = [await addLibrary(db), await addLibrary(db, { name: 'Closed', path: '/data/closed' })]
  const series = await addSeries(db, open, { title: 'Poplar' })
  const other = await addSeries(db, closed, { title: 'Willow' })
  const all = inventTitles(random, 700).map((title, index) => ({
    title,
    publisher: index % 3 === 0 ? (words[index % words.length] ?? '') : 'nobody',
    state: states[index % states.length] ?? 'present',
    rating: index % 5 === 0 ? 18 : 6,
    series: index % 4 === 0 ? other : series,
  }))
  for (const each of [series, other])
    await addBooks(
      db,
      each,
      all
        .filter((book) => book.series === each)
        .map(({ title, publisher, state, rating }, index) => ({
          title,
          state,
          age_rating: rating,
          fileName: `x${index}.cbz`,
          metadata: JSON.stringify({ publisher }),
        })),
    )
  return { all, open, series }
}

test('CAT-5 W11 a list of books that a text is found in has all of them, the best first, page by page, for everybody', async () => {
  await using server = await startServer()
  const { all, open, series } = await fill(server, ['present', 'present', 'missing', 'present', 'hidden'])
  const there = all.filter(({ state }) => state === 'present')
  const readers = [
    { person: await server.person('reader'), seen: there },
    {
      person: await server.person('reader', { access: { libraries: [open.id] } }),
      seen: there.filter((book) => book.series === series),
    },
    {
      person: await server.person('reader', { access: { ageCeiling: 12 } }),
      seen: there.filter(({ rating }) => rating <= 12),
    },
  ]
  for (const { person, seen } of readers) {
    const { listed, should } = await listedAndRight(person, 'books', seen)
    expect(listed).toEqual(should)
  }
})

test('CAT-5 W11 where more is missing than is taken from the number of what is found, it is right as well', async () => {
  await using server = await startServer()
  const { db } = server.context
  const { all, series } = await fill(server, ['present', 'missing'])
  await addBooks(
    db,
    series,
    Array.from({ length: 1100 }, (_, index) => ({ title: 'ash', state: 'missing', fileName: `y${index}.cbz` })),
  )
  const there = all.filter(({ state }) => state === 'present')
  const { listed, should } = await listedAndRight(await server.person('reader'), 'books', there)
  expect(listed).toEqual(should)
})

test('CAT-5 W11 a list of series that a text is found in has those with books, the best first', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const all = inventTitles(randomFrom(5), 300).map((title, index) => ({
    title,
    publisher: words[index % words.length] ?? '',
    book_count: index % 3,
  }))
  await addManySeries(
    db,
    library,
    all.map((each, index) => ({ ...each, key: `${index}`, name: each.title })),
  )
  const there = all.filter(({ book_count }) => book_count > 0)
  const { listed, should } = await listedAndRight(await server.person('reader'), 'series', there)
  expect(listed).toEqual(should)
})

test('CAT-5 a list is in the order of a new title at once, and without what is gone', async () => {
  await using server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Poplar' })
  const [short = '', long = ''] = await addBooks(db, series, [
    { title: 'an ash', fileName: 'a.cbz' },
    { title: 'one more ash', fileName: 'b.cbz' },
  ])
  const reader = await server.person('reader')
  const listed = async () => (await listAll(reader, 'books', 'ash')).rows.map(({ id }) => id)
  expect(await listed()).toEqual([short, long])
  const rename = (id: string, title: string) =>
    db.write(async (db) => {
      await db.updateTable('book').set({ title }).where('id', '=', id).execute()
      await indexDocuments(db, 'book', [id])
    })
  await rename(short, 'the very last ash of all')
  expect(await listed()).toEqual([long, short])
  await rename(long, 'elm')
  expect(await listed()).toEqual([short])
  await db.write((db) => db.deleteFrom('book_search').where('book_id', '=', short).execute())
  expect(await listed()).toEqual([])
})
