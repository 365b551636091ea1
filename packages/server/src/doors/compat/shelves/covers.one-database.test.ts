import * as api from '@carrel/api'
import type { CompatCollection, CompatReadList } from '@carrel/api/doors'
import { afterAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { compatClient } from '../../../../test/doors/compat-client.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { fillShelf } from '../../../../test/shelf.ts'
import { type Person, startServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { cleanUpCovers } from '../../../features/covers/tasks.ts'
import { enqueue } from '../../../tasks/queue.ts'

const server = await startServer({ env: doorsOpen })
const shelf = await fillShelf(server)
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
const admin = await server.person('admin')
const app = compatClient(server, admin)
const keyOf = async (person: Person, permissions: string[] | null = null) =>
  bodyOf(await person.call(api.createApiKey, { body: { name: 'pictures', permissions } })).key
const adminKey = await keyOf(admin)
const ask = (path: string, { key = adminKey, ...init }: RequestInit & { key?: string } = {}) =>
  fetch(`${server.url}/komga/${path}`, { ...init, headers: { 'x-api-key': key, 'content-type': 'image/jpeg' } })
const hidden = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'hidden' } })).id
const dark = await shelf.addSeries({ title: 'Dark', sharingTags: [hidden] })
const books = [
  await shelf.addBook('Blame 1.cbz', { '1.jpg': tinyJpeg(1) }, { number: 1 }),
  await shelf.addBook('Dark 1.cbz', { '1.jpg': tinyJpeg(2) }, { number: 1, series: dark }),
  await shelf.addBook('Blame 2.cbz', { '1.jpg': tinyJpeg(3) }, { number: 2 }),
]
const child = await server.person('reader', { access: { denyTags: [hidden] } })
let made = 0
const newCollection = async (seriesIds: string[]) =>
  (await app.post<CompatCollection>('api/v1/collections', { name: `C ${(made += 1)}`, ordered: true, seriesIds })).body
    .id
const newReadList = async (bookIds: readonly string[]) =>
  (
    await app.post<CompatReadList>('api/v1/readlists', {
      name: `R ${(made += 1)}`,
      summary: '',
      ordered: true,
      bookIds,
    })
  ).body.id
interface Thumbnail {
  readonly id: string
  readonly type: string
  readonly selected: boolean
}

for (const [kind, idName, create] of [
  ['collections', 'collectionId', () => newCollection([shelf.series.id])],
  ['readlists', 'readListId', () => newReadList(books)],
] as const) {
  test(`C10 pictures of ${kind} are added, chosen, shown and deleted`, async () => {
    const id = await create()
    const path = `api/v1/${kind}/${id}`
    const list = async () => (await app.get<Thumbnail[]>(`${path}/thumbnails`)).body
    const shown = async () => Buffer.from(await (await ask(`${path}/thumbnail`)).arrayBuffer())
    const add = async (seed: number, query = '') => {
      const reply = await ask(`${path}/thumbnails${query}`, { method: 'POST', body: new Uint8Array(tinyJpeg(seed)) })
      return { status: reply.status, ...((await reply.json()) as Thumbnail) }
    }
    expect(await list()).toEqual([])
    const first = await shown()
    const one = await add(70)
    expect(one).toMatchObject({ status: 200, type: 'USER_UPLOADED', selected: true, [idName]: id })
    const chosen = await shown()
    expect(chosen.equals(first)).toBe(false)
    const two = await add(71, '?selected=false')
    expect((await list()).map((each) => [each.id, each.selected])).toEqual([
      [one.id, true],
      [two.id, false],
    ])
    expect((await shown()).equals(chosen)).toBe(true)
    const picture = Buffer.from(await (await ask(`${path}/thumbnails/${two.id}`)).arrayBuffer())
    expect((await app.send('PUT', `${path}/thumbnails/${two.id}/selected`)).status).toBe(204)
    expect((await shown()).equals(picture)).toBe(true)
    expect((await app.send('DELETE', `${path}/thumbnails/${two.id}`)).status).toBe(204)
    expect((await shown()).equals(first)).toBe(true)
    expect((await list()).map((each) => [each.id, each.selected])).toEqual([[one.id, false]])
    expect((await app.send('PUT', `${path}/thumbnails/${two.id}/selected`)).status).toBe(404)

    const reader = compatClient(server, await server.person('reader'))
    expect((await reader.get(`${path}/thumbnails`)).status).toBe(200)
    expect((await reader.send('DELETE', `${path}/thumbnails/${one.id}`)).status).toBe(403)
    const text = await ask(`${path}/thumbnails`, { method: 'POST', body: 'no picture at all' })
    expect(text.status).toBe(415)
  })
}

test('C10 a list in which somebody sees nothing shows them no picture of it', async () => {
  for (const path of [
    `api/v1/collections/${await newCollection([dark.id])}`,
    `api/v1/readlists/${await newReadList(books.slice(1, 2))}`,
  ]) {
    const reply = await ask(`${path}/thumbnails`, { method: 'POST', body: new Uint8Array(tinyJpeg(80)) })
    const { id } = (await reply.json()) as Thumbnail
    const key = await keyOf(child)
    for (const each of ['/thumbnails', `/thumbnails/${id}`, '/thumbnail'])
      expect((await ask(path + each, { key })).status).toBe(404)
  }
})

test('C10 the pictures of a list that is gone are cleaned up, those of others stay', async () => {
  const upload = async (id: string) =>
    (await ask(`api/v1/collections/${id}/thumbnails`, { method: 'POST', body: new Uint8Array(tinyJpeg(90)) })).status
  const [gone, stays] = [await newCollection([shelf.series.id]), await newCollection([shelf.series.id])]
  expect([await upload(gone), await upload(stays)]).toEqual([200, 200])
  expect((await app.send('DELETE', `api/v1/collections/${gone}`)).status).toBe(204)
  const { db, clock } = server.context
  const left = async () =>
    new Set((await db.read.selectFrom('cover').select('entity_id').execute()).map(({ entity_id }) => entity_id))
  await using _ = workOn(server, [cleanUpCovers])
  await db.write((db) => enqueue(db, cleanUpCovers, { byHand: true }, { now: clock() }))
  await expect.poll(async () => (await left()).has(gone)).toBe(false)
  expect((await left()).has(stays)).toBe(true)
})

test('C10 a read list is one file, in its order, of what one may see and download', async () => {
  const id = await newReadList([books[2] ?? '', books[1] ?? '', books[0] ?? ''])
  const namesIn = async (key: string) => {
    const reply = await ask(`api/v1/readlists/${id}/file`, { key })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const names = [...bytes.toString('latin1').matchAll(/\d - \w+ \d(?=\/)/g)].map(([name]) => name)
    return [reply.status, reply.headers.get('content-type'), [...new Set(names)]]
  }
  expect(await namesIn(adminKey)).toEqual([200, 'application/zip', ['1 - Blame 2', '2 - Dark 1', '3 - Blame 1']])
  expect(await namesIn(await keyOf(child))).toEqual([200, 'application/zip', ['1 - Blame 2', '2 - Blame 1']])
  expect((await namesIn(await keyOf(child, ['readlists:read'])))[0]).toBe(403)
  const none = await newReadList(books.slice(1, 2))
  expect((await ask(`api/v1/readlists/${none}/file`, { key: await keyOf(child) })).status).toBe(404)
})

test('C10 the covers of all books are made anew by a task', async () => {
  expect((await app.send('PUT', 'api/v1/books/thumbnails?for_bigger_result_only=true')).status).toBe(202)
  const tasks = bodyOf(await admin.call(api.listTasks, { query: { pageSize: 100 } })).data
  expect(tasks.map(({ taskType }) => taskType)).toContain('remake_covers')
  const reader = compatClient(server, await server.person('reader'))
  expect((await reader.send('PUT', 'api/v1/books/thumbnails')).status).toBe(403)
})
