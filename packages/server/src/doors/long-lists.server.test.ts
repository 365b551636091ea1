import type { CompatBook, CompatPage, CompatSeries } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addListedSeries, addSeries } from '../../test/content.ts'
import { doorsOpen } from '../../test/contract/inputs.ts'
import { compatClient } from '../../test/doors/compat-client.ts'
import { linkOf, named, readingApp, textOf } from '../../test/opds.ts'
import { startServer, type TestServer } from '../../test/start-server.ts'

const books = 5000
const series = 100_000

let server: TestServer
let long: string

const titleAt = (index: number): string => `Series ${String(index).padStart(6, '0')}`
const inTurn = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index)

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  const { db } = server.context
  const shelf = await addSeries(db, await addLibrary(db), { title: 'Long', book_count: 0 })
  long = shelf.id
  await addBooks(
    db,
    shelf,
    inTurn(1, books).map((number) => ({ number, title: `Chapter ${number}` })),
  )
  const many = await addLibrary(db, { name: 'Many', path: '/data/many' })
  await addListedSeries(db, many, inTurn(1, series - 1).map(titleAt))
})

afterAll(() => server[Symbol.asyncDispose]())

/** A list that somebody goes far into notes cursors on the way, in steps of two thousand rows. */
const isNoting = (sql: string): boolean => sql.includes(' as rank')

/** It collects the statements about books and series that run meanwhile. */
const statementsOf = async <Result>(work: Promise<Result>): Promise<{ result: Result; count: number }> => {
  const count = () =>
    server.logLines.filter(({ sql }) => /book|series/.test(String(sql)) && !isNoting(String(sql))).length
  const before = count()
  const result = await work
  return { result, count: count() - before }
}

test('COM-1 D all pages of 5,000 books together are these books, each once, and each page takes as many statements', async () => {
  const theirs = compatClient(server, await server.person('reader'))
  const costs = new Set<number>()
  const seen: number[] = []
  const pageAt = (page: number) =>
    theirs.get<CompatPage<CompatBook>>(`api/v1/series/${long}/books?size=100&page=${page}`)
  await pageAt(0)
  for (let page = 0; page < 50; page += 1) {
    const { result, count } = await statementsOf(pageAt(page))
    seen.push(...result.body.content.map(({ number }) => number))
    if (page > 0) costs.add(count)
    expect(result.body).toMatchObject({ totalElements: books, totalPages: 50, last: page === 49 })
  }
  expect(seen).toEqual(inTurn(1, books))
  expect(costs.size).toBe(1)
})

test('OPD-1 D all pages of 5,000 books together are these books, each once', async () => {
  const app = readingApp(server, await server.person('reader'))
  const seen: (string | undefined)[] = []
  let pages = 0
  for (let next: string | undefined = `/opds/v1/series/${long}`; next !== undefined && pages < 101; pages += 1) {
    const feed = await app.feed(next)
    seen.push(...named(feed, 'entry').map((entry) => textOf(entry, 'title')))
    next = linkOf(feed, 'next')
  }
  expect(pages).toBe(100)
  expect(seen).toEqual(inTurn(1, books).map(String))
})

test('COM-1 D of 100,000 series the last page is as near as the first', async () => {
  const theirs = compatClient(server, await server.person('reader'))
  const pageAt = (page: number) =>
    theirs.get<CompatPage<CompatSeries>>(
      `api/v1/series?deleted=false&sort=metadata.titleSort%2Casc&size=100&page=${page}`,
    )
  await pageAt(1)
  const costs = new Set<number>()
  for (const page of [0, 500, 501, 999]) {
    const { result, count } = await statementsOf(pageAt(page))
    costs.add(count)
    expect(result.body).toMatchObject({ totalElements: series, totalPages: 1000, last: page === 999 })
    const titles = inTurn(page * 100, 100).map((index) => (index === 0 ? 'Long' : titleAt(index)))
    expect(result.body.content.map(({ metadata }) => metadata.title)).toEqual(titles)
  }
  expect(costs.size).toBe(1)
  expect((await pageAt(1000)).body).toMatchObject({ content: [], empty: true, last: true })
})

test('OPD-1 D of 100,000 series any page is found, and stands next to the one before it', async () => {
  const app = readingApp(server, await server.person('reader'))
  const costs = new Map<number, number>()
  await app.feed('/opds/v1/series?page=2')
  for (const page of [1, 1000, 1001, 2000]) {
    const { result: feed, count } = await statementsOf(app.feed(`/opds/v1/series?page=${page}`))
    costs.set(page, count)
    const titles = inTurn((page - 1) * 50, 50).map((index) => (index === 0 ? 'Long' : titleAt(index)))
    expect(named(feed, 'entry').map((entry) => textOf(entry, 'title'))).toEqual(titles)
    expect(linkOf(feed, 'next') === undefined).toBe(page === 2000)
  }
  expect([...costs].filter(([, count]) => count > 4)).toEqual([])
})
