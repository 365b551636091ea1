import { expect, test } from 'vitest'
import { startServer } from '../../test/start-server.ts'
import { insertMany, updateMany } from './many.ts'

const page = (index: number, pages: string) => ({ book_id: `book ${index}`, pages: Buffer.from(pages) })

test('W1 many rows are written at once, changed each to its own values, and written over', async () => {
  await using server = await startServer()
  const { db } = server.context
  const indexes = [...Array(5000).keys()]
  await db.write((db) =>
    insertMany(
      db,
      'page_index',
      indexes.map((index) => page(index, 'first')),
    ),
  )
  await db.write((db) => insertMany(db, 'page_index', [page(7, 'second')], 'is left as it is'))
  await db.write((db) =>
    insertMany(db, 'page_index', [page(8, 'third'), page(5000, 'new')], { keys: ['book_id'], sets: ['pages'] }),
  )
  const tags = indexes.slice(0, 300).map((index) => ({ id: `tag ${index}`, name: `Tag ${index}` }))
  await db.write(async (db) => {
    const row = { name_key: '', sort_key: '', description: null, created_at: '', updated_at: '' }
    await insertMany(
      db,
      'sharing_tag',
      tags.map((tag) => ({ ...row, ...tag, name_key: tag.id })),
    )
    const renamed = tags.map(({ id, name }) => ({
      id,
      name: `${name}, renamed`,
      description: id === 'tag 3' ? null : `of ${id}`,
    }))
    await updateMany(
      db,
      'sharing_tag',
      { keys: { id: 'text' }, columns: { name: 'text', description: 'text' } },
      renamed,
    )
  })

  const rows = await db.read.selectFrom('page_index').selectAll().execute()
  expect(rows).toHaveLength(5001)
  const textOf = (id: string) => Buffer.from(rows.find(({ book_id }) => book_id === id)?.pages ?? []).toString()
  expect([textOf('book 7'), textOf('book 8'), textOf('book 5000'), textOf('book 9')]).toEqual([
    'first',
    'third',
    'new',
    'first',
  ])
  const seen = await db.read.selectFrom('sharing_tag').select(['id', 'name', 'description']).execute()
  expect(seen).toHaveLength(300)
  expect(seen.find(({ id }) => id === 'tag 3')).toEqual({ id: 'tag 3', name: 'Tag 3, renamed', description: null })
  expect(seen.find(({ id }) => id === 'tag 299')).toEqual({
    id: 'tag 299',
    name: 'Tag 299, renamed',
    description: 'of tag 299',
  })
})

test('W1 of many rows that cannot all be written none is', async () => {
  await using server = await startServer()
  const { db } = server.context
  const rows = [page(1, 'one'), page(2, 'two'), page(1, 'again')]
  await expect(db.write((db) => insertMany(db, 'page_index', rows))).rejects.toThrow(/unique/i)
  expect(await db.read.selectFrom('page_index').select('book_id').execute()).toEqual([])
})
