import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, type AddedSeries, addBooks, addLibrary, addManySeries } from '../../../../test/content.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let library: AddedLibrary
let editor: Person
let series: AddedSeries[]
/** Two of each series, in their order. */
let books: string[][]
const titles = ['Alpha', 'Beta', 'Delta', 'Epsilon', 'Gamma']
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  library = await addLibrary(db)
  // Only the first is for children.
  series = await addManySeries(
    db,
    library,
    titles.map((title, index) => ({ title, age_rating: index === 0 ? 6 : 16 })),
  )
  books = []
  for (const [index, each] of series.entries()) {
    const age_rating = index === 0 ? 6 : 16
    books.push(await addBooks(db, each, [{ age_rating }, { age_rating }]))
  }
  editor = await server.person('admin')
})
afterAll(() => server[Symbol.asyncDispose]())

const bookAt = (ofSeries: number, index: number): string => books[ofSeries]?.[index] ?? ''
const seriesAt = (index: number): string => series[index]?.id ?? ''
const madeList = async (name: string, bookIds: string[], more: Partial<api.NewReadList> = {}) => {
  const { id } = bodyOf(await editor.call(api.createReadList, { body: { name, ...more } }))
  bodyOf(await editor.call(api.addToReadList, { params: { id }, body: { bookIds } }))
  return id
}
const listOf = async ({ call }: Person, id: string) =>
  bodyOf(await call(api.listReadLists, { query: { pageSize: 100 } })).data.find((list) => list.id === id)
const collectionOf = async ({ call }: Person, id: string) =>
  bodyOf(await call(api.listCollections, { query: { pageSize: 100 } })).data.find((list) => list.id === id)
const idsOf = (covers: readonly { readonly id: string }[] | undefined) => covers?.map(({ id }) => id)
const read = (reader: Person, id: string) => reader.call(api.markBookRead, { params: { id } })
const underAge = (): Promise<Person> =>
  server.person('reader', { access: { libraries: 'all', ageCeiling: 12, includeUnrated: false } })

test('L1 a read list comes with its first covers, how much of it is read and what comes next in its order', async () => {
  const reader = await server.person('reader')
  const order = [bookAt(2, 1), bookAt(0, 0), bookAt(1, 0), bookAt(1, 1), bookAt(0, 1)]
  const id = await madeList('In order', order)
  const before = await listOf(reader, id)
  expect(idsOf(before?.covers)).toEqual(order.slice(0, 4))
  expect(before).toMatchObject({ readCount: 0, next: { id: order[0], seriesName: 'Delta' }, bookCount: 5 })
  for (const each of order.slice(0, 4)) bodyOf(await read(reader, each))
  // What comes next may stand behind the covers.
  expect(await listOf(reader, id)).toMatchObject({ readCount: 4, next: { id: order[4], seriesName: 'Alpha' } })
  bodyOf(await read(reader, order[4] ?? ''))
  expect(await listOf(reader, id)).toMatchObject({ readCount: 5, next: null })
  expect(await listOf(editor, id)).toMatchObject({ readCount: 0 })
})

test('L1 what is read again comes next, and one without an order goes by title', async () => {
  const reader = await server.person('reader')
  const id = await madeList('By title', [bookAt(4, 0), bookAt(1, 0), bookAt(0, 0)], { ordered: false })
  const shown = bodyOf(await reader.call(api.listBooksOfReadList, { params: { id }, query: {} })).data
  const before = await listOf(reader, id)
  expect(idsOf(before?.covers)).toEqual(idsOf(shown))
  expect(before?.next?.id).toBe(shown[0]?.id)
})

test('L1 nobody learns from a list at a glance what they may not see, and its figures are of what they see', async () => {
  const child = await underAge()
  const id = await madeList('For all', [bookAt(1, 0), bookAt(0, 0), bookAt(2, 0), bookAt(0, 1)])
  const hidden = await madeList('For others', [bookAt(1, 1)])
  expect(await listOf(child, hidden)).toBeUndefined()
  const seen = await listOf(child, id)
  expect(idsOf(seen?.covers)).toEqual([bookAt(0, 0), bookAt(0, 1)])
  expect(seen).toMatchObject({ bookCount: 2, readCount: 0, next: { id: bookAt(0, 0) } })
  bodyOf(await read(child, bookAt(0, 0)))
  expect(await listOf(child, id)).toMatchObject({ readCount: 1, next: { id: bookAt(0, 1) } })
})

test('L1 a collection comes with its first covers, whether somebody has put it together or a condition has', async () => {
  const reader = await server.person('reader')
  const child = await underAge()
  const made = async (body: api.NewCollection) => bodyOf(await editor.call(api.createCollection, { body })).id
  const byHand = await made({ name: 'By hand', ordered: true })
  const seriesIds = [4, 0, 3, 1, 2].map(seriesAt)
  bodyOf(await editor.call(api.addToCollection, { params: { id: byHand }, body: { seriesIds } }))
  const automatic = await made({ name: 'With an l', condition: { title: { operator: 'contains', value: 'l' } } })
  const more = await made({ name: 'With an e', condition: { title: { operator: 'contains', value: 'e' } } })
  const none = await made({ name: 'With an x', condition: { title: { operator: 'contains', value: 'x' } } })
  for (const each of [reader, editor]) {
    expect(idsOf((await collectionOf(each, byHand))?.covers)).toEqual(seriesIds.slice(0, 4))
    expect(idsOf((await collectionOf(each, automatic))?.covers)).toEqual([0, 2, 3].map(seriesAt))
    expect(idsOf((await collectionOf(each, more))?.covers)).toEqual([1, 2, 3].map(seriesAt))
  }
  expect((await collectionOf(editor, none))?.covers).toEqual([])
  expect(idsOf((await collectionOf(child, byHand))?.covers)).toEqual([seriesAt(0)])
  expect(idsOf((await collectionOf(child, automatic))?.covers)).toEqual([seriesAt(0)])
  expect(await collectionOf(child, more)).toBeUndefined()
})
