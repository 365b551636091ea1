import * as api from '@carrel/api'
import type { CompatCollection, CompatPage, CompatReadList } from '@carrel/api/doors'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, type AddedLibrary, addSeries } from '../../../test/content.ts'
import { doorsOpen } from '../../../test/contract/inputs.ts'
import { second, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { findDuplicates } from '../../features/duplicates/duplicates.ts'

interface Content {
  readonly seriesId: string
  readonly bookId: string
}

const addContent = async (
  { context: { db } }: TestServer,
  library: AddedLibrary,
  title: string,
  ageRating: number | null = null,
): Promise<Content> => {
  const rated = { own_age_rating: ageRating, age_rating: ageRating }
  const series = await addSeries(db, library, { title, key: crypto.randomUUID(), ...rated })
  const [bookId = ''] = await addBooks(db, series, [{ age_rating: ageRating }])
  return { seriesId: series.id, bookId }
}

/** All that a reader is told of lists: their answers with their tags, in both orders of time, and at the doors. */
const tellingOf = async (server: TestServer, { accessToken, call }: Person) => {
  const get = async (path: string) => {
    const { status, headers, text } = await plainRequest(server.url + path, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    expect(status).toBe(200)
    return { etag: headers['etag'], text }
  }
  const { data: collections } = bodyOf(await call(api.listCollections, { query: { sort: 'updatedAt,desc' } }))
  const { data: readLists } = bodyOf(await call(api.listReadLists, { query: { sort: 'updatedAt,desc' } }))
  const paths = [
    ...collections.map(({ id }) => `/api/v1/collections/${id}`),
    ...readLists.map(({ id }) => `/api/v1/readlists/${id}`),
    ...['collections', 'readlists'].map((each) => `/api/v1/${each}?sort=updatedAt,asc`),
    ...['/opds/v1', '/opds/v2', '/komga/api/v1'].flatMap((door) => [`${door}/collections`, `${door}/readlists`]),
  ]
  const answers: unknown[] = [collections, readLists]
  for (const path of paths) answers.push([path, await get(path)])
  return answers
}

test('A8 HTTP-3 a list has not changed for whoever does not see what came, left or was moved in it', async () => {
  const { clock, pass } = movableClock()
  await using server = await startServer({ clock, env: doorsOpen })
  const library = await addLibrary(server.context.db)
  const shown = [await addContent(server, library, 'Alpha'), await addContent(server, library, 'Beta')] as const
  const hidden = await addContent(server, library, 'Gamma', 18)
  const editor = await server.person('editor')
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const collections: string[] = []
  const readLists: string[] = []
  for (const name of ['First', 'Second']) {
    collections.push(bodyOf(await editor.call(api.createCollection, { body: { name, ordered: true } })).id)
    readLists.push(bodyOf(await editor.call(api.createReadList, { body: { name } })).id)
    pass(second)
  }
  const [collection = '', otherCollection = ''] = collections
  const [readList = '', otherReadList = ''] = readLists
  const put = async (added: Content, lists: readonly [string, string] = [collection, readList]) => {
    const [inCollection, inReadList] = lists.map((id) => ({ id }))
    if (!inCollection || !inReadList) return
    bodyOf(await editor.call(api.addToCollection, { params: inCollection, body: { seriesIds: [added.seriesId] } }))
    bodyOf(await editor.call(api.addToReadList, { params: inReadList, body: { bookIds: [added.bookId] } }))
  }
  const take = async ({ seriesId, bookId }: Content) => {
    bodyOf(await editor.call(api.removeFromCollection, { params: { id: collection, seriesId } }))
    bodyOf(await editor.call(api.removeFromReadList, { params: { id: readList, bookId } }))
  }
  const order = async (all: readonly Content[]) => {
    const seriesIds = all.map(({ seriesId }) => seriesId)
    bodyOf(await editor.call(api.orderCollection, { params: { id: collection }, body: { seriesIds } }))
    const bookIds = all.map(({ bookId }) => bookId)
    bodyOf(await editor.call(api.orderReadList, { params: { id: readList }, body: { bookIds } }))
  }
  const move = async ({ seriesId, bookId }: Content, position: number) => {
    bodyOf(await editor.call(api.moveInCollection, { params: { id: collection, seriesId }, body: { position } }))
    bodyOf(await editor.call(api.moveInReadList, { params: { id: readList, bookId }, body: { position } }))
  }
  for (const each of shown) await put(each)
  await put(shown[0], [otherCollection, otherReadList])
  pass(second)
  await put(shown[1], [otherCollection, otherReadList])

  const before = await tellingOf(server, child)
  const changes = [
    () => put(hidden),
    () => put(shown[0]),
    () => order([shown[0], hidden, shown[1]]),
    () => move(hidden, 1),
    () => take(hidden),
  ]
  for (const change of changes) {
    pass(second)
    await change()
    expect(await tellingOf(server, child)).toEqual(before)
  }
  const updated = async (person: Person) => [
    bodyOf(await person.call(api.readCollection, { params: { id: collection } })).updatedAt,
    bodyOf(await person.call(api.readReadList, { params: { id: readList } })).updatedAt,
  ]
  const now = () => [clock().toISOString(), clock().toISOString()]
  expect(await updated(editor)).toEqual(now())

  // What they see makes a list newer for them, and so does a word about the list itself.
  for (const change of [() => order([shown[1], shown[0]]), () => take(shown[1]), () => put(shown[1])]) {
    pass(second)
    await change()
    expect(await updated(child)).toEqual(now())
  }
  pass(second)
  bodyOf(await editor.call(api.updateCollection, { params: { id: collection }, body: { summary: 'New' } }))
  bodyOf(await editor.call(api.updateReadList, { params: { id: readList }, body: { summary: 'New' } }))
  expect(await updated(child)).toEqual(now())
  const sorted = bodyOf(await child.call(api.listCollections, { query: { sort: 'updatedAt,desc' } })).data
  expect(sorted.map(({ name }) => name)).toEqual(['First', 'Second'])
  const door = async (path: string) =>
    (
      await plainRequest(`${server.url}/komga/api/v1/${path}`, {
        headers: { authorization: `Bearer ${child.accessToken}` },
      })
    ).json as CompatPage<CompatCollection | CompatReadList>
  for (const path of ['collections', 'readlists'])
    expect((await door(path)).content[0]?.lastModifiedDate).toBe(clock().toISOString().replace('.000Z', 'Z'))
})

test('A8 HTTP-3 a group of duplicates has not changed for whoever does not see what came or left', async () => {
  const { clock, pass } = movableClock()
  await using server = await startServer({ clock })
  const { db } = server.context
  const library = await addLibrary(db)
  for (const title of ['Sandman, The', 'The Sandman']) await addContent(server, library, title)
  const editor = await server.person('editor')
  const child = await server.person('editor', { access: { ageCeiling: 12, includeUnrated: true } })
  const find = async () => {
    pass(second)
    const { taskId } = bodyOf(await editor.call(api.findDuplicates, {}))
    await using _ = workOn(server, [findDuplicates])
    const status = async () => bodyOf(await editor.call(api.readTask, { params: { id: taskId } })).status
    await expect.poll(status, { timeout: 20_000 }).toBe('completed')
  }
  const groups = async (person: Person) => bodyOf(await person.call(api.listSeriesDuplicates, {})).duplicates
  await find()
  const before = await groups(child)
  expect(before).toMatchObject([{ duplicateCount: 2, updatedAt: clock().toISOString() }])

  const hidden = await addContent(server, library, 'SANDMAN', 18)
  await find()
  expect(await groups(child)).toEqual(before)
  expect(await groups(editor)).toMatchObject([{ duplicateCount: 3, updatedAt: clock().toISOString() }])
  await db.write((db) => db.updateTable('series').set({ title: 'Other' }).where('id', '=', hidden.seriesId).execute())
  await find()
  expect(await groups(child)).toEqual(before)
  await addContent(server, library, 'Sandman')
  await find()
  expect(await groups(child)).toMatchObject([{ duplicateCount: 3, updatedAt: clock().toISOString() }])
})
