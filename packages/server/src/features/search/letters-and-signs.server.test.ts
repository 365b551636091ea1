import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries, type AddedLibrary } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let library: AddedLibrary
let reader: Person

beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

const addTitles = (titles: readonly string[]) =>
  addManySeries(
    server.context.db,
    library,
    titles.map((title) => ({ title, book_count: 1 })),
  )
const seriesFor = async (q: string): Promise<string[]> =>
  bodyOf(await reader.call(api.search, { query: { q } })).series.map(({ title }) => title)
const suggestionsFor = async (q: string): Promise<string[]> =>
  bodyOf(await reader.call(api.suggest, { query: { q } })).suggestions.map(({ value }) => value)

test('D5 W10 a letter of its own is found as it is typed without its key, in searches, conditions and orders', async () => {
  const titles = ['Die Straße', 'Ærø', 'Œuvre complète', 'Søren', 'Đorđe', 'Łódź', 'Isparta ılık', 'Þórr og Guðný']
  await addTitles(titles)
  const expected = {
    strasse: 'Die Straße',
    STRASSE: 'Die Straße',
    straße: 'Die Straße',
    stras: 'Die Straße',
    aero: 'Ærø',
    'oeuvre complete': 'Œuvre complète',
    soren: 'Søren',
    dorde: 'Đorđe',
    lodz: 'Łódź',
    ilik: 'Isparta ılık',
    'thorr gudny': 'Þórr og Guðný',
  }
  for (const [q, title] of Object.entries(expected)) {
    expect([q, await seriesFor(q)]).toEqual([q, [title]])
    const list = bodyOf(await reader.call(api.listSeriesByCondition, { body: { fullTextSearch: q } }))
    expect([q, list.data.map((each) => each.title)]).toEqual([q, [title]])
  }
  for (const [value, title] of [
    ['strasse', 'Die Straße'],
    ['LODZ', 'Łódź'],
    ['guðny', 'Þórr og Guðný'],
  ]) {
    const condition = { title: { operator: 'contains' as const, value: value ?? '' } }
    const list = bodyOf(await reader.call(api.listSeriesByCondition, { body: { condition } }))
    expect([value, list.data.map((each) => each.title)]).toEqual([value, [title]])
  }
  const { letters } = bodyOf(await reader.call(api.readSeriesLetters, { body: {} }))
  expect(letters.map(({ letter }) => letter)).toEqual(['A', 'D', 'I', 'L', 'O', 'S', 'T'])
})

test('D5 an ISBN is found however it is written, and while it is typed', async () => {
  const [series] = await addTitles(['Numbered'])
  if (!series) throw new Error('There is no series')
  await addBooks(server.context.db, series, [
    { title: 'Hyperion', metadata: JSON.stringify({ isbns: ['9780553283686'] }) },
    { title: 'Another', fileName: '978-3-16-148410-0.epub' },
  ])
  const booksFor = async (q: string) =>
    bodyOf(await reader.call(api.search, { query: { q } })).books.map(({ title }) => title)
  for (const q of [
    '9780553283686',
    '978-0-553-28368-6',
    '978 0 553 28368 6',
    '0-553-28368-5',
    '0553283685',
    'ISBN 0553283685',
    'isbn: 978-0553283686',
    'urn:isbn:9780553283686'.slice(4),
    '978-0-553-28',
    'hyperion 978-0-553-28368-6',
  ]) {
    expect([q, await booksFor(q)]).toEqual([q, ['Hyperion']])
    expect([q, await suggestionsFor(q)]).toEqual([q, ['Hyperion']])
    const list = bodyOf(await reader.call(api.listBooksByCondition, { body: { fullTextSearch: q } }))
    expect([q, list.data.map(({ title }) => title)]).toEqual([q, ['Hyperion']])
  }
  expect(await booksFor('3-16-148410-X')).toEqual(['Another'])
  expect(await booksFor('9780553283687')).toEqual([])
})

test('D5 an emoji is found, whatever its style or skin, and stays one', async () => {
  await addTitles(['Party 🎉 Time', 'Eltern 👩‍👧', 'Herz ❤️ und Schmerz', 'Daumen 👍🏽', 'Fahne 🇩🇪', 'Lucky ★ Star', '👩‍🚀'])
  const expected = {
    '🎉': 'Party 🎉 Time',
    'party 🎉': 'Party 🎉 Time',
    '👩‍👧': 'Eltern 👩‍👧',
    '❤': 'Herz ❤️ und Schmerz',
    '❤️': 'Herz ❤️ und Schmerz',
    '👍': 'Daumen 👍🏽',
    '👍🏿 daumen': 'Daumen 👍🏽',
    '🇩🇪': 'Fahne 🇩🇪',
    '★': 'Lucky ★ Star',
    'lucky star': 'Lucky ★ Star',
    'lucky ☆ star': 'Lucky ★ Star',
    '👩‍🚀': '👩‍🚀',
  }
  for (const [q, title] of Object.entries(expected)) {
    expect([q, await seriesFor(q)]).toEqual([q, [title]])
    expect([q, await suggestionsFor(q)]).toEqual([q, [title]])
    const list = bodyOf(await reader.call(api.listSeriesByCondition, { body: { fullTextSearch: q } }))
    expect([q, list.data.map((each) => each.title)]).toEqual([q, [title]])
  }
  expect(await seriesFor('🎃')).toEqual([])
  expect(await seriesFor('daumen 🎉')).toEqual([])
})
