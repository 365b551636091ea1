import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, type AddedLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { saveLayers } from '../metadata/metadata.ts'
import { refresh } from '../shown/shown.ts'
import { checkBooks } from '../shown/verify/check-books.ts'

let server: TestServer
let library: AddedLibrary
let editor: Person
let child: Person
beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
  editor = await server.person('editor')
  child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** A series of two books that are called otherwise. */
const newSeries = async (title: string) => {
  const { db, clock } = server.context
  const series = await addSeries(db, library, { title })
  const files = ['One', 'Two'].map((each) => ({ title: each, fileName: `${each} of these.cbz` }))
  const bookIds = await addBooks(db, series, files)
  const [one = '', two = ''] = bookIds
  const params = { id: series.id }
  return {
    one,
    two,
    edit: async (body: { readonly ageRating: number; readonly title?: string }) => {
      bodyOf(await editor.call(api.editSeriesMetadata, { params, body: { title, ...body } }))
    },
    rate: async (id: string, ageRating: number | null) => {
      bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body: { ageRating } }))
    },
    /** How many of its books a text finds in a search and in a list, for a child and for whoever sees everything. */
    found: async (text: string): Promise<number[]> => {
      // Whatever has led here, a look at every night finds it as it should be.
      const drift = await checkBooks(db.read, bookIds, clock())
      expect([...(drift.get('search') ?? []), ...(drift.get('ratings') ?? [])]).toEqual([])
      const counts = [child, editor].map(async ({ call }) => {
        const { books } = bodyOf(await call(api.search, { query: { q: text } }))
        const { total } = bodyOf(await call(api.listBooksByCondition, { query: {}, body: { fullTextSearch: text } }))
        return [books.length, total]
      })
      return (await Promise.all(counts)).flat()
    },
  }
}

test('HTTP-3 W9 CAT-5 a book is not found by the title of a series that is rated higher, whoever looks for it', async () => {
  const { one, edit, rate, found } = await newSeries('Zephyrine')
  await edit({ ageRating: 6 })
  expect(await found('zephyrine')).toEqual([2, 2, 2, 2])

  await rate(one, 6)
  await edit({ ageRating: 18 })
  expect(await found('zephyrine')).toEqual([0, 0, 1, 1])
  expect(await found('one of these')).toEqual([1, 1, 1, 1])
  expect(bodyOf(await editor.call(api.search, { query: { q: 'zephyrine' } })).series).toHaveLength(1)
  await edit({ ageRating: 18, title: 'Aeolian' })
  expect(await found('aeolian')).toEqual([0, 0, 1, 1])
  await edit({ ageRating: 12, title: 'Aeolian' })
  expect(await found('aeolian')).toEqual([1, 1, 1, 1])
  await edit({ ageRating: 6, title: 'Aeolian' })
  expect(await found('aeolian')).toEqual([2, 2, 2, 2])
})

test('HTTP-3 W9 CAT-5 so it is where a series is rated by its books alone, be they read all at once', async () => {
  const { db, clock } = server.context
  const { one, two, rate, found } = await newSeries('Halcyon')
  expect(await found('halcyon')).toEqual([2, 2, 2, 2])
  const ratings = [
    [one, 6],
    [two, 18],
  ] as const
  await db.write(async (db) => {
    const layers = ratings.map(([entityId, ageRating]) => ({
      entityId,
      source: 'sidecar:comicinfo',
      fields: { book: { ageRating } },
    }))
    await saveLayers(db, layers, clock())
    await refresh(db, { books: [one, two] }, clock())
  })
  expect(await found('halcyon')).toEqual([0, 0, 1, 1])

  await rate(one, 18)
  expect(await found('halcyon')).toEqual([0, 0, 2, 2])
  await rate(one, 6)
  expect(await found('halcyon')).toEqual([0, 0, 1, 1])
  await rate(two, 6)
  expect(await found('halcyon')).toEqual([2, 2, 2, 2])
})
