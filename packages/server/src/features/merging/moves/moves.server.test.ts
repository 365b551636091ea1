import { rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../../test/books/metadata.ts'
import { comic, libraryFolder, type LibraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

interface World extends AsyncDisposable {
  readonly server: TestServer
  readonly folder: LibraryFolder
  readonly libraryId: string
  readonly editor: Person
  book(path: string): Promise<string>
  series(path: string): Promise<string>
  /** It returns what is in each series with books, by the names of its files. */
  shelves(): Promise<Record<string, string[]>>
}

let seeds = 0

/** Comics at these paths, each with what it says of itself. */
const worldOf = async (
  paths: readonly (string | readonly [path: string, said: Record<string, string>])[],
): Promise<World> => {
  const server = await startServer()
  const folder = await libraryFolder()
  for (const each of paths) {
    const [path, fields] = typeof each === 'string' ? [each, undefined] : each
    await write(folder, path, fields)
  }
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const editor = await server.person('editor')
  const rowAt = async (path: string) => {
    const row = (await booksOf(server, libraryId)).get(path)
    if (!row) throw new Error(`There is no book at ${path}`)
    return row
  }
  return {
    server,
    folder,
    libraryId,
    editor,
    book: async (path) => (await rowAt(path)).id,
    series: async (path) => (await rowAt(path)).series_id,
    shelves: async () => {
      const books = [...(await booksOf(server, libraryId))].filter(([, { state }]) => state === 'present')
      const bySeries = Map.groupBy(books, ([, { series_title }]) => series_title)
      return Object.fromEntries([...bySeries].map(([title, each]) => [title, each.map(([path]) => path).sort()]))
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const write = (folder: LibraryFolder, path: string, fields?: Record<string, string>): Promise<void> => {
  seeds += 1
  return folder.write(
    path,
    comic({ seed: seeds, pages: 1, comicInfo: fields === undefined ? false : comicInfoXml(fields) }),
  )
}

const historyOf = async (person: Person, id: string) =>
  bodyOf(await person.call(api.listSeriesMetadataHistory, { params: { id } })).data

const undo = async (person: Person, historyId: string | null) =>
  bodyOf(await person.call(api.undoHistory, { params: { historyId: historyId ?? '' } }))

const titlesSeen = async (person: Person): Promise<string[]> =>
  bodyOf(await person.call(api.listSeries, {})).data.map(({ title }) => title)

test('C22 some books of a series become one of their own, and stay it until that is taken back', async () => {
  await using world = await worldOf(['Saga/01.cbz', 'Saga/02.cbz', 'Saga/03.cbz'])
  const { editor, server, libraryId } = world
  const id = await world.series('Saga/01.cbz')
  const bookIds = [await world.book('Saga/02.cbz'), await world.book('Saga/03.cbz')]

  const reply = await editor.call(api.splitSeries, { params: { id }, body: { bookIds } })
  expect(reply.status).toBe(201)
  const made = bodyOf(reply)
  expect(made).toMatchObject({ libraryId, title: 'Saga (2)', bookCount: 2, movedBooks: 2, emptied: [] })
  const split = { Saga: ['Saga/01.cbz'], 'Saga (2)': ['Saga/02.cbz', 'Saga/03.cbz'] }
  expect(await world.shelves()).toEqual(split)
  await scanNow(server, libraryId, 'full')
  expect(await world.shelves()).toEqual(split)
  expect((await historyOf(editor, id)).map(({ reason }) => reason)).toEqual(['split'])
  expect((await historyOf(editor, made.id)).map(({ reason }) => reason)).toContain('split')

  expect(await undo(editor, made.historyId)).toMatchObject({ entity: 'series', id: made.id, conflicts: [] })
  expect(await world.shelves()).toEqual({ Saga: ['Saga/01.cbz', 'Saga/02.cbz', 'Saga/03.cbz'] })
  expect((await editor.call(api.undoHistory, { params: { historyId: made.historyId ?? '' } })).status).toBe(409)
  await scanNow(server, libraryId, 'full')
  expect(await world.shelves()).toEqual({ Saga: ['Saga/01.cbz', 'Saga/02.cbz', 'Saga/03.cbz'] })
  expect(bodyOf(await editor.call(api.listGroupingOverrides, { params: { id: libraryId } })).total).toBe(0)

  // What took it back can be taken back, from the history of the other series and by the older address.
  const [undone, first] = await historyOf(editor, id)
  expect([undone?.reason, first?.undoneBy]).toEqual(['undo', undone?.id])
  bodyOf(await editor.call(api.undoSeriesMetadata, { params: { id }, body: { historyId: undone?.id ?? '' } }))
  expect(await world.shelves()).toEqual(split)
  await scanNow(server, libraryId, 'full')
  expect(await world.shelves()).toEqual(split)
})

test('C22 a title that is given counts, and without one what the books say of themselves', async () => {
  await using world = await worldOf([
    'Heap/1.cbz',
    ['Heap/2.cbz', { Series: 'Monster' }],
    ['Heap/3.cbz', { Series: 'Pluto' }],
  ])
  const { editor, server, libraryId } = world
  const id = await world.series('Heap/1.cbz')
  const split = async (path: string, title?: string) =>
    bodyOf(
      await editor.call(api.splitSeries, {
        params: { id },
        body: { bookIds: [await world.book(path)], ...(title !== undefined && { title }) },
      }),
    )

  expect((await split('Heap/2.cbz')).title).toBe('Monster')
  const { id: given, title } = await split('Heap/3.cbz', 'Pluto, all of it')
  expect(title).toBe('Pluto, all of it')
  await scanNow(server, libraryId, 'full')
  expect(Object.keys(await world.shelves()).sort()).toEqual(['Heap', 'Monster', 'Pluto, all of it'])
  bodyOf(await editor.call(api.editSeries, { params: { id: given }, body: { title: 'Renamed' } }))
  await scanNow(server, libraryId, 'full')
  expect((await world.shelves())['Renamed']).toEqual(['Heap/3.cbz'])
})

test('C22 books go into another series or a new one, and an emptied one is missing with all that is said of it', async () => {
  await using world = await worldOf(['A/01.cbz', 'A/02.cbz', 'B/01.cbz', 'C/01.cbz'])
  const { editor, server, libraryId } = world
  const [a, b] = [await world.series('A/01.cbz'), await world.series('B/01.cbz')]
  const bookIds = [await world.book('A/01.cbz'), await world.book('A/02.cbz')]
  bodyOf(await editor.call(api.editSeriesMetadata, { params: { id: a }, body: { summary: 'Kept' } }))

  const moved = bodyOf(await editor.call(api.moveBooks, { body: { bookIds, seriesId: b } }))
  expect(moved).toMatchObject({ id: b, title: 'B', bookCount: 3, movedBooks: 2, emptied: [{ id: a, title: 'A' }] })
  expect(await titlesSeen(editor)).toEqual(['B', 'C'])
  await scanNow(server, libraryId, 'full')
  expect(await world.shelves()).toEqual({ B: ['A/01.cbz', 'A/02.cbz', 'B/01.cbz'], C: ['C/01.cbz'] })
  expect(bodyOf(await editor.call(api.readSeriesMetadata, { params: { id: a } })).summary).toBe('Kept')

  // A new book in the old folder is of the old series, which is there again.
  await write(world.folder, 'A/03.cbz')
  await scanNow(server, libraryId)
  expect((await world.shelves())['A']).toEqual(['A/03.cbz'])

  const fresh = await editor.call(api.moveBooks, {
    body: { bookIds: [await world.book('C/01.cbz'), bookIds[0] ?? ''], newSeries: { title: 'Together', libraryId } },
  })
  expect(bodyOf(fresh)).toMatchObject({ title: 'Together', bookCount: 2, movedBooks: 2, emptied: [{ title: 'C' }] })
  // Undoing the first move takes back only what has not been moved elsewhere since.
  await undo(editor, moved.historyId)
  const after = { A: ['A/02.cbz', 'A/03.cbz'], B: ['B/01.cbz'], Together: ['A/01.cbz', 'C/01.cbz'] }
  expect(await world.shelves()).toEqual(after)
  await scanNow(server, libraryId, 'full')
  expect(await world.shelves()).toEqual(after)
})

test('C22 any series of a library become one, and what was put into one of them goes along', async () => {
  await using world = await worldOf(['A/01.cbz', 'B/01.cbz', 'C/01.cbz', 'C/02.cbz', 'D/01.cbz'])
  const { editor, server, libraryId } = world
  const [a, b] = [await world.series('A/01.cbz'), await world.series('B/01.cbz')]
  const d = await world.series('D/01.cbz')
  bodyOf(await editor.call(api.moveBooks, { body: { bookIds: [await world.book('C/01.cbz')], seriesId: a } }))

  const merged = bodyOf(await editor.call(api.mergeAnySeries, { body: { ids: [a, d], into: b } }))
  expect(merged).toMatchObject({ id: b, title: 'B', bookCount: 4, movedBooks: 3 })
  expect(merged.emptied.map(({ title }) => title).sort()).toEqual(['A', 'D'])
  await scanNow(server, libraryId, 'full')
  const shelves = { B: ['A/01.cbz', 'B/01.cbz', 'C/01.cbz', 'D/01.cbz'], C: ['C/02.cbz'] }
  expect(await world.shelves()).toEqual(shelves)
  expect((await historyOf(editor, b)).map(({ id }) => id)).toContain(merged.historyId)

  await undo(editor, merged.historyId)
  await scanNow(server, libraryId, 'full')
  expect(await world.shelves()).toEqual({
    A: ['A/01.cbz', 'C/01.cbz'],
    B: ['B/01.cbz'],
    C: ['C/02.cbz'],
    D: ['D/01.cbz'],
  })
  const [undone] = await historyOf(editor, b)
  expect(undone?.reason).toBe('undo')
})

test('C22 a move into a series that is merged away later is taken back from where its books are by then', async () => {
  await using world = await worldOf(['A/01.cbz', 'A/02.cbz', 'B/01.cbz', 'C/01.cbz'])
  const { editor, server, libraryId } = world
  const [b, c] = [await world.series('B/01.cbz'), await world.series('C/01.cbz')]
  const bookIds = [await world.book('A/01.cbz')]
  const { historyId } = bodyOf(await editor.call(api.moveBooks, { body: { bookIds, seriesId: b } }))
  const a = await world.series('A/02.cbz')
  bodyOf(await editor.call(api.mergeAnySeries, { body: { ids: [b], into: c } }))
  expect((await world.shelves())['C']).toEqual(['A/01.cbz', 'B/01.cbz', 'C/01.cbz'])

  // The history of the series that is gone went with it; that of the one the book has left tells of it too.
  const line = (await historyOf(editor, a)).find(({ reason }) => reason === 'move')
  expect(line?.id).not.toBe(historyId)
  await undo(editor, line?.id ?? null)
  await scanNow(server, libraryId, 'full')
  expect(await world.shelves()).toEqual({ A: ['A/01.cbz', 'A/02.cbz'], C: ['B/01.cbz', 'C/01.cbz'] })
})

/** All rows that a move could write. */
const everything = async ({ context: { db } }: TestServer) => {
  const tables = [
    'book',
    'series',
    'series_name',
    'series_sharing_tag',
    'series_override',
    'series_move',
    'merge',
    'library',
  ] as const
  const more = [
    'metadata_change',
    'metadata_layer',
    'history_act',
    'event',
    'task',
    'book_search',
    'series_search',
  ] as const
  const rows = await Promise.all([...tables, ...more].map((table) => db.read.selectFrom(table).selectAll().execute()))
  return rows.map((each) => each.map((row) => JSON.stringify(row)).sort())
}

test('C22 what is only tried answers the same and writes nothing', async () => {
  await using world = await worldOf(['A/01.cbz', 'A/02.cbz', 'B/01.cbz'])
  const { editor, server } = world
  const [a, b] = [await world.series('A/01.cbz'), await world.series('B/01.cbz')]
  const bookIds = [await world.book('A/01.cbz'), await world.book('A/02.cbz')]
  const before = await everything(server)

  const tried = { follow: true, dryRun: true }
  const moving = bodyOf(await editor.call(api.moveBooks, { body: { bookIds, seriesId: b, ...tried } }))
  expect(moving).toMatchObject({
    id: b,
    historyId: null,
    bookCount: 3,
    movedBooks: 2,
    followedFolders: 1,
    emptied: [{ id: a }],
  })
  const splitting = bodyOf(
    await editor.call(api.splitSeries, { params: { id: a }, body: { bookIds: bookIds.slice(1), ...tried } }),
  )
  expect(splitting).toMatchObject({ title: 'A (2)', historyId: null, movedBooks: 1 })
  const merging = bodyOf(await editor.call(api.mergeAnySeries, { body: { ids: [a], into: b, dryRun: true } }))
  expect(merging).toMatchObject({ id: b, historyId: null, movedBooks: 2, emptied: [{ id: a, title: 'A' }] })

  expect(await everything(server)).toEqual(before)
  expect(bodyOf(await editor.call(api.moveBooks, { body: { bookIds, seriesId: b, follow: true } }))).toEqual({
    ...moving,
    historyId: expect.any(String),
  })
})

test('C22 whoever may not, or sees nothing of it, learns nothing', async () => {
  await using world = await worldOf(['A/01.cbz', 'B/01.cbz', ['C/01.cbz', { AgeRating: 'X18+' }]])
  const { editor, server, libraryId } = world
  const [a, b, c] = [await world.series('A/01.cbz'), await world.series('B/01.cbz'), await world.series('C/01.cbz')]
  const [seen, hidden] = [await world.book('A/01.cbz'), await world.book('C/01.cbz')]
  const reader = await server.person('reader')
  expect((await reader.call(api.moveBooks, { body: { bookIds: [seen], seriesId: b } })).status).toBe(403)

  const child = await server.person('editor', { access: { ageCeiling: 12, includeUnrated: true } })
  const nobody = crypto.randomUUID()
  const refusals = async (bookId: string, seriesId: string) =>
    [
      errorOf(await child.call(api.moveBooks, { body: { bookIds: [seen, bookId], seriesId: b } })).error,
      errorOf(await child.call(api.moveBooks, { body: { bookIds: [seen], seriesId } })).error,
      errorOf(await child.call(api.splitSeries, { params: { id: a }, body: { bookIds: [bookId] } })).error,
      errorOf(await child.call(api.splitSeries, { params: { id: seriesId }, body: { bookIds: [seen] } })).error,
      errorOf(await child.call(api.mergeAnySeries, { body: { ids: [seriesId], into: a } })).error,
      errorOf(await child.call(api.mergeAnySeries, { body: { ids: [a], into: seriesId } })).error,
      (await child.call(api.readBookPlacement, { params: { id: bookId } })).status,
    ].map((each) => JSON.stringify(each).replaceAll(/"requestId":"[^"]*"/g, ''))
  expect(await refusals(hidden, c)).toEqual(await refusals(nobody, nobody))

  const { historyId } = bodyOf(
    await editor.call(api.moveBooks, { body: { bookIds: [hidden], newSeries: { title: 'New', libraryId } } }),
  )
  expect((await child.call(api.undoHistory, { params: { historyId: historyId ?? '' } })).status).toBe(404)
  expect(bodyOf(await child.call(api.listGroupingOverrides, { params: { id: libraryId } })).data).toEqual([])
  expect(bodyOf(await editor.call(api.listGroupingOverrides, { params: { id: libraryId } })).total).toBe(1)
})

test('C22 what is wrong is refused with its place', async () => {
  await using world = await worldOf(['A/01.cbz', 'B/01.cbz'])
  const { editor, server } = world
  const [a, b] = [await world.series('A/01.cbz'), await world.series('B/01.cbz')]
  const [one, two] = [await world.book('A/01.cbz'), await world.book('B/01.cbz')]
  const placeOf = (outcome: Parameters<typeof errorOf>[0]) => {
    const error = errorOf(outcome)
    return 'details' in error ? error.details?.map(({ path }) => path) : undefined
  }
  const many = Array.from({ length: 10_001 }, () => one)
  expect(placeOf(await editor.call(api.moveBooks, { body: { bookIds: many, seriesId: b } }))).toEqual(['/bookIds'])
  expect(placeOf(await editor.call(api.splitSeries, { params: { id: a }, body: { bookIds: [one, two] } }))).toEqual([
    '/bookIds/1',
  ])
  expect((await editor.call(api.moveBooks, { body: { bookIds: [one] } })).status).toBe(400)
  expect(placeOf(await editor.call(api.mergeAnySeries, { body: { ids: [b, a], into: a } }))).toEqual(['/ids/1'])
  await using elsewhere = await libraryFolder()
  await write(elsewhere, 'Z/01.cbz')
  const otherId = await addLibraryOn(server, { roots: [elsewhere.path], name: 'Other' })
  await scanNow(server, otherId)
  const other = [...(await booksOf(server, otherId)).values()][0]
  const across = { bookIds: [one], seriesId: other?.series_id ?? '' }
  expect((await editor.call(api.moveBooks, { body: across })).status).toBe(409)
  expect((await editor.call(api.mergeAnySeries, { body: { ids: [across.seriesId], into: a } })).status).toBe(409)
})

test('C22 W9 nothing that is moved, split or left behind comes into the sight of anybody who did not see it', async () => {
  await using world = await worldOf([
    ['S/01.cbz', { AgeRating: 'X18+' }],
    ['S/02.cbz', { Series: 'S' }],
    ['S/03.cbz', { Series: 'S' }],
    ['T/01.cbz', { AgeRating: 'Everyone' }],
    ['U/01.cbz', { AgeRating: 'Teen' }],
  ])
  const { editor, server } = world
  const child = await server.person('reader', { access: { ageCeiling: 13, includeUnrated: true } })
  const [s, t, u] = [await world.series('S/01.cbz'), await world.series('T/01.cbz'), await world.series('U/01.cbz')]
  const seenBooks = async () =>
    bodyOf(await child.call(api.listBooks, {}))
      .data.map(({ id }) => id)
      .sort()
  const seen = [await world.book('T/01.cbz'), await world.book('U/01.cbz')].sort()
  expect([await titlesSeen(child), await seenBooks()]).toEqual([['T', 'U'], seen])

  // The only one that is rated leaves; the others were hidden by it, and are.
  const first = bodyOf(
    await editor.call(api.splitSeries, {
      params: { id: s },
      body: { bookIds: [await world.book('S/01.cbz')], title: 'Grown' },
    }),
  )
  expect(await seenBooks()).toEqual(seen)
  const second = bodyOf(
    await editor.call(api.splitSeries, { params: { id: s }, body: { bookIds: [await world.book('S/02.cbz')] } }),
  )
  expect([await titlesSeen(child), await seenBooks()]).toEqual([['T', 'U'], seen])
  expect(second.ageRating.after).toBe(18)
  // What is put with others takes its rating along, and with it what they are together.
  bodyOf(await editor.call(api.moveBooks, { body: { bookIds: [await world.book('S/03.cbz')], seriesId: t } }))
  expect((await child.call(api.readBook, { params: { id: await world.book('S/03.cbz') } })).status).toBe(404)
  expect((await child.call(api.readSeries, { params: { id: s } })).status).toBe(404)
  expect(await titlesSeen(child)).not.toContain('S')

  // Sharing tags go along, and go again with what brought them.
  const admin = await server.person('admin')
  const tag = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'Adults' } }))
  bodyOf(await admin.call(api.saveSeriesSharingTags, { params: { id: s }, body: { tagIds: [tag.id] } }))
  await scanNow(server, world.libraryId, 'full')
  expect([await titlesSeen(child)].flat()).not.toContain('Grown')
  await undo(editor, second.historyId)
  await undo(editor, first.historyId)
  expect(await titlesSeen(child)).toEqual(['T', 'U'])
  const mine = bodyOf(
    await editor.call(api.moveBooks, { body: { bookIds: [await world.book('S/02.cbz')], seriesId: u } }),
  )
  expect(mine.sharingTagsAdded).toEqual([{ id: tag.id, name: 'Adults' }])
  const tagsOf = async (id: string) => bodyOf(await editor.call(api.readSeriesSharingTags, { params: { id } })).tagIds
  expect(await tagsOf(u)).toEqual([tag.id])
  await undo(editor, mine.historyId)
  expect([await tagsOf(u), await titlesSeen(child)]).toEqual([[], ['T', 'U']])
})

test('C22 W9 a book carries its rating to where it is put, and what it carried before when it is back', async () => {
  await using world = await worldOf([['S/01.cbz', { AgeRating: 'X18+' }], ['S/02.cbz', { Series: 'S' }], 'T/01.cbz'])
  const { editor, server } = world
  const carried = async () => (await booksOf(server, world.libraryId)).get('S/02.cbz')?.carried_age_rating
  expect(await carried()).toBeNull()
  const body = { bookIds: [await world.book('S/02.cbz')], seriesId: await world.series('T/01.cbz') }
  const { historyId } = bodyOf(await editor.call(api.moveBooks, { body }))
  expect(await carried()).toBe(18)

  await undo(editor, historyId)
  expect(await carried()).toBeNull()
})

test('C22 what comes into a folder that somebody has moved goes there too, and the folder is followed where it goes', async () => {
  await using world = await worldOf(['A/01.cbz', 'A/Deep/02.cbz', 'B/01.cbz', 'C/01.cbz'])
  const { editor, server, libraryId, folder } = world
  const b = await world.series('B/01.cbz')
  const bookIds = [await world.book('A/01.cbz')]
  const moved = bodyOf(await editor.call(api.moveBooks, { body: { bookIds, seriesId: b, follow: true } }))
  expect(moved.followedFolders).toBe(1)
  await write(folder, 'A/03.cbz')
  await write(folder, 'A/Deep/04.cbz')
  expect(await scanNow(server, libraryId)).toMatchObject({ books_added: 2, series_added: 0 })
  const byTitle = { B: ['A/01.cbz', 'A/03.cbz', 'A/Deep/04.cbz', 'B/01.cbz'], Deep: ['A/Deep/02.cbz'] }
  expect(await world.shelves()).toMatchObject(byTitle)

  await rename(folder.in('A'), folder.in('Z'))
  await write(folder, 'Z/05.cbz')
  await scanNow(server, libraryId)
  await scanNow(server, libraryId, 'full')
  expect((await world.shelves())['B']).toEqual(['B/01.cbz', 'Z/01.cbz', 'Z/03.cbz', 'Z/05.cbz', 'Z/Deep/04.cbz'])
  // A book of another folder that is moved there in the file system comes there too.
  await rename(folder.in('C/01.cbz'), folder.in('Z/06.cbz'))
  await scanNow(server, libraryId)
  expect((await world.shelves())['B']).toContain('Z/06.cbz')

  const through = async () =>
    bodyOf(await editor.call(api.readBookPlacement, { params: { id: await world.book('Z/05.cbz') } }))
  expect(await through()).toMatchObject({
    because: 'hand',
    otherwise: { title: 'Z' },
    by: { username: editor.username },
  })
  const { data } = bodyOf(await editor.call(api.listGroupingOverrides, { params: { id: libraryId } }))
  const ofFolder = data.find(({ bookId }) => bookId === null)
  expect(ofFolder).toMatchObject({ name: 'Z', seriesId: b, otherwise: null })
  expect((await through()).throughId).toBe(ofFolder?.id)

  const removed = bodyOf(
    await editor.call(api.removeGroupingOverride, { params: { id: libraryId, overrideId: ofFolder?.id ?? '' } }),
  )
  expect(removed.movedBooks).toBe(4)
  expect((await world.shelves())['B']).toEqual(['B/01.cbz', 'Z/01.cbz'])
  await undo(editor, removed.historyId)
  await write(folder, 'Z/07.cbz')
  await scanNow(server, libraryId)
  expect((await world.shelves())['B']).toHaveLength(7)

  // With the move go all that have come by it.
  await undo(editor, moved.historyId)
  expect((await world.shelves())['B']).toEqual(['B/01.cbz'])
  expect(bodyOf(await editor.call(api.listGroupingOverrides, { params: { id: libraryId } })).total).toBe(0)
})

test('C22 a book stays where it was put when it is renamed, packed anew, goes missing and comes back', async () => {
  await using world = await worldOf(['A/01.cbz', 'A/02.cbz', 'B/01.cbz'])
  const { editor, server, libraryId, folder } = world
  const b = await world.series('B/01.cbz')
  const id = await world.book('A/01.cbz')
  bodyOf(await editor.call(api.moveBooks, { body: { bookIds: [id], seriesId: b } }))
  const isThere = async (path: string) => {
    await scanNow(server, libraryId)
    expect([await world.book(path), await world.series(path)]).toEqual([id, b])
  }
  await rename(folder.in('A/01.cbz'), folder.in('A/1st.cbz'))
  await isThere('A/1st.cbz')
  await rename(folder.in('A'), folder.in('Other'))
  await isThere('Other/1st.cbz')
  await folder.write(
    'Other/1st.cbz',
    comic({ seed: seeds - 2, pages: 1, method: 'deflated', comicInfo: comicInfoXml({ Series: 'Else' }) }),
  )
  await isThere('Other/1st.cbz')
  await rename(folder.in('Other/1st.cbz'), `${folder.path}.aside`)
  await scanNow(server, libraryId)
  await rename(`${folder.path}.aside`, folder.in('Other/1st.cbz'))
  await isThere('Other/1st.cbz')
  await rm(folder.in('B'), { recursive: true })
  await isThere('Other/1st.cbz')
})

test('C22 it is told why a book is where it is: by the grouping, its file or a hand', async () => {
  await using world = await worldOf(['A/01.cbz', 'B/01.cbz', ['C/01.cbz', { Series: 'Said' }]])
  const { editor, server, libraryId } = world
  const why = async (path: string) =>
    bodyOf(await editor.call(api.readBookPlacement, { params: { id: await world.book(path) } }))
  const [a, b] = [await world.series('A/01.cbz'), await world.series('B/01.cbz')]
  expect(await why('A/01.cbz')).toMatchObject({
    seriesId: a,
    because: 'policy',
    policy: 'folder',
    by: null,
    overrideId: null,
  })
  bodyOf(await editor.call(api.mergeAnySeries, { body: { ids: [a], into: b } }))
  expect(await why('A/01.cbz')).toMatchObject({
    seriesId: b,
    because: 'hand',
    by: { id: editor.id },
    otherwise: { seriesId: b },
  })
  await server.context.db.write((db) =>
    db
      .updateTable('library')
      .set({ grouping: JSON.stringify({ policy: 'metadata', config: {} }) })
      .where('id', '=', libraryId)
      .execute(),
  )
  expect(await why('C/01.cbz')).toMatchObject({ because: 'file', policy: 'metadata' })
})
