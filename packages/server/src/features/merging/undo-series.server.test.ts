import { rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'

const at = '2026-11-01T10:00:00.000Z'

/** Series of one title, as a search has found them. */
const groupSeries = async ({ context: { db } }: TestServer, libraryId: string, ids: readonly string[]) => {
  const id = newId()
  await db.write(async (db) => {
    await insertMany(db, 'duplicate_group', [
      { id, match_type: 'title' as const, scope: libraryId, key: id, created_at: at },
    ])
    await insertMany(
      db,
      'duplicate_series',
      ids.map((series_id) => ({ group_id: id, series_id, dismissed: 0 as const, joined_at: at })),
    )
  })
  return id
}

const merge = (person: Person, id: string, body: { into: string; series?: string[] }) =>
  person.call(api.mergeSeries, { params: { id }, body })
const undo = (person: Person, id: string) => person.call(api.undoSeriesMerge, { params: { id } })

/** All that is said of series and that people have on them, but for when something was last touched. */
const everything = async ({ context: { db } }: TestServer) => {
  const { read } = db
  const series = await read.selectFrom('series').selectAll().orderBy('id').execute()
  return {
    series: series.map((row) => ({ ...row, updated_at: '', cover_version: 0 })),
    books: await read.selectFrom('book').select(['id', 'series_id', 'age_rating']).orderBy('id').execute(),
    names: await read.selectFrom('series_name').selectAll().orderBy('series_id').orderBy('key').execute(),
    terms: await read.selectFrom('series_term').selectAll().orderBy('series_id').orderBy('term_id').execute(),
    tags: await read.selectFrom('series_sharing_tag').selectAll().orderBy('series_id').orderBy('tag_id').execute(),
    ratings: await read.selectFrom('series_rating').selectAll().orderBy('id').execute(),
    wanted: await read.selectFrom('want_to_read').selectAll().orderBy('id').execute(),
    statuses: await read.selectFrom('series_status').selectAll().orderBy('user_id').orderBy('series_id').execute(),
    follows: await read.selectFrom('series_follow').selectAll().orderBy('user_id').orderBy('series_id').execute(),
    readerSettings: await read.selectFrom('reader_setting').selectAll().orderBy('user_id').orderBy('subject').execute(),
    members: await read
      .selectFrom('collection_series')
      .selectAll()
      .orderBy('collection_id')
      .orderBy('position')
      .execute(),
    covers: await read.selectFrom('cover').select(['id', 'entity_id']).orderBy('id').execute(),
    externalIds: await read.selectFrom('external_id').selectAll().orderBy('entity_id').orderBy('source').execute(),
    progress: await read.selectFrom('series_progress').selectAll().orderBy('user_id').orderBy('series_id').execute(),
    layers: await read
      .selectFrom('metadata_layer')
      .select(['entity_id', 'source', 'fields'])
      .orderBy('entity_id')
      .orderBy('source')
      .execute(),
    search: await read
      .selectFrom('series_search')
      .select(['series_id', 'title', 'words'])
      .orderBy('series_id')
      .execute(),
    library: await read.selectFrom('library').select(['book_count', 'series_count']).execute(),
  }
}

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

const addTag = async ({ context: { db } }: TestServer, name: string): Promise<string> => {
  const id = newId()
  await db.write((db) =>
    insertMany(db, 'sharing_tag', [
      { id, name, name_key: name, name_text: name, sort_key: name, description: null, created_at: at, updated_at: at },
    ]),
  )
  return id
}

/** A scanned library of three folders, each a series of its own. */
const scanned = async (server: TestServer, write: (path: string, seed: number) => Promise<void>, root: string) => {
  for (const [number, folder] of ['Saga', 'Saga (old)', 'The Saga'].entries())
    for (const book of [1, 2]) await write(`${folder}/0${book}.cbz`, number * 10 + book)
  const libraryId = await addLibraryOn(server, { roots: [root] })
  await scanNow(server, libraryId)
  const rows = await server.context.db.read.selectFrom('series').select(['id', 'key']).execute()
  const idOf = (key: string) => rows.find((row) => row.key === key)?.id ?? ''
  const ids = [idOf('Saga'), idOf('Saga (old)'), idOf('The Saga')] as const
  return { libraryId, ids, groupId: await groupSeries(server, libraryId, ids) }
}

test('CAT-7 LIB-5 a merge of series is undone exactly, and what was done since stays where it was done', async () => {
  await using server = await startServer()
  const { db } = server.context
  await using folder = await libraryFolder()
  const write = (path: string, seed: number) =>
    folder.write(path, comic({ seed, pages: 1, comicInfo: comicInfoXml({ Genre: `Genre ${seed % 10}` }) }))
  const { libraryId, ids, groupId } = await scanned(server, write, folder.path)
  const [into, second, third] = ids
  const [one, two, three] = [await addTag(server, 'One'), await addTag(server, 'Two'), await addTag(server, 'Three')]
  const editor = await server.person('editor')
  const [ann, ben] = [await server.person('reader'), await server.person('reader')]
  const rate = (person: Person, id: string, rating: number) =>
    person.call(api.saveSeriesRating, { params: { id }, body: { rating } })
  const edit = (id: string, body: object) => editor.call(api.editSeriesMetadata, { params: { id }, body })
  const collections = await Promise.all(
    ['Both', 'Others'].map((name) => editor.call(api.createCollection, { body: { name } })),
  )
  const [both = '', others = ''] = collections.map((outcome) => bodyOf(outcome).id)
  const fill = (id: string, seriesIds: string[]) =>
    editor.call(api.addToCollection, { params: { id }, body: { seriesIds } })
  const done: readonly { readonly ok: boolean }[] = [
    await fill(both, [second, into]),
    await fill(others, [third, second]),
    await edit(into, { publisher: 'Lantern', ageRating: 12, externalIds: [{ source: 'anilist', id: '1' }] }),
    await edit(second, { summary: 'Of the second', ageRating: 16, externalIds: [{ source: 'mal', id: '3' }] }),
    await edit(third, { title: 'Third', year: 1999, ageRating: 6, tags: ['far'] }),
    await rate(ann, into, 50),
    await rate(ann, second, 90),
    await rate(ben, third, 20),
    await ann.call(api.addWantToRead, { body: { seriesId: second } }),
    await ann.call(api.addWantToRead, { body: { seriesId: into } }),
    await ben.call(api.addWantToRead, { body: { seriesId: third } }),
    await ann.call(api.markSeriesRead, { params: { id: second } }),
    await ann.call(api.saveReadingStatus, { params: { id: second }, body: { status: 'paused' } }),
    await ben.call(api.saveReadingStatus, { params: { id: into }, body: { status: 'planned' } }),
    await ben.call(api.saveReadingStatus, { params: { id: third }, body: { status: 'dropped' } }),
    await ann.call(api.followSeries, { params: { id: second } }),
    await ann.call(api.followSeries, { params: { id: third } }),
    await ben.call(api.followSeries, { params: { id: into } }),
    await ben.call(api.followSeries, { params: { id: second } }),
  ]
  expect(done.filter(({ ok }) => !ok)).toEqual([])
  const chosen = cover(second)
  await db.write(async (db) => {
    await insertMany(db, 'cover', [chosen, cover(third)])
    await db.updateTable('series').set({ cover_id: chosen.id, locks: '["cover"]' }).where('id', '=', second).execute()
    await insertMany(db, 'series_sharing_tag', [
      { series_id: into, tag_id: one },
      { series_id: second, tag_id: two },
    ])
    const settings = { level: 'series' as const, library_id: null, settings: '{"gap":1}', updated_at: at }
    await insertMany(
      db,
      'reader_setting',
      [
        { by: ann, id: second },
        { by: ann, id: third },
        { by: ben, id: into },
        { by: ben, id: third },
      ].map(({ by, id }) => ({ ...settings, user_id: by.id, subject: id, series_id: id })),
    )
  })

  const before = await everything(server)
  const { mergeId } = bodyOf(await merge(editor, groupId, { into }))
  expect((await everything(server)).series).toHaveLength(1)
  expect(bodyOf(await undo(editor, mergeId))).toEqual({
    seriesId: into,
    restoredIds: [second, third].sort(),
    movedBooks: 4,
  })
  expect(await everything(server)).toEqual(before)
  const events = await db.read.selectFrom('event').select(['type', 'data']).orderBy('number').execute()
  const created = events.flatMap(({ type, data }) =>
    type === 'series_created' ? [(JSON.parse(data) as { seriesId: string }).seriesId] : [],
  )
  expect(created.slice(-3).sort()).toEqual([into, second, third].sort())
  expect(errorOf(await undo(editor, mergeId))).toMatchObject({ error: 'conflict', reason: 'undone_already' })
  expect((await undo(editor, newId())).status).toBe(404)

  // The second time things go on before it is undone.
  const group = await groupSeries(server, libraryId, ids)
  const first = bodyOf(await merge(editor, group, { into, series: [second] })).mergeId
  const last = bodyOf(await merge(editor, group, { into, series: [third] })).mergeId
  const since: readonly { readonly ok: boolean }[] = [
    await rate(ann, into, 10),
    await rate(ben, into, 30),
    await ben.call(api.dropSeriesToRead, { params: { id: into } }),
    await edit(into, { publisher: 'Other', summary: 'Mine', ageRating: 18 }),
    await editor.call(api.removeFromCollection, { params: { id: others, seriesId: into } }),
    await editor.call(api.saveSeriesSharingTags, { params: { id: into }, body: { tagIds: [one, three] } }),
  ]
  expect(since.filter(({ ok }) => !ok)).toEqual([])
  expect(errorOf(await undo(editor, first))).toMatchObject({ error: 'conflict', reason: 'merged_since' })
  bodyOf(await undo(editor, last))
  bodyOf(await undo(editor, first))
  const after = await everything(server)
  const ratings = after.ratings.map(({ user_id, series_id, rating }) => `${user_id} ${series_id} ${rating}`)
  expect(ratings.sort()).toEqual(
    [`${ann.id} ${into} 10`, `${ann.id} ${second} 90`, `${ben.id} ${into} 30`, `${ben.id} ${third} 20`].sort(),
  )
  expect(after.wanted.map(({ user_id, series_id }) => `${user_id} ${series_id}`).sort()).toEqual(
    [`${ann.id} ${into}`, `${ann.id} ${second}`].sort(),
  )
  expect(after.members.map(({ collection_id }) => collection_id)).toEqual([both, both])
  const metadata = async (id: string) => bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))
  expect(await metadata(into)).toMatchObject({ publisher: 'Other', summary: 'Mine', year: null, ageRating: 18 })
  // What hides the whole of it hides each of its parts.
  expect(await metadata(second)).toMatchObject({ summary: 'Of the second', ageRating: 18 })
  expect(await metadata(third)).toMatchObject({ title: 'Third', year: 1999, ageRating: 18 })
  const tagsOf = (id: string) => after.tags.flatMap((each) => (each.series_id === id ? [each.tag_id] : [])).sort()
  expect([tagsOf(into), tagsOf(second), tagsOf(third)]).toEqual([[one, three].sort(), [three], [three]])
})

test('CAT-7 LIB-5 after an undo every file belongs where its folder says, whatever has happened to the folder', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const write = (path: string, seed: number) => folder.write(path, comic({ seed, pages: 1 }))
  const { libraryId, ids, groupId } = await scanned(server, write, folder.path)
  const [into, second, third] = ids
  const editor = await server.person('editor')
  // Two into one, and that into a third.
  const first = bodyOf(await merge(editor, groupId, { into: second, series: [third] })).mergeId
  const last = bodyOf(await merge(editor, groupId, { into, series: [second] })).mergeId
  await rename(folder.in('The Saga'), folder.in('Sagas'))
  await write('Sagas/03.cbz', 50)
  await write('Saga (old)/03.cbz', 51)
  await write('Saga/03.cbz', 52)
  await scanNow(server, libraryId)
  const counts = async () =>
    Object.fromEntries(bodyOf(await editor.call(api.listSeries, {})).data.map(({ id, bookCount }) => [id, bookCount]))
  expect(await counts()).toEqual({ [into]: 9 })

  expect((await undo(editor, first)).status).toBe(404)
  bodyOf(await undo(editor, last))
  expect(await counts()).toEqual({ [into]: 3, [second]: 6 })
  bodyOf(await undo(editor, first))
  expect(await counts()).toEqual({ [into]: 3, [second]: 3, [third]: 3 })
  await write('Sagas/04.cbz', 53)
  expect(await scanNow(server, libraryId, 'full')).toMatchObject({ books_added: 1, series_added: 0, books_moved: 0 })
  expect(await counts()).toEqual({ [into]: 3, [second]: 3, [third]: 4 })
})
