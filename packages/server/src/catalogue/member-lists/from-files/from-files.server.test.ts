import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../../../../test/books/metadata.ts'
import { deadlineMs } from '../../../../test/deadline.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow, scanTasks } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { readListsAgain } from '../../../features/scan/read-again/read-lists-again.ts'
import { refresh } from '../../shown/shown.ts'
import { followFiles } from '../member-lists.ts'

let server: TestServer
let editor: Person
let admin: Person
beforeAll(async () => {
  server = await startServer()
  editor = await server.person('editor')
  admin = await server.person('admin')
})
afterAll(() => server[Symbol.asyncDispose]())

type Fields = Readonly<Record<string, string | number>>
let seed = 700
const tagged = (fields: Fields | null) => {
  seed += 1
  return comic({ seed, comicInfo: fields === null ? false : comicInfoXml(fields) })
}

/** The worker follows what is to be followed, and nothing is left to do. It returns the result of the last run. */
const followed = async (): Promise<unknown> => {
  const { db } = server.context
  await using _ = workOn(server, [followFiles, readListsAgain, ...scanTasks], { settleMs: 20 })
  const isIdle = async () => {
    const live = db.read.selectFrom('task').select('id').where('status', 'in', ['pending', 'processing'])
    const types = [followFiles, readListsAgain, ...scanTasks].map(({ type }) => type)
    return (await live.where('type', 'in', types).execute()).length === 0
  }
  await expect.poll(isIdle, { timeout: deadlineMs }).toBe(true)
  const last = db.read.selectFrom('task').select('result').where('type', '=', followFiles.type)
  const row = await last.orderBy('completed_at', 'desc').limit(1).executeTakeFirst()
  return JSON.parse(row?.result ?? 'null')
}

const makeLists = async (libraryId: string, listsFromFiles = true): Promise<unknown> => {
  bodyOf(await admin.call(api.updateLibrary, { params: { id: libraryId }, body: { listsFromFiles } }))
  return followed()
}

const readListNamed = async (name: string, person = editor) =>
  bodyOf(await person.call(api.listReadLists, { query: { pageSize: 500 } })).data.find((list) => list.name === name)
const collectionNamed = async (name: string, person = editor) =>
  bodyOf(await person.call(api.listCollections, { query: { pageSize: 500 } })).data.find((list) => list.name === name)
const booksIn = async (name: string, person = editor) => {
  const id = (await readListNamed(name, person))?.id ?? ''
  const { data } = bodyOf(await person.call(api.listBooksOfReadList, { params: { id }, query: {} }))
  return data.map(({ seriesName, number }) => `${seriesName} ${number}`)
}
const seriesIn = async (name: string, person = editor) => {
  const id = (await collectionNamed(name, person))?.id ?? ''
  const { data } = bodyOf(await person.call(api.listSeriesOfCollection, { params: { id }, query: {} }))
  return data.map(({ title }) => title)
}

test('C20 CAT-8 arcs with numbers become read lists and groups collections, across libraries that say so', async () => {
  await using one = await libraryFolder()
  await using two = await libraryFolder()
  const arcs = (StoryArc: string, StoryArcNumber = '') => ({
    StoryArc,
    ...(StoryArcNumber !== '' && { StoryArcNumber }),
  })
  await one.write(
    'Orion/Orion 1.cbz',
    tagged({ Number: 1, ...arcs('Eclipse, Homecoming', '10,1'), SeriesGroup: 'Sky' }),
  )
  await one.write('Orion/Orion 2.cbz', tagged({ Number: 2, ...arcs(' eclipse', '2'), AgeRating: 'Mature 17+' }))
  await one.write('Orion/Orion 3.cbz', tagged({ Number: 3, ...arcs('Eclipse') }))
  await one.write('Lyra/Lyra 1.cbz', tagged({ Number: 1, ...arcs('Unnumbered'), SeriesGroup: 'Sky, Music' }))
  await two.write('Argo/Argo 7.cbz', tagged({ Number: 7, ...arcs('Eclipse', '9'), SeriesGroup: 'sky' }))
  await two.write('Argo/Argo 8.cbz', tagged({ Number: 8, ...arcs('Eclipse', '2') }))
  const first = await addLibraryOn(server, { roots: [one.path], name: 'First' })
  const second = await addLibraryOn(server, { roots: [two.path], name: 'Second' })
  await scanNow(server, first)
  await scanNow(server, second)
  await followed()
  expect(await readListNamed('Eclipse')).toBeUndefined()

  expect(await makeLists(first)).toMatchObject({ made: 4 })
  expect(await booksIn('Eclipse')).toEqual(['Orion 2', 'Orion 1', 'Orion 3'])
  expect(await makeLists(second)).toMatchObject({ changed: 2 })
  expect(await booksIn('Eclipse')).toEqual(['Argo 8', 'Orion 2', 'Argo 7', 'Orion 1', 'Orion 3'])
  expect(await booksIn('Homecoming')).toEqual(['Orion 1'])
  expect(await readListNamed('Unnumbered')).toBeUndefined()
  expect(await seriesIn('Sky')).toEqual(['Argo', 'Lyra', 'Orion'])
  expect(await seriesIn('Music')).toEqual(['Lyra'])
  expect(await readListNamed('Eclipse')).toMatchObject({ fromFiles: true, followsFiles: true, ordered: true })
  expect(await collectionNamed('Sky')).toMatchObject({ fromFiles: true, followsFiles: true, ordered: false })

  // Each reader finds what they may see, and no list in which they see nothing.
  const access = { libraries: [second], includeUnrated: true }
  const guest = await server.person('reader', { access })
  expect(await booksIn('Eclipse', guest)).toEqual(['Argo 8', 'Argo 7'])
  expect(await readListNamed('Homecoming', guest)).toBeUndefined()
  expect(await collectionNamed('Music', guest)).toBeUndefined()
  const young = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  expect(await booksIn('Eclipse', young)).not.toContain('Orion 2')

  // Without one of the libraries the rest stays; without both there is nothing, whatever the files say meanwhile.
  await makeLists(second, false)
  expect(await booksIn('Eclipse')).toEqual(['Orion 2', 'Orion 1', 'Orion 3'])
  bodyOf(await admin.call(api.updateLibrary, { params: { id: first }, body: { listsFromFiles: false } }))
  await one.write('Orion/Orion 1.cbz', tagged({ Number: 1 }))
  await scanNow(server, first)
  expect(await followed()).toMatchObject({ removed: 4 })
  expect(await readListNamed('Eclipse')).toBeUndefined()
  expect(await collectionNamed('Sky')).toBeUndefined()
})

test('C20 lists follow books that are tagged otherwise, go, return and are put into other series', async () => {
  await using folder = await libraryFolder()
  const issue = (series: string, number: number, fields: Fields | null) =>
    folder.write(`${series}/${series} ${number}.cbz`, tagged(fields && { Number: number, ...fields }))
  await issue('Delta', 1, { StoryArc: 'Flood', StoryArcNumber: 1, SeriesGroup: 'Rivers' })
  await issue('Delta', 2, { StoryArc: 'Flood', StoryArcNumber: 2 })
  await issue('Ebro', 1, { StoryArc: 'Flood', StoryArcNumber: 3 })
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Followed' })
  await makeLists(libraryId)
  await scanNow(server, libraryId)
  await followed()
  expect(await booksIn('Flood')).toEqual(['Delta 1', 'Delta 2', 'Ebro 1'])
  const { id } = (await readListNamed('Flood')) ?? { id: '' }

  await issue('Ebro', 1, { StoryArc: 'Flood', StoryArcNumber: 0, SeriesGroup: 'Rivers' })
  await issue('Delta', 2, { StoryArc: 'Drought', StoryArcNumber: 1 })
  await scanNow(server, libraryId)
  expect(await followed()).toMatchObject({ made: 1, changed: 2 })
  expect(await booksIn('Flood')).toEqual(['Ebro 1', 'Delta 1'])
  expect(await seriesIn('Rivers')).toEqual(['Delta', 'Ebro'])

  // What is away for a while is in nobody's sight, and is back at its place.
  await rm(join(folder.path, 'Ebro/Ebro 1.cbz'))
  await scanNow(server, libraryId)
  await followed()
  expect(await booksIn('Flood')).toEqual(['Delta 1'])
  await issue('Ebro', 1, { StoryArc: 'Flood', StoryArcNumber: 0, SeriesGroup: 'Rivers' })
  await scanNow(server, libraryId)
  await followed()
  expect(await booksIn('Flood')).toEqual(['Ebro 1', 'Delta 1'])
  expect((await readListNamed('Flood'))?.id).toBe(id)

  const books = await booksOf(server, libraryId)
  const [book] = [...books.values()].filter(({ name }) => name === 'Delta 1.cbz')
  const params = { id: book?.series_id ?? '' }
  bodyOf(await editor.call(api.splitSeries, { params, body: { bookIds: [book?.id ?? ''], title: 'Amazon' } }))
  await followed()
  expect(await seriesIn('Rivers')).toEqual(['Amazon', 'Ebro'])

  // An arc that only the last book names goes with it.
  await issue('Delta', 2, null)
  await scanNow(server, libraryId)
  expect(await followed()).toMatchObject({ removed: 1 })
  expect(await readListNamed('Drought')).toBeUndefined()

  // A library that is deleted names nothing.
  bodyOf(await admin.call(api.deleteLibrary, { params: { id: libraryId }, query: {} }))
  await followed()
  const rows = await server.context.db.read.selectFrom('read_list').select('id').where('id', '=', id).execute()
  expect(rows).toEqual([])
})

test('C20 what people change of such a list stays as they left it, until they let it follow again', async () => {
  await using folder = await libraryFolder()
  for (const number of [1, 2, 3])
    await folder.write(
      `Gale/Gale ${number}.cbz`,
      tagged({
        Number: number,
        StoryArc: `Storm, Calm ${number}, Wind`,
        StoryArcNumber: `${number},${number},${4 - number}`,
      }),
    )
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Changed' })
  await makeLists(libraryId)
  await scanNow(server, libraryId)
  await followed()
  const paramsOf = async (name: string) => ({ id: (await readListNamed(name))?.id ?? '' })
  const storm = await paramsOf('Storm')
  const change = (params: { id: string }, body: api.ReadListPatch) => editor.call(api.updateReadList, { params, body })

  // Whoever saves what is there already changes nothing.
  const same = { name: 'Storm', summary: null, ordered: true }
  expect(bodyOf(await change(storm, same))).toMatchObject({ followsFiles: true })
  const [first = ''] = [...(await booksOf(server, libraryId)).values()].map(({ id }) => id)
  bodyOf(await editor.call(api.removeFromReadList, { params: { ...storm, bookId: first } }))
  expect(await readListNamed('Storm')).toMatchObject({ fromFiles: true, followsFiles: false, bookCount: 2 })
  expect(bodyOf(await change(await paramsOf('Wind'), { name: 'Weather' }))).toMatchObject({ followsFiles: false })
  bodyOf(await editor.call(api.deleteReadList, { params: await paramsOf('Calm 1') }))
  await folder.write('Gale/Gale 4.cbz', tagged({ Number: 4, StoryArc: 'Storm, Calm 1, Wind', StoryArcNumber: '4,4,0' }))
  await scanNow(server, libraryId)
  await followed()
  expect(await booksIn('Storm')).toEqual(['Gale 2', 'Gale 3'])
  expect(await booksIn('Weather')).toEqual(['Gale 3', 'Gale 2', 'Gale 1'])
  expect(await readListNamed('Wind')).toBeUndefined()
  expect(await readListNamed('Calm 1')).toBeUndefined()

  expect(errorOf(await change(storm, { followsFiles: true, name: 'Gust' })).error).toBe('validation_failed')
  const own = bodyOf(await editor.call(api.createReadList, { body: { name: 'Made by hand' } }))
  expect(errorOf(await change({ id: own.id }, { followsFiles: true })).error).toBe('validation_failed')
  expect(bodyOf(await change(storm, { followsFiles: true }))).toMatchObject({ followsFiles: true })
  bodyOf(await change(await paramsOf('Weather'), { followsFiles: true }))
  await followed()
  expect(await booksIn('Storm')).toEqual(['Gale 1', 'Gale 2', 'Gale 3', 'Gale 4'])
  expect(await booksIn('Wind')).toEqual(['Gale 4', 'Gale 3', 'Gale 2', 'Gale 1'])

  const changed = bodyOf(await change(storm, { followsFiles: false }))
  expect(changed).toMatchObject({ fromFiles: true, followsFiles: false, bookCount: 4 })
  bodyOf(await change(storm, { followsFiles: true }))
  await followed()

  // Off and on again: what people have changed is theirs, and what they have deleted is wanted again.
  bodyOf(await change(await paramsOf('Wind'), { summary: 'Mine' }))
  await makeLists(libraryId, false)
  expect(await readListNamed('Storm')).toBeUndefined()
  expect(await readListNamed('Wind')).toMatchObject({ fromFiles: true, followsFiles: false, bookCount: 4 })
  expect(errorOf(await change(await paramsOf('Wind'), { followsFiles: true })).error).toBe('conflict')
  await makeLists(libraryId)
  expect(await booksIn('Storm')).toEqual(['Gale 1', 'Gale 2', 'Gale 3', 'Gale 4'])
  expect(await booksIn('Calm 1')).toEqual(['Gale 1', 'Gale 4'])
  expect(await readListNamed('Wind')).toMatchObject({ summary: 'Mine', followsFiles: false })
  await makeLists(libraryId, false)
})

test('C20 a list from files that was deleted is had again, and follows them', async () => {
  await using folder = await libraryFolder()
  await folder.write('Tide/1.cbz', tagged({ Series: 'Tide', Number: 1, StoryArc: 'High Water', StoryArcNumber: 1 }))
  await folder.write('Tide/2.cbz', tagged({ Series: 'Tide', Number: 2 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  await makeLists(libraryId)
  const list = await readListNamed('High Water')
  bodyOf(await editor.call(api.deleteReadList, { params: { id: list?.id ?? '' } }))
  await followed()
  expect(await readListNamed('High Water')).toBeUndefined()

  const body = { name: 'High Water', followsFiles: true }
  const refused = await editor.call(api.createReadList, { body: { ...body, summary: 'Mine' } })
  const unknown = await editor.call(api.createReadList, { body: { ...body, name: 'Low Water' } })
  const again = bodyOf(await editor.call(api.createReadList, { body }))
  await folder.write('Tide/3.cbz', tagged({ Series: 'Tide', Number: 3, StoryArc: 'High Water', StoryArcNumber: 2 }))
  await scanNow(server, libraryId)
  await followed()

  expect([errorOf(refused).error, errorOf(unknown).error]).toEqual(['validation_failed', 'conflict'])
  expect(again).toMatchObject({ fromFiles: true, followsFiles: true })
  expect(await booksIn('High Water')).toEqual(['Tide 1', 'Tide 3'])
  expect(await readListNamed('High Water')).toMatchObject({ id: again.id, followsFiles: true })

  // Nobody declines it any more: when files have named it no longer for a while, it comes back by itself.
  for (const number of [1, 3]) await folder.write(`Tide/${number}.cbz`, tagged({ Series: 'Tide', Number: number }))
  await scanNow(server, libraryId)
  await followed()
  expect(await readListNamed('High Water')).toBeUndefined()
  await folder.write('Tide/2.cbz', tagged({ Series: 'Tide', Number: 2, StoryArc: 'High Water', StoryArcNumber: 1 }))
  await scanNow(server, libraryId)
  await followed()
  expect(await booksIn('High Water')).toEqual(['Tide 2'])
})

test('C20 a list that people have made is never touched, and what cannot be made is told', async () => {
  await using folder = await libraryFolder()
  const long = 'Very long '.repeat(25).trim()
  await folder.write('Ibis/Ibis 1.cbz', tagged({ Number: 1, StoryArc: `Nile,${long}`, StoryArcNumber: '1,1' }))
  const own = bodyOf(await editor.call(api.createReadList, { body: { name: 'NILE' } }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Birds' })
  await makeLists(libraryId)
  await scanNow(server, libraryId)
  expect(await followed()).toEqual({
    made: 0,
    changed: 0,
    removed: 0,
    nameTaken: 1,
    nameTooLong: 1,
    overfull: 0,
  })
  const params = { id: own.id }
  expect(bodyOf(await editor.call(api.readReadList, { params }))).toMatchObject({ bookCount: 0, fromFiles: false })

  // Once its name is free the list of the files is made.
  bodyOf(await editor.call(api.updateReadList, { params, body: { name: 'The Nile' } }))
  await followed()
  expect(await booksIn('Nile')).toEqual(['Ibis 1'])
  expect(bodyOf(await editor.call(api.readReadList, { params }))).toMatchObject({ name: 'The Nile', bookCount: 0 })
})

test('C20 books whose files name no list leave the worker nothing to follow, and those read before are read again', async () => {
  await using folder = await libraryFolder()
  await folder.write('Plain/Plain 1.cbz', tagged({ Number: 1 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Plain' })
  const { db } = server.context
  const tasks = async () =>
    (await db.read.selectFrom('task').select('id').where('type', '=', followFiles.type).execute()).length
  const before = await tasks()
  await scanNow(server, libraryId)
  expect(await tasks()).toBe(before)

  // An older server has read it so.
  await folder.write('Plain/Plain 2.cbz', tagged({ Number: 2, StoryArc: 'Level', StoryArcNumber: 1 }))
  await scanNow(server, libraryId)
  await db.write(async (db) => {
    const layers = await db.selectFrom('metadata_layer').selectAll().where('source', '=', 'file:comicinfo').execute()
    const [layer] = layers.filter(({ fields }) => fields.includes('"Level"'))
    const fields = layer?.fields.replace(/,"storyArcs":\[.*?\]/, '') ?? ''
    const at = '2020-01-01T00:00:00.000Z'
    const bookId = layer?.entity_id ?? ''
    await db.updateTable('metadata_layer').set({ fields, at }).where('entity_id', '=', bookId).execute()
    await refresh(db, { books: [bookId] }, server.context.clock())
    await db.updateTable('library').set({ lists_unread: 1 }).where('id', '=', libraryId).execute()
  })
  await makeLists(libraryId)
  expect(await booksIn('Level')).toEqual(['Plain 2'])
})
