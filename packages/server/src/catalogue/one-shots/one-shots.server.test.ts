import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { comicInfoXml, opfXml } from '../../../test/books/metadata.ts'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { doorsOpen } from '../../../test/contract/inputs.ts'
import { compatClient } from '../../../test/doors/compat-client.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { addLibraryOn, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

test('E2 a one-shot is told as one with who has written it, in lists, by itself and to whoever sees nothing else of it', async () => {
  await using server = await startServer({ env: doorsOpen })
  const { db } = server.context
  const library = await addLibrary(db)
  const novel = await addSeries(db, library, { title: 'Dracula' })
  const pair = await addSeries(db, library, { title: 'Pair' })
  const metadata = JSON.stringify({ authors: [{ name: 'Bram Stoker', role: 'writer' }] })
  await addBooks(db, novel, [{ title: 'Dracula', book_type: 'OneShot', metadata }])
  const [shownId = ''] = await addBooks(db, pair, [{ book_type: 'oneshot' }, { book_type: 'oneshot', age_rating: 18 }])
  const everybody = await server.person('reader')
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const told = async (person: typeof child) => {
    const { call } = person
    const door = await compatClient(server, person).get<{ content: { name: string; oneshot: boolean }[] }>(
      'api/v1/series',
    )
    const series = bodyOf(await call(api.listSeries, {})).data
    const books = bodyOf(await call(api.listBooks, {})).data
    expect(door.body.content.map(({ name, oneshot }) => [name, oneshot])).toEqual(
      series.map(({ title, oneShot }) => [title, oneShot]),
    )
    const one = bodyOf(await call(api.readSeries, { params: { id: novel.id } }))
    const oneBook = bodyOf(await call(api.readBook, { params: { id: shownId } }))
    expect(one).toMatchObject({ oneShot: true, authors: ['Bram Stoker'] })
    expect(books.find(({ id }) => id === shownId)?.oneShot).toBe(oneBook.oneShot)
    return {
      series: series.map(({ title, oneShot, authors }) => [title, oneShot, ...authors]),
      books: books.map(({ title, oneShot, authors }) => [title, oneShot, ...authors]),
    }
  }

  const dracula = ['Dracula', true, 'Bram Stoker']
  expect(await told(everybody)).toEqual({
    series: [dracula, ['Pair', false]],
    books: [dracula, ['Pair 1', false], ['Pair 2', false]],
  })
  expect(await told(child)).toEqual({ series: [dracula, ['Pair', true]], books: [dracula, ['Pair 1', true]] })
})

type Files = Readonly<Record<string, Buffer | string>>

/** By the titles of books, as somebody is told who sees everything and as somebody who does not. */
const oneShotsOf = async (policy: 'calibre' | 'folder', files: Files) => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const [path, bytes] of Object.entries(files)) await folder.write(path, bytes)
  await scanNow(server, await addLibraryOn(server, { roots: [folder.path], policy }))
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const told = async ({ call, accessToken }: typeof child) => {
    const nameOf = async (id: string) => {
      const headers = { authorization: `Bearer ${accessToken}` }
      const file = await plainRequest(`${server.url}/api/v1/books/${id}/file`, { method: 'HEAD', headers })
      const said = String(file.headers['content-disposition'])
      const name = /filename\*=UTF-8''(.*)/.exec(said)?.[1] ?? /filename="(.*)"/.exec(said)?.[1] ?? ''
      return decodeURIComponent(name).replace(/\.\w+$/, '')
    }
    const series = bodyOf(await call(api.listSeries, {})).data
    const books = bodyOf(await call(api.listBooks, {})).data
    const whole = new Map(series.map(({ id, oneShot }) => [id, oneShot]))
    expect(books.map(({ seriesId }) => whole.get(seriesId ?? ''))).toEqual(books.map(({ oneShot }) => oneShot))
    // Its file is called by its title alone, and that of another book by its series.
    for (const { id, title, oneShot } of books) expect([title, (await nameOf(id)) === title]).toEqual([title, oneShot])
    return Object.fromEntries(books.map(({ title, oneShot }) => [title, oneShot]))
  }
  const everything = await told(await server.person('admin'))
  expect(await told(child)).toEqual(everything)
  return everything
}

/** What calibre keeps of a book: the file, and beside it what it says of it. */
const inCalibre = (folder: string, title: string, more = ''): Files => ({
  [`${folder}/Book - Pell Arden.epub`]: epub({ title }),
  [`${folder}/metadata.opf`]: opfXml('2.0', `<dc:title>${title}</dc:title>${more}`),
})

test('C21 C24 a book of calibre without a series is a one-shot, however it and its folder are spelled', async () => {
  const series = (name: string) =>
    `<meta name="calibre:series" content="${name}"/><meta name="calibre:series_index" content="1.0"/>`
  const sort = '<meta name="calibre:title_sort" content="Field Guide, A"/>'
  const told = await oneShotsOf('calibre', {
    ...inCalibre('Pell Arden/A Field Guide (9)', 'A Field Guide', sort),
    ...inCalibre('Minamo Aoi/Umi no Hon (10)', '海の本'),
    ...inCalibre('Jo Heller/Catch-22 (11)', 'Catch the Second'),
    ...inCalibre('Dan Simm/The Fall (12)', 'The Fall', series('Cantos')),
    'Loose/Loose 1.epub': epub({ title: 'Somewhere' }),
  })

  expect(told).toEqual({
    'A Field Guide': true,
    海の本: true,
    'Catch the Second': true,
    'The Fall': false,
    Somewhere: false,
  })
})

test('C21 C24 what lies alone in a root or among one-shots is one, unless its number says that it is the first of several', async () => {
  const saying = (seed: number, info: Parameters<typeof comicInfoXml>[0]) =>
    comic({ seed, pages: 1, comicInfo: comicInfoXml(info) })
  const told = await oneShotsOf('folder', {
    'Lone Tower.cbz': saying(1, { Title: 'The Tower that Stood' }),
    'Begun.cbz': saying(2, { Title: 'Foundations', Number: 1 }),
    '_oneshots/Batman 1.cbz': saying(3, { Title: 'A Night' }),
    'Saga/Saga 1.cbz': saying(4, { Title: 'Chapter One' }),
  })

  expect(told).toEqual({ 'The Tower that Stood': true, Foundations: false, 'A Night': true, 'Chapter One': false })
})
