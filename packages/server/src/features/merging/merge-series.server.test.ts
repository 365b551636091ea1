import { mkdir, rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { addBooks, type AddedLibrary, addLibrary, addSeries, type SeriesOptions } from '../../../test/content.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { findDuplicates } from '../duplicates/duplicates.ts'

const untilNoneWaits = async ({ context: { db } }: TestServer): Promise<void> => {
  const waiting = () =>
    db.read
      .selectFrom('task')
      .select('last_error')
      .where('type', '=', findDuplicates.type)
      .where('status', 'in', ['pending', 'processing'])
      .executeTakeFirst()
  for (let task = await waiting(); task; task = await waiting()) {
    if (task.last_error !== null) throw new Error(`The search has failed: ${task.last_error}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** What waits to be looked for is looked for, and no more. */
const searchAsAsked = async (server: TestServer): Promise<void> => {
  await using _ = workOn(server, [findDuplicates])
  await untilNoneWaits(server)
}

const groupOf = async (person: Person, key: string) => {
  const { duplicates } = bodyOf(await person.call(api.listSeriesDuplicates, {}))
  const group = duplicates.find(({ matchKey }) => matchKey === key)
  if (!group) throw new Error(`There is no group ${key}`)
  return group
}

const at = '2026-11-01T10:00:00.000Z'

test('CAT-7 what was merged stays merged, whatever later scans find in the folders', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const write = (path: string, seed: number, title?: string) =>
    folder.write(
      path,
      comic({ seed, pages: 1, comicInfo: title === undefined ? false : comicInfoXml({ Series: title }) }),
    )
  await write('One-Punch Man/02.cbz', 2)
  await write('One-Punch Man/03.cbz', 3)
  await write('One Punch Man/01.cbz', 1, 'ONE PUNCH MAN!')
  await write('ONE・PUNCH・MAN/05.cbz', 5)
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  // A scan that brings series asks for a search by itself.
  await searchAsAsked(server)
  const editor = await server.person('editor')
  const group = await groupOf(editor, 'onepunchman')
  const idOf = (title: string) => group.members.find((member) => member.title === title)?.id ?? ''
  const [into, spaced, dotted] = [idOf('One-Punch Man'), idOf('ONE PUNCH MAN!'), idOf('ONE・PUNCH・MAN')]
  const merge = (body: { into: string; series?: string[] }) =>
    editor.call(api.mergeSeries, { params: { id: group.id }, body })

  expect(bodyOf(await merge({ into, series: [spaced] }))).toEqual({
    mergeId: expect.any(String),
    seriesId: into,
    mergedIds: [spaced],
    movedBooks: 1,
  })
  const titles = async () =>
    bodyOf(await editor.call(api.listSeries, {})).data.map(({ title, bookCount }) => [title, bookCount])
  // Its first book is another one now, which calls the series something else: it is called as before.
  expect(await titles()).toEqual([
    ['ONE・PUNCH・MAN', 1],
    ['One-Punch Man', 3],
  ])
  expect((await editor.call(api.readSeries, { params: { id: spaced } })).status).toBe(404)
  expect(await groupOf(editor, 'onepunchman')).toMatchObject({ id: group.id, duplicateCount: 2 })

  const everyBookIn = async (seriesId: string): Promise<string[]> => {
    const books = [...(await booksOf(server, libraryId))].filter(([, { state }]) => state === 'present')
    return books.flatMap(([path, { series_id }]) => (series_id === seriesId ? path : [])).sort()
  }
  await write('One Punch Man/04.cbz', 4)
  expect(await scanNow(server, libraryId, 'full')).toMatchObject({ books_added: 1, series_added: 0 })
  expect(await everyBookIn(into)).toHaveLength(4)
  expect(await titles()).toEqual([
    ['ONE・PUNCH・MAN', 1],
    ['One-Punch Man', 4],
  ])

  // The one that stayed goes into the third: so does what was part of it, and what comes to it later.
  expect(bodyOf(await merge({ into: dotted }))).toMatchObject({ mergedIds: [into], movedBooks: 4 })
  await rename(folder.in('One Punch Man'), folder.in('Wanpanman'))
  await write('Wanpanman/06.cbz', 6)
  await write('One-Punch Man/07.cbz', 7)
  expect(await scanNow(server, libraryId)).toMatchObject({ books_moved: 2, books_added: 2, series_added: 0 })
  expect(await everyBookIn(dotted)).toHaveLength(7)

  // Its own folder gives it its name; one book that is moved elsewhere is a book elsewhere.
  await rename(folder.in('ONE・PUNCH・MAN'), folder.in('OPM'))
  await mkdir(folder.in('Elsewhere'))
  await rename(folder.in('Wanpanman/06.cbz'), folder.in('Elsewhere/06.cbz'))
  expect(await scanNow(server, libraryId)).toMatchObject({ books_moved: 2, series_added: 1, books_missing: 0 })
  const series = server.context.db.read.selectFrom('series').select(['name', 'path', 'book_count'])
  expect(await series.where('id', '=', dotted).execute()).toEqual([{ name: 'OPM', path: 'OPM', book_count: 6 }])
  expect(await everyBookIn(dotted)).not.toContain('Elsewhere/06.cbz')
})

/** Series of one title, as a search has found them. */
const addGroup = async (
  server: TestServer,
  library: AddedLibrary,
  options: readonly SeriesOptions[],
): Promise<{ groupId: string; ids: string[]; bookIds: string[][] }> => {
  const { db } = server.context
  const ids: string[] = []
  const bookIds: string[][] = []
  for (const [index, each] of options.entries()) {
    const series = await addSeries(db, library, { title: `Saga${'!'.repeat(index)}`, key: newId(), ...each })
    const file = { folder: `${series.id}/` }
    bookIds.push(
      await addBooks(db, series, [
        { number: index + 1, file },
        { number: index + 11, file },
      ]),
    )
    ids.push(series.id)
  }
  const groupId = newId()
  await db.write(async (db) => {
    const group = {
      id: groupId,
      match_type: 'title' as const,
      scope: library.id,
      key: groupId,
      created_at: at,
    }
    await insertMany(db, 'duplicate_group', [group])
    await insertMany(
      db,
      'duplicate_series',
      ids.map((series_id) => ({ group_id: groupId, series_id, dismissed: 0 as const, joined_at: at })),
    )
  })
  return { groupId, ids, bookIds }
}

const addTag = async ({ context: { db } }: TestServer, name: string): Promise<string> => {
  const id = newId()
  await db.write((db) =>
    insertMany(db, 'sharing_tag', [
      { id, name, name_key: name, name_text: name, sort_key: name, description: null, created_at: at, updated_at: at },
    ]),
  )
  return id
}

const userLayer = (entity_id: string, fields: object) => ({
  entity_id,
  source: 'user',
  fields: JSON.stringify(fields),
  said: null,
  at,
  by_user_id: null,
})

test('CAT-7 LIB-5 what people have on series that are merged goes to the one that stays', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const tags = [await addTag(server, 'One'), await addTag(server, 'Two')]
  const { groupId, ids, bookIds } = await addGroup(server, library, [
    { own_age_rating: 12, age_rating: 12, sharingTags: tags.slice(0, 1) },
    { own_age_rating: 16, age_rating: 16, sharingTags: tags.slice(1) },
    { own_age_rating: 6, age_rating: 6 },
  ])
  const [into = '', second = '', third = ''] = ids
  const editor = await server.person('editor')
  const people = [await server.person('reader'), await server.person('reader'), await server.person('reader')]
  const [ann, ben, cas] = people.map(({ id }) => id) as [string, string, string]
  const rate = (user_id: string, series_id: string, rating: number, day: number, notes: string | null = null) => ({
    user_id,
    series_id,
    id: newId(),
    rating,
    notes,
    created_at: at,
    updated_at: `2026-11-0${day}T10:00:00.000Z`,
  })
  const wantRow = (user_id: string, series_id: string, position: number) => ({
    id: newId(),
    user_id,
    series_id,
    book_id: null,
    position,
    added_at: at,
  })
  const collection = (id: string, name: string) => ({
    id,
    name,
    name_key: name,
    sort_key: name,
    summary: null,
    ordered: 1 as const,
    condition: null,
    created_at: at,
    updated_at: at,
  })
  const [both, others] = [newId(), newId()]
  const cover = (entity_id: string) => ({
    id: newId(),
    entity: 'series' as const,
    entity_id,
    source: 'upload',
    page: null,
    width: 10,
    height: 10,
    placeholder: null,
    content_hash: newId(),
    created_at: at,
    by_user_id: null,
  })
  const covers = [cover(second), cover(third)]
  const external = (entity_id: string, source: string, external_id: string) => ({
    entity_id,
    entity: 'series' as const,
    source,
    external_id,
    url: null,
  })
  await db.write(async (db) => {
    await insertMany(db, 'series_rating', [
      rate(ann, into, 50, 1, 'Mine'),
      rate(ann, second, 90, 3, 'Newer'),
      rate(ann, third, 10, 2),
      rate(ben, into, 40, 5),
      rate(ben, second, 20, 1, 'Old words'),
      rate(cas, third, 70, 1),
    ])
    await insertMany(db, 'want_to_read', [
      wantRow(ann, into, 7),
      wantRow(ann, second, 1),
      wantRow(ben, third, 3),
      wantRow(ben, second, 4),
    ])
    await insertMany(db, 'series_status', [
      { user_id: ann, series_id: into, status: 'paused', updated_at: at },
      { user_id: ann, series_id: second, status: 'dropped', updated_at: '2026-11-09T10:00:00.000Z' },
      { user_id: ben, series_id: second, status: 'planned', updated_at: at },
      { user_id: ben, series_id: third, status: 'finished', updated_at: '2026-11-09T10:00:00.000Z' },
    ])
    await insertMany(
      db,
      'series_follow',
      [
        [ann, second],
        [ann, third],
        [cas, into],
        [cas, third],
      ].map(([user_id = '', series_id = '']) => ({ user_id, series_id, followed_at: at, newest_at: at })),
    )
    await insertMany(db, 'collection', [collection(both, 'Both'), collection(others, 'Others')])
    await insertMany(db, 'collection_series', [
      { collection_id: both, series_id: second, position: 1, added_at: at },
      { collection_id: both, series_id: into, position: 5, added_at: at },
      { collection_id: others, series_id: third, position: 2, added_at: at },
      { collection_id: others, series_id: second, position: 4, added_at: at },
    ])
    await insertMany(db, 'cover', covers)
    await db
      .updateTable('series')
      .set({ cover_id: covers[0]?.id ?? '' })
      .where('id', '=', second)
      .execute()
    await insertMany(db, 'external_id', [
      external(into, 'anilist', '1'),
      external(second, 'anilist', '2'),
      external(second, 'mal', '3'),
      external(third, 'mal', '4'),
    ])
    await insertMany(db, 'metadata_layer', [
      userLayer(into, { publisher: 'Lantern', ageRating: 12 }),
      userLayer(second, { publisher: 'Other', summary: 'Of the second', title: 'Second', ageRating: 16 }),
      userLayer(third, { summary: 'Of the third', year: 1999, ageRating: 6 }),
    ])
  })
  const [reader] = people
  if (!reader) throw new Error('Nobody reads')
  for (const id of [bookIds[0]?.[0] ?? '', bookIds[1]?.[0] ?? ''])
    bodyOf(await reader.call(api.markBookRead, { params: { id } }))

  const merged = await editor.call(api.mergeSeries, { params: { id: groupId }, body: { into } })
  expect(bodyOf(merged)).toEqual({
    mergeId: expect.any(String),
    seriesId: into,
    mergedIds: [second, third],
    movedBooks: 4,
  })

  const ratings = await db.read.selectFrom('series_rating').selectAll().orderBy('rating').execute()
  expect(ratings.map(({ user_id, series_id, rating, notes }) => [user_id, series_id, rating, notes])).toEqual([
    [ben, into, 40, 'Old words'],
    [cas, into, 70, null],
    [ann, into, 90, 'Newer\n\nMine'],
  ])
  const rows = await db.read.selectFrom('want_to_read').selectAll().orderBy('position').execute()
  expect(rows.map(({ user_id, series_id, position }) => [user_id, series_id, position])).toEqual([
    [ben, into, 3],
    [ann, into, 7],
  ])
  const statuses = await db.read.selectFrom('series_status').selectAll().orderBy('status').execute()
  expect(statuses.map(({ user_id, series_id, status }) => [user_id, series_id, status])).toEqual([
    [ben, into, 'finished'],
    [ann, into, 'paused'],
  ])
  const follows = await db.read.selectFrom('series_follow').selectAll().orderBy('user_id').execute()
  expect(follows.map(({ user_id, series_id }) => [user_id, series_id])).toEqual(
    [
      [ann, into],
      [cas, into],
    ].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  )
  const members = await db.read.selectFrom('collection_series').selectAll().orderBy('position').execute()
  expect(members.map(({ collection_id, series_id, position }) => [collection_id, series_id, position])).toEqual([
    [others, into, 2],
    [both, into, 5],
  ])
  const row = await db.read.selectFrom('series').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    id: into,
    title: 'Saga',
    publisher: 'Lantern',
    summary: 'Of the second',
    year: 1999,
    own_age_rating: 16,
    age_rating: 16,
    book_count: 6,
    cover_id: covers[0]?.id,
  })
  expect(Number(row.community_rating)).toBeCloseTo((40 + 70 + 90) / 3)
  expect(await db.read.selectFrom('cover').select(['entity_id']).execute()).toEqual([
    { entity_id: into },
    { entity_id: into },
  ])
  const sharing = await db.read.selectFrom('series_sharing_tag').selectAll().execute()
  expect(sharing.map(({ tag_id }) => tag_id).sort()).toEqual(tags.toSorted())
  const externalIds = await db.read
    .selectFrom('external_id')
    .select(['entity_id', 'source', 'external_id'])
    .orderBy('source')
    .execute()
  expect(externalIds).toEqual([
    { entity_id: into, source: 'anilist', external_id: '1' },
    { entity_id: into, source: 'mal', external_id: '3' },
  ])
  const [change] = await db.read.selectFrom('metadata_change').selectAll().where('reason', '=', 'merge').execute()
  expect(change).toMatchObject({ entity_id: into, by_user_id: editor.id, source: 'user' })
  const changes = JSON.parse(change?.changes ?? '[]') as { field: string; before: unknown; after: unknown }[]
  expect(changes).toEqual(
    expect.arrayContaining([
      { field: 'summary', before: null, after: 'Of the second' },
      { field: 'year', before: null, after: 1999 },
      { field: 'ageRating', before: 12, after: 16 },
    ]),
  )
  expect(changes.map(({ field }) => field)).not.toContain('publisher')
  expect(await db.read.selectFrom('series_progress').select(['series_id', 'read_count']).execute()).toEqual([
    { series_id: into, read_count: 2 },
  ])
  expect(bodyOf(await editor.call(api.readLibrary, { params: { id: library.id } }))).toMatchObject({
    bookCount: 6,
    seriesCount: 1,
  })
  const books = await db.read.selectFrom('book').select(['series_id', 'age_rating']).execute()
  expect(books).toEqual(Array.from({ length: 6 }, () => ({ series_id: into, age_rating: 16 })))
  expect(await db.read.selectFrom('duplicate_group').selectAll().execute()).toEqual([])

  const events = await db.read.selectFrom('event').select(['type', 'data', 'age_rating']).orderBy('number').execute()
  const about = events
    .filter(({ type }) => type.startsWith('series_'))
    .map(({ type, data, age_rating }) => {
      const { seriesId, mergedIds } = JSON.parse(data) as { seriesId: string; mergedIds?: string[] }
      return [type, seriesId, age_rating, mergedIds]
    })
  expect(about).toEqual([
    ['series_deleted', second, 16, undefined],
    ['series_deleted', third, 6, undefined],
    ['series_deleted', into, 12, undefined],
    ['series_created', into, 16, undefined],
    ['series_updated', into, 16, undefined],
    // Who saw only one of them hears of that one alone.
    ['series_merged', into, 16, [second]],
    ['series_merged', into, 16, [third]],
  ])
})

test('HTTP-3 AUTH-7 nothing comes into sight by being merged', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const other = await addLibrary(db, { name: 'Other', path: '/data/other' })
  const [allowed, denied] = [await addTag(server, 'Allowed'), await addTag(server, 'Denied')]
  const editor = await server.person('editor')
  const merge = async (groupId: string, into: string, series?: string[]) =>
    editor.call(api.mergeSeries, { params: { id: groupId }, body: { into, ...(series && { series }) } })

  // While nobody's sight ends at an age or at a tag, nothing can come into it.
  const early = await addGroup(server, library, [{ sharingTags: [allowed] }, { own_age_rating: 16, age_rating: 16 }])
  expect((await merge(early.groupId, early.ids[0] ?? '')).status).toBe(200)
  expect(bodyOf(await editor.call(api.readSeries, { params: { id: early.ids[0] ?? '' } })).metadata.ageRating).toBe(16)

  const family = await server.person('reader', { access: { allowTags: [allowed] } })
  const tagged = await addGroup(server, library, [{ sharingTags: [allowed] }, {}])
  expect(errorOf(await merge(tagged.groupId, tagged.ids[0] ?? ''))).toMatchObject({
    error: 'conflict',
    reason: 'tags_differ',
  })
  expect(errorOf(await merge(tagged.groupId, tagged.ids[1] ?? ''))).toMatchObject({
    error: 'conflict',
    reason: 'tags_differ',
  })

  await server.person('reader', { access: { denyTags: [denied], ageCeiling: 12 } })
  const hidden = await addGroup(server, library, [{}, { sharingTags: [denied] }])
  expect((await merge(hidden.groupId, hidden.ids[0] ?? '')).status).toBe(200)
  expect(bodyOf(await editor.call(api.readSeriesSharingTags, { params: { id: hidden.ids[0] ?? '' } })).tagIds).toEqual([
    denied,
  ])
  const rated = await addGroup(server, library, [{ own_age_rating: 6, age_rating: 6 }, {}])
  expect(errorOf(await merge(rated.groupId, rated.ids[0] ?? ''))).toMatchObject({
    error: 'conflict',
    reason: 'ratings_differ',
  })

  const [stranger = ''] = (await addGroup(server, other, [{}])).ids
  await db.write((db) =>
    insertMany(db, 'duplicate_series', [
      { group_id: tagged.groupId, series_id: stranger, dismissed: 0, joined_at: at },
    ]),
  )
  expect(errorOf(await merge(tagged.groupId, stranger, tagged.ids.slice(0, 1)))).toMatchObject({
    error: 'conflict',
    reason: 'other_library',
  })
  expect(errorOf(await merge(tagged.groupId, early.ids[0] ?? ''))).toMatchObject({ details: [{ path: '/into' }] })
  expect(errorOf(await merge(tagged.groupId, stranger, [stranger]))).toMatchObject({ details: [{ path: '/series/0' }] })
  expect((await merge(newId(), stranger)).status).toBe(404)
  const reader = await family.call(api.mergeSeries, { params: { id: tagged.groupId }, body: { into: stranger } })
  expect(reader.status).toBe(403)
  // Whatever was refused is as it was.
  expect(await db.read.selectFrom('book').select('id').where('series_id', 'in', tagged.ids).execute()).toHaveLength(4)
})
