import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { startServer } from '../../../test/start-server.ts'
import { indexDocuments } from './search-index.ts'

test('W16 what a scan finds is taken into the index of SQLite as one piece, whatever order it comes in, and what it reads as one more', async () => {
  await using server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Birds' })
  const titles = Array.from({ length: 60 }, (_, index) => ({ title: `Falcon${'s'.repeat((index * 7) % 11)} ${index}` }))
  const ids = await addBooks(db, series, titles)
  const pieces = async (index: string): Promise<number | undefined> => {
    const count = sql<number>`(select count(distinct segid) from ${sql.table(`${index}_idx`)})`
    const [row] = await db.read.selectNoFrom(count.as('count')).execute()
    return row?.count
  }
  await db.write(async (db) => {
    await db.deleteFrom('book_search').execute()
    for (const index of ['book_search_text', 'book_search_text_words_index'])
      await sql`insert into ${sql.table(index)} (${sql.id(index)}) values ('delete-all')`.execute(db)
  })
  await db.write((db) => indexDocuments(db, 'book', ids))
  const listed = [await pieces('book_search_text'), await pieces('book_search_text_words_index')]
  await db.write(async (db) => {
    await sql`update book set title = substr('Peregrines', 1, length(title) % 9 + 1) || substr(id, 20)`.execute(db)
    await sql`update book set title_text = lower(title)`.execute(db)
    await indexDocuments(db, 'book', ids)
  })

  expect(listed).toEqual([1, 1])
  expect(await pieces('book_search_text')).toBeLessThanOrEqual(2)
  expect(await pieces('book_search_text_words_index')).toBeLessThanOrEqual(2)
})
