import { listBooks, listBooksByCondition, listSeriesByCondition, readBook } from '../../packages/api/src/index.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { requestBytes } from '../connection.ts'
import type { BenchDatabase } from '../databases/database.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt, type Installation } from '../installation.ts'
import { runOnce } from '../rounds.ts'
import type { ServerProcess } from '../server-process.ts'

/** A median of pages with exact totals. */
const gate = { max: 150 }
const longestMs = 120_000

/** Pages of a million books that are narrowed by conditions, each by another one, so that nothing is kept. */
export const filtering: Bench = {
  names: ['list.filtered'],
  isLong: true,
  run: async ({ database }) => measure(database),
}

const measure = async (database: BenchDatabase): Promise<Figure[]> => {
  await using seeded = await seededLibrary(database, '1M')
  const { installation } = seeded
  await using server = await installation.start()
  const terms = await pickTerms(installation, server)
  const figures: Figure[] = []
  for (const [name, { path, conditions }] of Object.entries(requestsWith(terms))) {
    const requests = conditions.map((condition) =>
      requestBytes({ method: 'POST', path, body: { condition }, headers: installation.token }),
    )
    let sent = 0
    const { latenciesMs } = await runOnce(
      {
        pid: server.pid,
        load: {
          port: server.port,
          connections: 1,
          requestsMax: requests.length,
          request: () => requests[sent++ % requests.length] ?? Buffer.alloc(0),
          check: ({ status, body }) => {
            if (status !== 200) throw new Error(`${name}: ${status} ${body.toString().slice(0, 200)}`)
          },
        },
      },
      longestMs,
    )
    figures.push({ name: `list.filtered 1M, ${name}`, unit: 'ms', values: latenciesMs, gate })
  }
  return figures
}

interface SampleTerms {
  readonly words: readonly string[]
  readonly genres: readonly string[]
  readonly tags: readonly string[]
  readonly people: readonly string[]
}

/** It picks words that stand in fifty random books: the more books have a word, the more likely it is. */
const pickTerms = async (installation: Installation, { port }: ServerProcess): Promise<SampleTerms> => {
  const call = callerAt(port, installation.token)
  const listed = await call(listBooks, { query: { sort: 'random,asc', seed: '1', pageSize: 50 } })
  if (!listed.ok) throw new Error(`No books: ${listed.error.message}`)
  const words = new Set(listed.body.data.flatMap(({ title }) => title.split(' ').filter((word) => word.length >= 3)))
  const [genres, tags, people] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { id } of listed.body.data) {
    const read = await call(readBook, { params: { id } })
    if (!read.ok) throw new Error(`No book: ${read.error.message}`)
    const { metadata } = read.body
    for (const genre of metadata.genres) genres.add(genre)
    for (const tag of metadata.tags) tags.add(tag)
    for (const { name } of metadata.authors) people.add(name)
  }
  return { words: [...words].slice(0, 20), genres: [...genres], tags: [...tags], people: [...people].slice(0, 20) }
}

interface FilteredRequest {
  readonly path: string
  readonly conditions: readonly object[]
}

const both = (some: readonly object[], others: readonly object[]) =>
  some.map((each, at) => ({ allOf: [each, others[at % others.length] ?? each] }))

const requestsWith = ({ words, genres, tags, people }: SampleTerms): Readonly<Record<string, FilteredRequest>> => {
  const contains = (field: string) => words.map((value) => ({ [field]: { operator: 'contains', value } }))
  const has = (field: string, names: readonly string[]) =>
    names.map((value) => ({ [field]: { operator: 'is', value } }))
  const books = (conditions: readonly object[]): FilteredRequest => ({ path: listBooksByCondition.path, conditions })
  const series = (conditions: readonly object[]): FilteredRequest => ({ path: listSeriesByCondition.path, conditions })
  const pages = words.map((_, at) => ({ pageCount: { operator: 'gte', value: at % 7 } }))
  return {
    'a word in titles': books(contains('title')),
    'a word in paths': books(contains('path')),
    'a word in summaries': books(contains('summary')),
    'so many pages': books(pages.slice(0, 7)),
    formats: books(has('format', ['cbz', 'epub', 'pdf'])),
    'a genre': books(has('genre', genres)),
    'a tag': books(has('tag', tags)),
    'a person': books(has('author', people)),
    'a word in titles, and so many pages': books(both(contains('title'), pages)),
    'a word in paths, and so many pages': books(both(contains('path'), pages)),
    'a word in summaries, and a genre': books(both(contains('summary'), has('genre', genres))),
    'a genre, and so many pages': books(both(has('genre', genres), pages)),
    'a genre, and a word in titles': books(both(has('genre', genres), contains('title'))),
    'a genre, unread': books(both(has('genre', genres), [{ readStatus: { operator: 'is', value: 'unread' } }])),
    'a genre and a tag': books(
      tags.slice(0, 20).map((tag, at) => ({
        allOf: [...has('tag', [tag]), ...has('genre', [genres[at % genres.length] ?? tag])],
      })),
    ),
    'a word in titles of series': series(contains('title')),
    'a genre of series': series(has('genre', genres)),
  }
}
