import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { doorsOpen } from '../../../test/contract/inputs.ts'
import { compatClient } from '../../../test/doors/compat-client.ts'
import { bodyOf } from '../../../test/outcome.ts'
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
