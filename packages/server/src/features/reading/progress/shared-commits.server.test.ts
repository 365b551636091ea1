import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let reader: Person
let other: Person
let bookIds: string[]
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Nemo' })
  bookIds = await addBooks(
    db,
    series,
    Array.from({ length: 8 }, () => ({ page_count: 200 })),
  )
  reader = await server.person('reader')
  other = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

const nowhere = '00000000-0000-7000-8000-000000000000'
const pageOf = async (person: Person, id: string) =>
  bodyOf(await person.call(api.readProgress, { params: { id } }))?.currentPage
const turn = (person: Person, id: string, currentPage: number) =>
  person.call(api.saveProgress, { params: { id }, body: { currentPage } })

test('W1 READ-1 of writes that share a commit one that fails takes none along, and each is answered as if it were alone', async () => {
  const pageAt = (round: number, index: number): number => 2 + round * 20 + index
  for (const round of [0, 1]) {
    const answers = await Promise.all(
      [reader, other].flatMap((person) =>
        [...bookIds, nowhere].map((id, index) => turn(person, id, pageAt(round, index))),
      ),
    )
    const refused = answers.filter(({ ok }) => !ok)
    expect(refused.map((each) => errorOf(each).error)).toEqual(['not_found', 'not_found'])
  }
  for (const person of [reader, other])
    for (const [index, id] of bookIds.entries()) {
      expect(await pageOf(person, id)).toBe(pageAt(1, index))
      const { data } = bodyOf(await person.call(api.listProgressHistory, { params: { id } }))
      expect(data.map(({ currentPage }) => currentPage)).toEqual([pageAt(1, index), pageAt(0, index)])
    }
})

test('W1 READ-1 what is answered is seen at once wherever it shows', async () => {
  for (const [index, id] of bookIds.entries()) {
    const { progressPercentage } = bodyOf(await turn(reader, id, 40 + index)) ?? {}
    expect(await pageOf(reader, id)).toBe(40 + index)
    const listed = bodyOf(await reader.call(api.listProgress, { query: { pageSize: 1 } }))
    expect(listed.data[0]).toMatchObject({ bookId: id, currentPage: 40 + index, progressPercentage })
    const stats = bodyOf(await reader.call(api.readReadingStats, { query: {} }))
    expect(stats.summary.books).toBe(bookIds.length)
  }
})
