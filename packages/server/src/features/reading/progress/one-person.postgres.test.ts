import * as api from '@carrel/api'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer } from '../../../../test/start-server.ts'

const turn = ({ call }: Person, id: string, currentPage: number) =>
  call(api.saveProgress, { params: { id }, body: { currentPage } })

test('W1 READ-1 while all that one person saves waits for a lock, other people save, and all of it is there afterwards', async () => {
  await using server = await startServer()
  const { db, config } = server.context
  const pages = Array.from({ length: 40 }, () => ({ page_count: 200 }))
  const bookIds = await addBooks(db, await addSeries(db, await addLibrary(db), { title: 'Nemo' }), pages)
  const ana = await server.person('reader')
  const ben = await server.person('reader')
  const other = new Client({ connectionString: config.database.kind === 'postgres' ? config.database.url : '' })
  await other.connect()
  try {
    await other.query('begin')
    await other.query('select 1 from "user" where id = $1 for update', [ana.id])
    const saving = Promise.all(bookIds.map((id, index) => turn(ana, id, 2 + index)))

    // Each would take one of ten connections, and wait with it.
    for (const id of bookIds.slice(0, 5)) expect((await turn(ben, id, 7)).status).toBe(200)

    await other.query('rollback')
    expect((await saving).map(({ status }) => status)).toEqual(bookIds.map(() => 200))
  } finally {
    await other.end()
  }
  const read = bodyOf(await ana.call(api.listProgress, { query: { pageSize: 100 } }))
  const pageOf = new Map(read.data.map(({ bookId, currentPage }) => [bookId, currentPage]))
  expect(bookIds.map((id) => pageOf.get(id))).toEqual(bookIds.map((_, index) => 2 + index))
})
