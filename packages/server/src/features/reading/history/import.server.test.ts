import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import type { Database } from '../../../database/database.ts'
import { readViewer } from '../../viewers/viewers.ts'
import { importHistory } from '../tasks.ts'
import { takeInHistory } from './import.ts'

const send = async (server: TestServer, person: Person, entries: readonly object[]) => {
  const response = await fetch(`${server.url}/api/v1/user/reading-history`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(entries),
  })
  return { status: response.status, answer: (await response.json()) as api.ReadingImport }
}

/** So many that a task takes them in. */
const many = Array.from({ length: 1500 }, (_, index) => ({
  title: 'Nothing here is called so',
  date: new Date(Date.parse('2018-01-01T10:00:00Z') + index * 3_600_000).toISOString(),
  page: 1,
  deviceName: 'A name that makes it long enough to be a large one',
}))

test('READ-3 after an import of a history that has failed or was cancelled the next one begins at once', async () => {
  await using server = await startServer()
  const [reader, admin] = [await server.person('reader'), await server.person('admin')]
  const cancelled = await send(server, reader, many)
  expect(cancelled.status).toBe(202)
  expect((await send(server, reader, many)).status).toBe(409)
  bodyOf(await admin.call(api.cancelTask, { params: { id: cancelled.answer.taskId ?? '' } }))

  const failed = await send(server, reader, many)
  expect(failed.status).toBe(202)
  const failing: typeof importHistory = {
    ...importHistory,
    backOffMs: () => 0,
    run: () => Promise.reject(new Error('It breaks')),
  }
  await using _ = workOn(server, [failing])
  const params = { id: failed.answer.taskId ?? '' }
  await expect.poll(async () => bodyOf(await admin.call(api.readTask, { params })).status).toBe('failed')
  expect((await send(server, reader, many)).status).toBe(202)
})

test('READ-3 a small history that could not be taken in holds up no other', async () => {
  await using server = await startServer()
  const reader = await server.person('reader')
  const { db, clock } = server.context
  let writes = 0
  const broken: Database = {
    ...db,
    write: (work) => {
      writes += 1
      return writes === 2 ? Promise.reject(new Error('It breaks')) : db.write(work)
    },
  }
  const viewer = await readViewer(db.read, reader.id, false)
  const few = many.slice(0, 3)
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(few)))
  await expect(takeInHistory(broken, { viewer, now: clock() }, bytes)).rejects.toThrow('It breaks')
  expect((await send(server, reader, few)).status).toBe(202)
})

test('READ-3 a history is matched by its paths however many roots there are', async () => {
  await using server = await startServer()
  const { db } = server.context
  const libraries = []
  for (let number = 0; number < 80; number += 1)
    libraries.push(await addLibrary(db, { name: `Library ${number}`, path: `/data/${number}` }))
  const [last] = libraries.slice(-1)
  if (!last) throw new Error('There is no library')
  const series = await addSeries(db, last, { title: 'Deep', path: 'a/b/c/d/e' })
  const [id = ''] = await addBooks(db, series, [{ title: 'Found', fileName: 'found.cbz' }])
  const file = await db.read.selectFrom('file').select(['folder', 'name']).where('book_id', '=', id).executeTakeFirst()
  const entries = Array.from({ length: 25 }, (_, index) => ({
    path: index === 0 ? `/theirs/${file?.folder}${file?.name}` : `/1/2/3/4/5/6/7/${index}.cbz`,
    date: '2020-01-01',
    page: 3,
  }))
  const { status, answer } = await send(server, await server.person('reader'), entries)
  expect([status, answer.matchedBy, answer.added]).toEqual([202, { hash: 0, path: 1, title: 0 }, 1])
})
