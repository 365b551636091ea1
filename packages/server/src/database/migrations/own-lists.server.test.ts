import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { addLibrary, addManySeries } from '../../../test/content.ts'
import { startServer } from '../../../test/start-server.ts'
import { nameSeries } from './010-own-lists.ts'

test('CAT-8 W16 series that were there before go by their names too', async () => {
  await using server = await startServer()
  const { db } = server.context
  const titles = Array.from({ length: 1001 }, (_, index) => ({ title: `Series ${index}`, name: `Folder ${index}` }))
  const alternateTitles = [{ label: 'ja', title: 'ナルト' }]
  const named = { title: 'Naruto', name: 'naruto', metadata: JSON.stringify({ alternateTitles }) }
  const added = await addManySeries(db, await addLibrary(db), [named, ...titles])
  await db.write((db) => db.deleteFrom('series_name').execute())

  await db.write((db) => nameSeries(db as unknown as Kysely<unknown>))

  const rows = await db.read.selectFrom('series_name').selectAll().execute()
  expect(rows.length).toBe(2 + 2 * titles.length)
  const keys = rows.filter(({ series_id }) => series_id === added[0]?.id).map(({ key }) => key)
  expect(keys.toSorted()).toEqual(['naruto', 'なると'])
})
