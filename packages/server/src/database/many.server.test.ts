import { expect, test } from 'vitest'
import { startServer } from '../../test/start-server.ts'
import { insertMany, updateMany } from './many.ts'

const secret = (index: number, value: string) => ({ name: `name ${index}`, value })

test('W1 many rows are written at once, changed each to its own values, and written over', async () => {
  await using server = await startServer()
  const { db } = server.context
  const indexes = [...Array(5000).keys()]
  await db.write((db) =>
    insertMany(
      db,
      'secret',
      indexes.map((index) => secret(index, 'first')),
    ),
  )
  await db.write((db) => insertMany(db, 'secret', [secret(7, 'second')], 'is left as it is'))
  await db.write((db) =>
    insertMany(db, 'secret', [secret(8, 'third'), secret(5000, 'new')], { keys: ['name'], sets: ['value'] }),
  )
  const tags = indexes.slice(0, 300).map((index) => ({ id: `tag ${index}`, name: `Tag ${index}` }))
  await db.write(async (db) => {
    const row = { name_key: '', sort_key: '', name_text: '', description: null, created_at: '', updated_at: '' }
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

  const rows = await db.read.selectFrom('secret').selectAll().execute()
  expect(rows).toHaveLength(5001)
  const textOf = (key: string) => rows.find(({ name }) => name === key)?.value
  expect([textOf('name 7'), textOf('name 8'), textOf('name 5000'), textOf('name 9')]).toEqual([
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
  const rows = [secret(1, 'one'), secret(2, 'two'), secret(1, 'again')]
  await expect(db.write((db) => insertMany(db, 'secret', rows))).rejects.toThrow(/unique/i)
  expect(await db.read.selectFrom('secret').select('name').execute()).toEqual([])
})

test('W1 many rows are written at once with bytes, halves of characters, and whatever text and figures hold', async () => {
  await using server = await startServer()
  const { db } = server.context
  const texts = ['plain', '\\ud800', '"quoted" \\n', '\ud83d half', '👩‍🚀', '']
  await db.write((db) =>
    insertMany(
      db,
      'secret',
      texts.map((value, index) => secret(index, value)),
    ),
  )
  const rows = await db.read
    .selectFrom('secret')
    .select('value')
    .where('name', 'like', 'name %')
    .orderBy('name')
    .execute()
  expect(rows.map(({ value }) => value.toWellFormed())).toEqual(texts.map((text) => text.toWellFormed()))
})
