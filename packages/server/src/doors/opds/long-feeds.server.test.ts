import type { Kysely, KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries, addSeries } from '../../../test/content.ts'
import { linkOf, named, readingApp, textOf } from '../../../test/opds.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { type Catalogue, cataloguesOf } from './feeds/catalogue.ts'
import { textsIn } from '../../texts/texts.ts'
import type { Feed } from './feed.ts'

const books = 5000
let server: TestServer
let long: string
let viewer: Viewer

beforeAll(async () => {
  server = await startServer()
  const { db, viewerOf } = server.context
  const library = await addLibrary(db)
  const series = await addSeries(db, library, { title: 'Long' })
  long = series.id
  await addManySeries(
    db,
    library,
    Array.from({ length: 500 }, (_, index) => ({ title: `Series ${index}`, book_count: 1 })),
  )
  await addBooks(
    db,
    series,
    Array.from({ length: books }, (_, index) => ({ title: `Chapter ${index + 1}` })),
  )
  const { id } = await server.person('reader')
  viewer = await viewerOf({
    userId: id,
    username: '',
    role: 'reader',
    permissions: new Set(),
    language: null,
    downloadMetadata: 'original',
    by: { kind: 'password' },
  })
})

afterAll(() => server[Symbol.asyncDispose]())

/** It collects the statements for one feed, with an empty cache. */
const statementsFor = async (make: (catalogue: Catalogue) => Promise<Feed>) => {
  const { context } = server
  let count = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // A statement that is made once is run each time.
    transformResult: async ({ result }) => {
      count += 1
      return result
    },
  }
  const counted = (context.db.read as unknown as Kysely<Schema>).withPlugin(counting)
  const db: Database = Object.assign(Object.create(context.db) as Database, { read: counted, readSlowly: counted })
  const others: Context = { ...context, db }
  const { content } = await make(cataloguesOf(others)(await textsIn('en')))
  return { count, entries: content.kind === 'navigation' ? content.entries.length : content.publications.length }
}

test('OPD-1 a feed takes as many statements for 500 entries as for 10', async () => {
  const feeds: Record<string, (catalogue: Catalogue, pageSize: number) => Promise<Feed>> = {
    books: (catalogue, pageSize) => catalogue.books(viewer, { page: 1, pageSize, read: 'unread' }),
    booksOfSeries: (catalogue, pageSize) => catalogue.booksOfSeries(viewer, long, { page: 1, pageSize }),
    recent: (catalogue, pageSize) => catalogue.recent(viewer, { page: 1, pageSize }),
    series: (catalogue, pageSize) => catalogue.series(viewer, { page: 1, pageSize }),
    letter: (catalogue, pageSize) => catalogue.seriesByLetter(viewer, 'S', { page: 1, pageSize }),
    search: (catalogue, pageSize) =>
      catalogue.search(viewer, { text: 'chapter' }, { page: 1, pageSize }, { path: '/search' }),
  }
  for (const [name, make] of Object.entries(feeds)) {
    const few = await statementsFor((catalogue) => make(catalogue, 10))
    const many = await statementsFor((catalogue) => make(catalogue, 500))
    expect([name, few.entries, many.entries]).toEqual([name, 10, 500])
    expect([name, many.count]).toEqual([name, few.count])
    expect(few.count).toBeLessThanOrEqual(12)
  }
})

test('OPD-1 a series of 5,000 books is read page by page, in its order, to its end', async () => {
  const app = readingApp(server, await server.person('reader'))
  const first = await app.feed(`/opds/v1/series/${long}`)
  expect(named(first, 'entry')).toHaveLength(50)
  expect(textOf(first, 'opensearch:totalResults')).toBe(String(books))
  const last = await app.feed(linkOf(first, 'last') ?? '')
  expect(
    named(last, 'entry')
      .map((entry) => textOf(entry, 'title'))
      .at(-1),
  ).toBe(String(books))
  expect(linkOf(last, 'next')).toBeUndefined()
  const middle = await app.feed(`/opds/v1/series/${long}?page=50`)
  const after = await app.feed(linkOf(middle, 'next') ?? '')
  const titles = [...named(middle, 'entry'), ...named(after, 'entry')].map((entry) => textOf(entry, 'title'))
  expect(titles).toEqual(Array.from({ length: 100 }, (_, index) => String(49 * 50 + index + 1)))
})
