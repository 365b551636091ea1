import type { BookCondition } from '@carrel/api'
import { assert, asyncProperty, boolean, constantFrom, oneof, record } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBooks } from '../../lists/lists.ts'
import { books } from '../../lists/books/queries.ts'
import { indexDocuments, matchWords } from '../search-index.ts'
import type { Viewer } from '../../visibility/visibility.ts'
import { wrapCondition, type SoughtText } from '../../../filtering/filtering.ts'
import { newId } from '../../../platform/ids.ts'
import { plainText } from '../../../platform/text/sort-key.ts'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { plansOf, statementsOf } from '../../../../test/plans.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { plainly } from '../../../../test/conditions/plain.ts'
import { buildWorld, type World } from '../../../../test/conditions/world.ts'

let server: TestServer
let world: World
let userId: string

beforeAll(async () => {
  server = await startServer()
  userId = (await server.person('reader')).id
  world = await buildWorld(server.context.db, userId)
})
afterAll(() => server[Symbol.asyncDispose]())

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const everybody: Viewer = { userId: newId(), rule: everything, deletedLibraries: [], seesPaths: true }

/** Some have three letters and more, some two that are written together, some too few, and some have gaps. */
const parts = [
  'alph', 'ALPHA', 'lpha', 'álpha', 'pha b', 'alpha beta', 'beta 1', 'perfect', '100%', '100% p', '100_perf', 'slash', 'k\\sl', 'ンダ', 'ガンダム',
  'がんだむ 第', '第1', '巨人', '进击的', 'ﾊﾝﾀｰ', 'wide', 'stras', 'straße', 'οδος', 'δος', 'dot.dash', 'sh-line', '!!!', 'line', "it's", '2345678', 'days',
  '67 day', '.cbz', 'cbz', 'epub', 'a', 'nowhere', 'nowhere alpha', '/data', 'data', 'two', 'ünö',
] as const // prettier-ignore

const leaf = record({
  text: constantFrom('title' as const, 'path' as const, 'summary' as const),
  operator: constantFrom('contains' as const, 'contains' as const, 'beginsWith' as const, 'endsWith' as const),
  value: constantFrom(...parts),
}).map(({ text, ...test }): BookCondition => ({ [text]: test }) as BookCondition)

const beside = constantFrom<BookCondition>(
  { format: { operator: 'is', value: 'cbz' } },
  { readStatus: { operator: 'is', value: 'unread' } },
  { not: { title: { operator: 'contains', value: 'alpha' } } },
  { anyOf: [{ summary: { operator: 'contains', value: 'beta' } }, { pageCount: { operator: 'gte', value: 50 } }] },
)

const asked = oneof(
  { weight: 3, arbitrary: leaf },
  record({ one: leaf, other: oneof(leaf, beside) }).map(({ one, other }): BookCondition => ({ allOf: [one, other] })),
)

test('CAT-4 W10 W11 a list has what holds a part of a text when it is evaluated plainly, whoever asks for it', async () => {
  const [, second = ''] = world.libraryIds
  const viewers: readonly Viewer[] = [
    { ...everybody, userId },
    { ...everybody, userId, seesPaths: false },
    { ...everybody, userId, rule: { ...everything, ageCeiling: 12 } },
    { ...everybody, userId, rule: { ...everything, libraries: [second] } },
  ]
  let found = 0
  await assert(
    asyncProperty(asked, constantFrom(...viewers), boolean(), boolean(), async (condition, viewer, isIn, isOld) => {
      const libraryId = isIn ? second : undefined
      const options = { condition, libraryId, ...(isOld && { includeDeleted: true }) }
      const list = await openBooks(server.context, viewer, options)
      const rows = await list.rows({ offset: 0, limit: 500 })
      const { libraries, ageCeiling } = viewer.rule
      const expected = world.books.filter(
        (book) =>
          (isOld || !book.isMissing) &&
          (libraryId ?? book.libraryId) === book.libraryId &&
          (libraries === 'all' || libraries.includes(book.libraryId)) &&
          (ageCeiling === null || (book.age !== null && book.age <= ageCeiling)) &&
          plainly(condition, book.plain(viewer), 'books'),
      )
      expect(list.total).toBe(expected.length)
      expect(rows.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
      found += expected.length > 0 ? 1 : 0
    }),
    { numRuns: 400 },
  )
  expect(found).toBeGreaterThan(100)
})

const idsOf = async (sought: SoughtText) => {
  const { db } = server.context
  const match = await matchWords(db, [sought])
  if (!match) return undefined
  const rows = await db.read.selectFrom('book').select('id').where(match.where).where('state', '=', 'present').execute()
  const [number] = await db.read.selectNoFrom(match.count.as('count')).execute()
  return { ids: rows.map(({ id }) => id), isExact: match.isExact, count: number?.count }
}

test('CAT-4 what is found by words is all that holds a part, and nothing else where words are enough', async () => {
  const valuesOf = ({ plain }: World['books'][number]) => plain({ ...everybody, userId })
  const tests = (['title', 'path', 'summary'] as const).flatMap((text) =>
    (['contains', 'beginsWith', 'endsWith'] as const).flatMap((operator) =>
      parts.filter((value) => !value.includes('/')).map((value) => ({ text, operator, value })),
    ),
  )
  let [exact, loose] = [0, 0]
  for (const { text, operator, value } of tests) {
    const found = await idsOf({ text, operator, part: plainText(value) })
    if (!found) continue
    const expected = world.books
      .filter((book) => !book.isMissing && plainly({ [text]: { operator, value } }, valuesOf(book), 'books'))
      .map(({ id }) => id)
    const others = found.ids.filter((id) => !expected.includes(id))
    expect(found.ids).toEqual(expect.arrayContaining(expected))
    expect(found.count).toBe(found.ids.length)
    expect(found.isExact ? others : []).toEqual([])
    exact += found.isExact && expected.length > 0 ? 1 : 0
    loose += !found.isExact && expected.length > 0 ? 1 : 0
  }
  expect(exact).toBeGreaterThan(20)
  expect(loose).toBeGreaterThan(20)
})

const titlesWith = async ({ context }: TestServer, condition: BookCondition): Promise<string[]> => {
  const list = await openBooks(context, everybody, { condition })
  const rows = await list.rows({ offset: 0, limit: 500 })
  expect(list.total).toBe(rows.length)
  return rows.map(({ title }) => title)
}

test('CAT-4 a book is found by parts of its texts from when they change, and one whose words are not made yet as well', async () => {
  await using fresh = await startServer()
  const { db } = fresh.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Birds' })
  const [first = '', second = ''] = await addBooks(db, series, [
    { title: 'Peregrine', summary: 'It stoops.' },
    { title: 'Kestrel', summary: 'It hovers.' },
  ])
  const titled = (value: string): BookCondition => ({ title: { operator: 'contains', value } })
  expect(await titlesWith(fresh, titled('eregr'))).toEqual(['Peregrine'])
  expect(await titlesWith(fresh, { summary: { operator: 'contains', value: 'over' } })).toEqual(['Kestrel'])

  await db.write(async (db) => {
    const columns = { title: 'Hobby', title_text: 'hobby', summary_text: null }
    await db.updateTable('book').set(columns).where('id', '=', first).execute()
    await indexDocuments(db, 'book', [first])
  })
  expect(await titlesWith(fresh, titled('eregr'))).toEqual([])
  expect(await titlesWith(fresh, titled('obb'))).toEqual(['Hobby'])
  expect(await titlesWith(fresh, { summary: { operator: 'contains', value: 'stoop' } })).toEqual([])

  await db.write(async (db) => {
    await db.updateTable('book').set({ summary_text: 'it dives.' }).where('id', '=', first).execute()
    await indexDocuments(db, 'book', [first])
  })
  expect(await titlesWith(fresh, { summary: { operator: 'contains', value: 'dive' } })).toEqual(['Hobby'])

  await db.write((db) => db.deleteFrom('book').where('id', '=', first).execute())
  expect(await titlesWith(fresh, titled('obb'))).toEqual([])

  await db.write((db) =>
    db.updateTable('book_search').set({ text_words: null }).where('book_id', '=', second).execute(),
  )
  expect(await titlesWith(fresh, titled('estr'))).toEqual(['Kestrel'])
})

test('CAT-4 what lies in a root whose path holds a part is found by that', async () => {
  await using fresh = await startServer()
  const { db } = fresh.context
  const [one, two] = [
    await addSeries(db, await addLibrary(db, { name: 'One', path: '/data/peregrines' }), { title: 'One' }),
    await addSeries(db, await addLibrary(db, { name: 'Two', path: '/data/others' }), { title: 'Two' }),
  ]
  await addBooks(db, one, [{ title: 'Kestrel' }])
  await addBooks(db, two, [{ title: 'Peregrine' }, { title: 'Merlin' }])

  expect(await titlesWith(fresh, { path: { operator: 'contains', value: 'eregrin' } })).toEqual([
    'Kestrel',
    'Peregrine',
  ])
})

test('W16 W1 books are found by words through indexes, without reading all books', async () => {
  await using fresh = await startServer()
  const { db, config } = fresh.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Birds' })
  for (let index = 0; index < 20; index += 1)
    await addBooks(
      db,
      series,
      Array.from({ length: 100 }, (_, at) => ({ title: at === 0 ? `Peregrine ${index}` : `Merlin ${index}-${at}` })),
    )
  const match = await matchWords(db, [{ text: 'title', operator: 'contains', part: 'eregr' }])
  if (!match) throw new Error('Nothing was found by words')
  const narrowed = wrapCondition(match.where)
  const order = { field: 'name', direction: 'asc' } as const
  const page = { order, paging: { offset: 0, limit: 50 }, total: 4000, libraryIds: [] }
  const statements = [
    ...(await statementsOf((db) => books.select(db, everybody, { narrowed }, page))),
    ...(await statementsOf((db) => books.selectSomeIds(db, everybody, { narrowed }, 5001))),
    ...(await statementsOf((db) => db.selectNoFrom(match.count.as('count')).execute())),
  ]
  const plans = await plansOf(config.database, statements, { bitmaps: 'on' })

  expect(new Set(plans.map(({ sql }) => sql)).size).toBe(3)
  const steps = plans.flatMap(({ steps }) => steps)
  expect(steps.filter((step) => /^SCAN (book|book_search|document)\b|Seq Scan on book/.test(step))).toEqual([])
  expect(steps.join('\n')).toMatch(/book_search_text_words_index|VIRTUAL TABLE|book_search_by_text_words/)
})
