import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReadDb } from '../../src/database/database.ts'
import { fillTexts } from '../../src/database/migrations/011-list-orders.ts'
import { startServer } from '../start-server.ts'
import { buildWorld } from './world.ts'

/** All that conditions compare. */
const textsOf = async (db: ReadDb) => [
  await sql`select id, title_text, title_sort_text, summary_text, publisher_text, language_text, path_text,
    total_volume_count from series order by id`.execute(db),
  await sql`select id, title_text, title_sort_text, summary_text, path_text from book order by id`.execute(db),
  await sql`select id, path_text from library_root order by id`.execute(db),
  await sql`select id, name_text from sharing_tag order by id`.execute(db),
]

test('CAT-4 an upgrade gives what is there already the text that conditions compare', async () => {
  await using server = await startServer()
  const { db } = server.context
  await buildWorld(db, (await server.person('reader')).id)
  await db.write((db) =>
    sql`update series set metadata = '{"totalVolumeCount":7}', total_volume_count = 7 where year = 2003`.execute(db),
  )
  await db.write((db) =>
    sql`update series set total_volume_count = null where year is null or year <> 2003`.execute(db),
  )
  const before = (await textsOf(db.read)).map(({ rows }) => rows)
  expect(before.map(({ length }) => length > 1)).toEqual([true, true, true, true])

  await db.write(async (db) => {
    await sql`update series set title_text = '', title_sort_text = null, summary_text = null, publisher_text = null,
      language_text = null, path_text = null, total_volume_count = null`.execute(db)
    await sql`update book set title_text = '', title_sort_text = null, summary_text = null, path_text = ''`.execute(db)
    await sql`update library_root set path_text = ''`.execute(db)
    await sql`update sharing_tag set name_text = ''`.execute(db)
    await fillTexts(db as unknown as Kysely<unknown>)
  })

  expect((await textsOf(db.read)).map(({ rows }) => rows)).toEqual(before)
})
