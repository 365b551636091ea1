import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { testOn } from '../../../test/test-database.ts'
import { workOn } from '../../../test/work.ts'
import type { Database } from '../../database/database.ts'
import { dialectOf } from '../../database/transaction.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../tasks/queue.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { find, indexDocuments, prepareQuery } from './search-index.ts'
import { cleanUpSearchWords } from './tasks.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const everybody: Viewer = { userId: newId(), rule: everything, deletedLibraries: [], seesPaths: false }

const booksFor = async (db: Database, q: string): Promise<readonly string[]> => {
  const query = await prepareQuery(db, q, true)
  return (query && (await find(db, everybody, query, { book: 10 })).get('book')) ?? []
}

const spellingsIn = async (db: Database): Promise<string[]> => {
  const rows = await db.read.selectFrom('search_word').select(['spelling', 'word']).orderBy('spelling').execute()
  return rows.map(({ spelling, word }) => `${spelling} ${word}`)
}

const endingsOf = async (db: Database, word: string): Promise<string[]> => {
  const rows = await db.read.selectFrom('text_word').select('ending').where('word', '=', word).execute()
  return rows.map(({ ending }) => ending).sort()
}

/** Answers how many words went. */
const cleanUp = async ({ context: { db, clock } }: TestServer): Promise<unknown> => {
  const { taskId } = await db.write((db) => enqueue(db, cleanUpSearchWords, { byHand: true }, { now: clock() }))
  const resultOf = async () => {
    const task = await db.read
      .selectFrom('task')
      .select(['status', 'result'])
      .where('id', '=', taskId)
      .executeTakeFirst()
    return task?.status === 'completed' ? (JSON.parse(task.result ?? '{}') as { words?: unknown }).words : undefined
  }
  await expect.poll(resultOf).toBeDefined()
  return resultOf()
}

test('CAT-5 words that nothing is found by any more go away, with every spelling, and come back when they are used', async () => {
  await using server = await startServer()
  const { db } = server.context
  await using _ = workOn(server, [cleanUpSearchWords])
  const series = await addSeries(db, await addLibrary(db), { title: 'Peregrine' })
  const [kept = '', gone = ''] = await addBooks(db, series, [
    { title: "Kestrel's l'Étoile" },
    { title: 'Merlin', fileName: 'two.cbz' },
  ])
  const before = await spellingsIn(db)
  const letters = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  const many = Array.from({ length: 700 }, (_, index) => `left${letters(index)}over`)
  await db.write(async (db) => {
    await db
      .insertInto('search_word')
      .values(many.flatMap((word) => [word, word.slice(1)].map((spelling) => ({ spelling, word }))))
      .execute()
  })
  expect(await cleanUp(server)).toBe(many.length)
  expect(await spellingsIn(db)).toEqual(before)

  await db.write(async (db) => {
    await db.updateTable('book').set({ title: 'Hobby', title_text: 'hobby' }).where('id', '=', gone).execute()
    await indexDocuments(db, 'book', [gone])
  })
  const merlin = ['erlin', 'lin', 'merlin', 'rlin']
  expect(await endingsOf(db, 'merlin')).toEqual(merlin)
  expect(await cleanUp(server)).toBe(1)
  expect(await endingsOf(db, 'merlin')).toEqual([])
  expect(await endingsOf(db, 'kestrel')).toHaveLength(5)
  const after = await spellingsIn(db)
  expect(before.filter((each) => !after.includes(each)).map((each) => each.split(' ')[1])).toEqual(
    before.filter((each) => each.endsWith(' merlin')).map(() => 'merlin'),
  )
  expect(await booksFor(db, 'kestrle')).toEqual([kept])
  expect(await booksFor(db, 'merln')).toEqual([])

  await db.write(async (db) => {
    await db.updateTable('book').set({ title: 'Merlin', title_text: 'merlin' }).where('id', '=', gone).execute()
    await indexDocuments(db, 'book', [gone])
  })
  expect(await booksFor(db, 'merln')).toEqual([gone])
  expect(await endingsOf(db, 'merlin')).toEqual(merlin)
})

testOn(
  'postgres',
  'CAT-5 W1 a word that somebody is about to use is left alone: the clean-up does not wait for them',
  async () => {
    await using server = await startServer()
    const { db } = server.context
    await using _ = workOn(server, [cleanUpSearchWords])
    await db.write((db) => db.insertInto('search_word').values({ spelling: 'marten', word: 'marten' }).execute())
    const [taken, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const using = db.write(async (db) => {
      await dialectOf(db).turns.inCompany(db)
      taken.resolve()
      await over.promise
    })
    await taken.promise
    expect(await cleanUp(server)).toBe(0)
    over.resolve()
    await using
    expect(await spellingsIn(db)).toEqual(['marten marten'])
    expect(await cleanUp(server)).toBe(1)
  },
)
