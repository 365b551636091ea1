import { search, type SearchResults } from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let reader: Person

beforeAll(async () => {
  server = await startServer()
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

const titles = [
  'Über Café',
  'ワンピース',
  '進撃の巨人',
  '한국 만화',
  'Berserk',
  'Berserk of Gluttony',
  'The Great Berserk Guide',
  'Spider-Man',
  'ＦＵＬＬ Width',
  '!!!',
  'Sabine 007',
]

const found = async (q: string): Promise<SearchResults> => {
  const reply = await reader.call(search, { query: { q } })
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.body
}
const titlesFor = async (q: string): Promise<string[]> => (await found(q)).series.map(({ title }) => title)

test('CAT-5 W10 titles are found whatever their case, accents, width and kana', async () => {
  const { db } = server.context
  const library = await addLibrary(db)
  for (const series of await addManySeries(
    db,
    library,
    titles.map((title) => ({ title })),
  ))
    await addBooks(db, series, [{}])
  for (const [q, title] of [
    ['uber cafe', 'Über Café'],
    ['UBER', 'Über Café'],
    ['わんぴーす', 'ワンピース'],
    ['ピー', 'ワンピース'],
    ['ス', 'ワンピース'],
    ['撃の巨', '進撃の巨人'],
    ['국', '한국 만화'],
    ['full', 'ＦＵＬＬ Width'],
    ['spiderman', 'Spider-Man'],
    ['spider-m', 'Spider-Man'],
    ['!!!', '!!!'],
    ['sabine 7', 'Sabine 007'],
    ['s', 'Sabine 007'],
  ] as const)
    expect([q, await titlesFor(q)]).toEqual([q, expect.arrayContaining([title])])
  expect(await titlesFor('berserk')).toEqual(['Berserk', 'Berserk of Gluttony', 'The Great Berserk Guide'])
  expect(await titlesFor('bersrek')).toEqual(['Berserk', 'Berserk of Gluttony', 'The Great Berserk Guide'])
})
