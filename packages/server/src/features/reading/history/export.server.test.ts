import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

const exported = async (server: TestServer, person: Person) => {
  const response = await fetch(`${server.url}/api/v1/user/reading-history?format=json`, {
    headers: { authorization: `Bearer ${person.accessToken}` },
  })
  return (await response.json()) as { readonly entries: readonly Readonly<Record<api.HistoryColumn, unknown>>[] }
}

test('A3 W17 an exported history names no series that its reader is not told of, and paths to who manages libraries', async () => {
  await using server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'For adults', age_rating: 18 })
  const [id = '', going = ''] = await addBooks(db, series, [
    { title: 'Tame', fileName: 'Tame.cbz', age_rating: 12 },
    { title: 'Going', fileName: 'Going.cbz', age_rating: 12 },
  ])
  const admin = await server.person('admin')
  const young = await server.person('reader', { access: { ageCeiling: 16 } })
  const grown = await server.person('reader')
  for (const person of [admin, young, grown]) {
    for (const bookId of [id, going]) bodyOf(await person.call(api.markBookRead, { params: { id: bookId } }))
    const body = { completedAt: '2015-08-02T12:00:00Z' }
    bodyOf(await person.call(api.addReadCompletion, { params: { id }, body }))
  }
  await db.write((db) => db.deleteFrom('book').where('id', '=', going).execute())

  const told = async (person: Person) =>
    (await exported(server, person)).entries.map(({ title, series, path }) => [title, series, path])
  const path = 'Tame.cbz'
  expect(await told(admin)).toEqual(
    expect.arrayContaining([
      ['Tame', 'For adults', expect.stringContaining(path)],
      [null, 'For adults', null],
    ]),
  )
  expect(new Set((await told(grown)).map((line) => line.join(' ')))).toEqual(
    new Set(['Tame For adults ', ' For adults ']),
  )
  expect(new Set((await told(young)).map((line) => line.join(' ')))).toEqual(new Set(['Tame  ', '  ']))
})
