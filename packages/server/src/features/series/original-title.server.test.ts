import * as api from '@carrel/api'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fictionBook } from '../../../test/books/fb2.ts'
import { exported } from '../../../test/exporting.ts'
import { type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { rebuildSearch } from '../../catalogue/search-index/tasks.ts'
import { foundByOriginalTitles } from '../../database/migrations/050-found-by-original-titles.ts'

const original = '<src-title-info><sequence name="Дозоры: Начало"/></src-title-info>'
const translated = fictionBook().replace('</title-info>', `</title-info>${original}`)

let server: TestServer
let folder: LibraryFolder
let editor: Person
let libraryId: string
let watches: string
let others: string

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  await folder.write('Watches/One.fb2', translated)
  await folder.write('Others/Two.fb2', fictionBook({ long: 'Другая' }).replace(/<sequence name="Дозоры"[^>]*>/, ''))
  libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  editor = await server.person('editor')
  const books = await booksOf(server, libraryId)
  watches = books.get('Watches/One.fb2')?.series_id ?? ''
  others = books.get('Others/Two.fb2')?.series_id ?? ''
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const metadataOf = async (id: string) => bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))
const edit = (id: string, body: api.SeriesMetadataPatch) =>
  editor.call(api.editSeriesMetadata, { params: { id }, body })
const listed = async (originalTitle: api.TextTest): Promise<string[]> => {
  const { data } = bodyOf(await editor.call(api.listSeriesByCondition, { body: { condition: { originalTitle } } }))
  return data.map(({ id }) => id)
}

const searchFor = async (q: string): Promise<string[]> => {
  const { series, books } = bodyOf(await editor.call(api.search, { query: { q } }))
  return [...series, ...books].map(({ id }) => id)
}

test('C6 CAT-4 C16 the original title of a series is read, edited, locked, asked about and exported as all fields are', async () => {
  expect(await metadataOf(watches)).toMatchObject({ originalTitle: 'Дозоры: Начало', originalTitleLock: false })
  expect(await metadataOf(others)).toMatchObject({ originalTitle: null })
  expect(await listed({ operator: 'contains', value: 'начало' })).toEqual([watches])
  expect(await listed({ operator: 'isNull' })).toEqual([others])

  bodyOf(await edit(others, { originalTitle: 'Une Étoile', originalTitleLock: true }))
  bodyOf(await edit(watches, { originalTitle: null }))

  expect(await metadataOf(others)).toMatchObject({ originalTitle: 'Une Étoile', originalTitleLock: true })
  const { metadata } = bodyOf(await editor.call(api.readSeries, { params: { id: others } }))
  expect(metadata.originalTitle).toBe('Une Étoile')
  expect(await listed({ operator: 'is', value: 'une etoile' })).toEqual([others])
  expect(await listed({ operator: 'isNull' })).toEqual([watches])
  expect(await searchFor('etoile')).toEqual([others])
  expect((await edit(others, { originalTitle: 'x'.repeat(501) })).status).toBe(400)

  const lines = JSON.parse(
    await exported(server, editor, { format: 'json', fields: ['original_title'], libraryIds: [libraryId] }),
  ) as unknown[]
  expect(lines.map((line) => (line as { original_title: unknown }).original_title)).toEqual(
    expect.arrayContaining(['Une Étoile', null]),
  )
})

test('C6 what people have said of it is taken back, and the file is heard again', async () => {
  bodyOf(await edit(watches, { originalTitle: 'Mine' }))
  const params = { id: watches, field: 'originalTitle' }
  await editor.call(api.takeBackSeriesField, { params })

  expect(await metadataOf(watches)).toMatchObject({ originalTitle: 'Дозоры: Начало' })
  const { fields } = bodyOf(await editor.call(api.readSeriesMetadataSources, { params: { id: watches } }))
  expect(fields['originalTitle']).toMatchObject({ shown: 'file:fb2', locked: false })
})

test('C6 a book is found by its original title too', async () => {
  const { data } = bodyOf(await editor.call(api.listBooks, { query: { seriesId: others } }))
  const id = data[0]?.id ?? ''
  bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body: { originalTitle: 'Das Kristallzimmer' } }))
  expect(await searchFor('kristallzimmer')).toEqual([id])
})

test('C6 W16 what had an original title before anything was found by it is found after the update', async () => {
  const { db } = server.context
  bodyOf(await edit(others, { originalTitle: 'Une Étoile' }))
  await db.write((db) => db.updateTable('series_search').set({ words: '' }).where('series_id', '=', others).execute())
  expect(await searchFor('etoile')).toEqual([])

  // A migration knows no tables by their types.
  await db.write((written) => foundByOriginalTitles.run(written as unknown as Kysely<unknown>, db.dialect))
  await using _ = workOn(server, [rebuildSearch])

  await expect.poll(() => searchFor('etoile')).toEqual([others])
})
