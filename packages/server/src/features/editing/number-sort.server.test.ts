import { rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

const server = await startServer()
const folder = await libraryFolder()
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})
const editor = await server.person('editor')
const files = {
  Folios: ['Folios v01', 'Folios v02', 'Folios v10', 'Folios - The Beginning', 'Folios - The End'],
  Loose: ['Loose c001', 'Loose c002', 'Loose c010', 'Loose - The Beginning', 'Loose - The End'],
  Mixed: ['Mixed v01 c001', 'Mixed v01 c002', 'Mixed v02 c010', 'Mixed - The Beginning', 'Mixed - The End'],
}
let seed = 0
for (const [series, names] of Object.entries(files))
  for (const name of names) await folder.write(`${series}/${name}.cbz`, comic({ seed: (seed += 1) }))
const library = await addLibraryOn(server, { roots: [folder.path] })
await scanNow(server, library)
const ids = new Map(
  [...(await booksOf(server, library)).values()].map(({ id, name }) => [name.replace('.cbz', ''), id]),
)
const idOf = (name: string): string => ids.get(name) ?? ''
const edit = async (name: string, body: api.BookMetadataPatch) =>
  bodyOf(await editor.call(api.editBookMetadata, { params: { id: idOf(name) }, body }))
const orderOf = async (series: string, sort: api.BookSort = 'number,asc') => {
  const { seriesId } = bodyOf(await editor.call(api.readBook, { params: { id: idOf(`${series} - The End`) } }))
  const { data } = bodyOf(await editor.call(api.listBooks, { query: { seriesId: seriesId ?? '', sort } }))
  return data.map(({ path }) => path?.replace(/^.*\/|\.cbz$/g, '').replace(/^\w+ (?:- )?/, ''))
}

test.each([
  ['Folios', 'v01', 'v02', 'v10'],
  ['Loose', 'c001', 'c002', 'c010'],
  ['Mixed', 'v01 c001', 'v01 c002', 'v02 c010'],
] as const)(
  'C6 specials of %s stand where their number in order puts them, first, between and last',
  async (series, ...own) => {
    const [one, two, ten] = own
    const [beginning, end] = [`${series} - The Beginning`, `${series} - The End`]
    await edit(beginning, { numberSort: 0.5 })
    await edit(end, { numberSort: 1000 })
    expect(await orderOf(series)).toEqual(['The Beginning', one, two, ten, 'The End'])
    expect(await orderOf(series, 'number,desc')).toEqual(['The End', ten, two, one, 'The Beginning'])
    await edit(end, { numberSort: 1.5 })
    expect(await orderOf(series)).toEqual(['The Beginning', one, 'The End', two, ten])
    // One that is numbered is put elsewhere, and stays what it is called.
    await edit(`${series} ${one}`, { numberSort: 2.5 })
    expect(await orderOf(series)).toEqual(['The Beginning', 'The End', two, one, ten])
    const shown = bodyOf(await editor.call(api.readBook, { params: { id: idOf(`${series} ${one}`) } }))
    expect([shown.number, shown.metadata.numberSort]).toEqual([1, 2.5])
    await edit(`${series} ${one}`, { numberSort: null })
    await edit(end, { numberSort: 1000 })
    expect(await orderOf(series)).toEqual(['The Beginning', one, two, ten, 'The End'])
  },
)

test('C6 a number in order survives what comes after it: another scan, another name, more books', async () => {
  await edit('Folios - The End', { numberSort: 1000 })
  await rename(folder.in('Folios/Folios - The End.cbz'), folder.in('Folios/Folios - Last.cbz'))
  await folder.write('Folios/Folios v11.cbz', comic({ seed: 90 }))
  await scanNow(server, library)
  expect(await orderOf('Folios')).toEqual(['The Beginning', 'v01', 'v02', 'v10', 'v11', 'Last'])
})

test('C6 it is locked, kept in the history, taken back, and exported with the source that said it, as all fields are', async () => {
  const params = { id: idOf('Loose - The End') }
  expect(await edit('Loose - The End', { numberSort: 77, numberSortLock: true })).toMatchObject({
    numberSort: 77,
    numberSortLock: true,
    numberLock: false,
  })
  const { fields } = bodyOf(await editor.call(api.readBookMetadataSources, { params }))
  expect(fields['numberSort']).toMatchObject({ shown: 'user', locked: true, values: [{ source: 'user', value: 77 }] })
  const { data } = bodyOf(await editor.call(api.listBookMetadataHistory, { params }))
  expect(data[0]?.changes).toContainEqual({ field: 'numberSort', before: 1000, after: 77 })
  bodyOf(await editor.call(api.undoBookMetadata, { params, body: { historyId: data[0]?.id ?? '' } }))
  expect(bodyOf(await editor.call(api.readBookMetadata, { params }))).toMatchObject({
    numberSort: 1000,
    numberSortLock: false,
  })
  expect(await orderOf('Loose')).toEqual(['The Beginning', 'c001', 'c002', 'c010', 'The End'])
  for (const wrong of [-1, 1_000_001, '7'])
    expect(
      errorOf(await editor.call(api.editBookMetadata, { params, body: { numberSort: wrong as number } })).error,
    ).toBe('validation_failed')
})
