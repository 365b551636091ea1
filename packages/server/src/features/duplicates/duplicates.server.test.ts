import * as api from '@carrel/api'
import type { Kysely, KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import {
  type AddedLibrary,
  addBooks,
  addLibrary,
  addManySeries,
  addSeries,
  type SeriesOptions,
} from '../../../test/content.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { insertMany } from '../../database/many.ts'
import type { Schema } from '../../database/schema.ts'
import { chosenSchedules } from '../../triggers.ts'
import { findDuplicates } from './tasks.ts'

const addAll = async (
  { context: { db } }: TestServer,
  library: AddedLibrary,
  options: readonly SeriesOptions[],
): Promise<string[]> => {
  const ids: string[] = []
  for (const each of options) {
    const series = await addSeries(db, library, { key: `${each.title}/${ids.length}`, ...each })
    await addBooks(db, series, [{ age_rating: each.age_rating ?? null }])
    ids.push(series.id)
  }
  return ids
}

const untilDone = async ({ context: { db } }: TestServer): Promise<void> => {
  for (;;) {
    const rows = await db.read
      .selectFrom('task')
      .select(['status', 'last_error'])
      .where('type', '=', findDuplicates.type)
      .execute()
    const failed = rows.find(({ last_error }) => last_error !== null)
    if (failed) throw new Error(`The search has failed: ${failed.last_error}`)
    if (rows.every(({ status }) => status === 'completed')) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const find = async (server: TestServer, person: Person): Promise<void> => {
  bodyOf(await person.call(api.findDuplicates, {}))
  await using _ = workOn(server, [findDuplicates])
  await untilDone(server)
}

const alternate = (...titles: string[]) => ({
  metadata: JSON.stringify({ alternateTitles: titles.map((title) => ({ label: 'Other', title })) }),
})

const addExternalIds = ({ context: { db } }: TestServer, ids: readonly (readonly [string, string, string])[]) =>
  db.write((db) =>
    insertMany(
      db,
      'external_id',
      ids.map(([entity_id, source, external_id]) => ({ entity_id, entity: 'series', source, external_id, url: null })),
    ),
  )

const groupsOf = async (person: Person, query: { matchType?: 'title' | 'external_id' } = {}) =>
  bodyOf(await person.call(api.listSeriesDuplicates, { query }))
const matchesOf = async (person: Person) =>
  (await groupsOf(person)).duplicates.map(({ matchType, matchKey, members }) => [
    matchType,
    matchKey,
    members.map(({ title }) => title).sort(),
  ])

test('CAT-7 C18 series are grouped by their titles within a library, and by their ids anywhere', async () => {
  const { clock, pass } = movableClock()
  await using server = await startServer({ clock })
  const { db } = server.context
  const manga = await addLibrary(db, { name: 'Manga' })
  const comics = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  const editor = await server.person('editor')
  expect(await groupsOf(editor)).toEqual({
    duplicates: [],
    externalIdGroups: 0,
    titleGroups: 0,
    totalDuplicateSeries: 0,
    totalGroups: 0,
  })
  const [hyphen = '', spaced = '', , , , fullWidth = ''] = await addAll(server, manga, [
    { title: 'One-Punch Man', ...alternate('ワンパンマン') },
    { title: 'One Punch Man' },
    { title: 'わんぱんまん' },
    { title: 'Les Misérables' },
    { title: 'Miserables' },
    { title: 'Ｂｌｅａｃｈ' },
    { title: 'BLEACH' },
    { title: 'Alone' },
  ])
  const [sandman = '', theSandman = ''] = await addAll(server, comics, [
    { title: 'Sandman, The' },
    { title: 'The Sandman' },
    { title: 'Alone' },
  ])
  await addExternalIds(server, [
    [hyphen, 'anilist', '74347'],
    [sandman, 'plugin:anilist', '74347'],
    [theSandman, 'anilist', '1'],
    [fullWidth, 'other', '1'],
  ])
  await find(server, editor)

  const groups = await groupsOf(editor)
  expect(groups.duplicates[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    createdAt: clock().toISOString(),
    updatedAt: clock().toISOString(),
    duplicateCount: 2,
    libraryId: null,
    matchKey: 'plugin:anilist:74347',
    matchType: 'external_id',
    members: [
      {
        id: hyphen,
        libraryId: manga.id,
        libraryName: 'Manga',
        title: 'One-Punch Man',
        bookCount: 1,
        updatedAt: expect.any(String),
      },
      {
        id: sandman,
        libraryId: comics.id,
        libraryName: 'Comics',
        title: 'Sandman, The',
        bookCount: 1,
        updatedAt: expect.any(String),
      },
    ],
  })
  expect(groups).toMatchObject({ externalIdGroups: 1, titleGroups: 5, totalDuplicateSeries: 9, totalGroups: 6 })
  expect(await matchesOf(editor)).toEqual([
    ['external_id', 'plugin:anilist:74347', ['One-Punch Man', 'Sandman, The']],
    ['title', 'bleach', ['BLEACH', 'Ｂｌｅａｃｈ']],
    ['title', 'miserables', ['Les Misérables', 'Miserables']],
    ['title', 'onepunchman', ['One Punch Man', 'One-Punch Man']],
    ['title', 'sandman', ['Sandman, The', 'The Sandman']],
    ['title', 'わんはんまん', ['One-Punch Man', 'わんぱんまん']],
  ])

  // The page changes nothing about the totals; the kind of match does.
  const second = bodyOf(await editor.call(api.listSeriesDuplicates, { query: { page: 2, pageSize: 4 } }))
  expect(second).toEqual({ ...groups, duplicates: groups.duplicates.slice(4) })
  const beyond = bodyOf(await editor.call(api.listSeriesDuplicates, { query: { page: 9 } }))
  expect(beyond).toEqual({ ...groups, duplicates: [] })
  expect(await groupsOf(editor, { matchType: 'external_id' })).toEqual({
    duplicates: groups.duplicates.slice(0, 1),
    externalIdGroups: 1,
    titleGroups: 0,
    totalDuplicateSeries: 2,
    totalGroups: 1,
  })
  expect((await editor.call(api.listSeriesDuplicates, { query: { matchType: 'name' as 'title' } })).status).toBe(400)

  // A group stays the same one from search to search; it changes only with its members.
  pass(30 * minute)
  await find(server, editor)
  expect(await groupsOf(editor)).toEqual(groups)
  await addAll(server, comics, [{ title: 'SANDMAN' }])
  await db.write((db) => db.updateTable('series').set({ title: 'Bleach!' }).where('id', '=', fullWidth).execute())
  await db.write((db) => db.updateTable('series').set({ title: 'Another' }).where('id', '=', spaced).execute())
  await find(server, editor)
  const later = await groupsOf(editor)
  const of = (list: typeof later, key: string) => list.duplicates.find(({ matchKey }) => matchKey === key)
  expect(of(later, 'onepunchman')).toBeUndefined()
  expect(of(later, 'bleach')).toEqual({ ...of(groups, 'bleach'), members: expect.any(Array) })
  expect(of(later, 'sandman')).toMatchObject({
    id: of(groups, 'sandman')?.id,
    createdAt: of(groups, 'sandman')?.createdAt,
    updatedAt: clock().toISOString(),
    duplicateCount: 3,
  })
})

test('CAT-7 a title that says no more than a better one is no group of its own', async () => {
  await using server = await startServer()
  const library = await addLibrary(server.context.db)
  const others = alternate('ワンパンマン', 'Onepunch-Man Z', 'OPM')
  await addAll(server, library, [
    { title: 'One-Punch Man', ...others },
    { title: 'One Punch Man', ...others },
    { title: 'Berserk', ...alternate('Kenpuu Denki', 'Guts') },
    { title: 'Berserk of Gluttony', ...alternate('kenpuu denki', 'GUTS') },
  ])
  const editor = await server.person('editor')
  await find(server, editor)

  expect(await matchesOf(editor)).toEqual([
    ['title', 'guts', ['Berserk', 'Berserk of Gluttony']],
    ['title', 'onepunchman', ['One Punch Man', 'One-Punch Man']],
  ])
})

test('CAT-7 C18 a group that was dismissed stays away until its members are others', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const [first = ''] = await addAll(server, library, [
    { title: 'Saga' },
    { title: 'SAGA' },
    { title: 'Nana' },
    { title: 'NANA' },
  ])
  const editor = await server.person('editor')
  await find(server, editor)
  const { duplicates } = await groupsOf(editor)
  const params = { id: duplicates.find(({ matchKey }) => matchKey === 'saga')?.id ?? '' }
  expect((await editor.call(api.dismissSeriesDuplicates, { params })).status).toBe(204)
  expect(await groupsOf(editor)).toMatchObject({
    titleGroups: 1,
    totalDuplicateSeries: 2,
    duplicates: [{ matchKey: 'nana' }],
  })
  expect((await editor.call(api.restoreSeriesDuplicates, { params })).status).toBe(204)
  expect((await groupsOf(editor)).duplicates.map(({ id }) => id)).toContain(params.id)
  expect((await editor.call(api.dismissSeriesDuplicates, { params })).status).toBe(204)
  await find(server, editor)
  expect((await groupsOf(editor)).totalGroups).toBe(1)

  await addAll(server, library, [{ title: 'The Saga' }])
  await find(server, editor)
  expect((await groupsOf(editor)).duplicates.find(({ id }) => id === params.id)).toMatchObject({ duplicateCount: 3 })
  expect((await editor.call(api.dismissSeriesDuplicates, { params })).status).toBe(204)
  await db.write((db) => db.updateTable('series').set({ title: 'Sagas' }).where('id', '=', first).execute())
  await find(server, editor)
  expect((await groupsOf(editor)).duplicates.find(({ id }) => id === params.id)).toMatchObject({ duplicateCount: 2 })
  const unknown = { id: first }
  expect((await editor.call(api.restoreSeriesDuplicates, { params: unknown })).status).toBe(404)
  expect(errorOf(await editor.call(api.dismissSeriesDuplicates, { params: unknown }))).toMatchObject({
    error: 'not_found',
  })
})

test('CAT-7 W9 what a viewer does not see of a group is not counted, and what they dismiss is what they saw', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const other = await addLibrary(db, { name: 'Other', path: '/data/other' })
  const [a = '', b = '', c = ''] = await addAll(server, library, [
    { title: 'Saga', age_rating: 6 },
    { title: 'SAGA', age_rating: 6 },
    { title: 'The Saga', age_rating: 18 },
    { title: 'Nana', age_rating: 6 },
    { title: 'NANA', age_rating: 18 },
  ])
  const [d = ''] = await addAll(server, other, [{ title: 'Elsewhere', age_rating: 6 }])
  await addExternalIds(server, [
    [a, 'anilist', '1'],
    [d, 'anilist', '1'],
  ])
  const editor = await server.person('editor')
  const limited = await server.person('editor', { access: { libraries: [library.id], ageCeiling: 12 } })
  await find(server, editor)

  expect(await groupsOf(editor)).toMatchObject({ externalIdGroups: 1, titleGroups: 2, totalDuplicateSeries: 6 })
  const { duplicates, ...totals } = await groupsOf(limited)
  expect(totals).toEqual({ externalIdGroups: 0, titleGroups: 1, totalDuplicateSeries: 2, totalGroups: 1 })
  expect(duplicates).toMatchObject([{ matchKey: 'saga', duplicateCount: 2, members: [{ id: a }, { id: b }] }])
  const nana = (await groupsOf(editor)).duplicates.find(({ matchKey }) => matchKey === 'nana')?.id ?? ''
  expect((await limited.call(api.dismissSeriesDuplicates, { params: { id: nana } })).status).toBe(404)
  expect((await limited.call(api.restoreSeriesDuplicates, { params: { id: nana } })).status).toBe(404)
  const merge = { params: { id: nana }, body: { into: a } }
  expect((await limited.call(api.mergeSeries, merge)).status).toBe(404)
  const saga = duplicates[0]?.id ?? ''
  const hidden = { params: { id: saga }, body: { into: a, series: [c] } }
  expect(errorOf(await limited.call(api.mergeSeries, hidden))).toMatchObject({ details: [{ path: '/series/0' }] })

  expect((await limited.call(api.dismissSeriesDuplicates, { params: { id: saga } })).status).toBe(204)
  expect((await groupsOf(limited)).totalGroups).toBe(0)
  expect((await groupsOf(editor)).duplicates.find(({ id }) => id === saga)).toMatchObject({ duplicateCount: 3 })
})

test('CAT-7 LIB-5 books are grouped by the same file, the same content and the same pages, the strongest of it', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const series = await addSeries(db, library, { title: 'Saga' })
  const hidden = await addSeries(db, library, { title: 'Hidden', age_rating: 18 })
  const hashes = (file: string, content: string, pages: string | null) => ({
    file: { file_hash: file, content_hash: content, pages_hash: pages },
  })
  const ids = await addBooks(db, series, [
    hashes('f1', 'c1', 'p1'),
    hashes('f1', 'c1', 'p1'),
    hashes('f2', 'c2', 'p2'),
    hashes('f3', 'c2', 'p2'),
    hashes('f4', 'c4', 'p1'),
    hashes('f5', 'c5', null),
    { ...hashes('f1', 'c1', 'p1'), state: 'missing' },
  ])
  const [away = ''] = await addBooks(db, hidden, [{ ...hashes('f5', 'c5', null), age_rating: 18 }])
  const files = await db.read
    .selectFrom('file')
    .select(['book_id', 'file_hash', 'content_hash', 'pages_hash'])
    .execute()
  const kinds = { file: 'file_hash', content: 'content_hash', pages: 'pages_hash' } as const
  await db.write((db) =>
    insertMany(
      db,
      'book_fingerprint',
      Object.entries(kinds).flatMap(([kind, column]) =>
        files.flatMap((file) => {
          const value = file[column]
          return value === null ? [] : [{ kind: kind as 'file', value, book_id: file.book_id, at: '' }]
        }),
      ),
    ),
  )
  // Something a book once held says nothing of it now.
  await db.write((db) =>
    insertMany(db, 'book_fingerprint', [{ kind: 'file', value: 'f2', book_id: ids[5] ?? '', at: '' }]),
  )
  const editor = await server.person('editor')
  const child = await server.person('editor', { access: { ageCeiling: 12, includeUnrated: true } })
  await find(server, editor)

  const list = async (person: Person) => bodyOf(await person.call(api.listBookDuplicates, {}))
  const shape = async (person: Person) =>
    (await list(person)).duplicates.map(({ matchType, fileHash, bookIds }) => [matchType, fileHash, bookIds])
  const [one = '', two = '', three = '', four = '', five = '', six = ''] = ids
  expect(await shape(editor)).toEqual([
    ['content', 'c2', [three, four]],
    ['file', 'f1', [one, two]],
    ['file', 'f5', [six, away]],
    ['pages', 'p1', [one, two, five]],
  ])
  expect(await list(editor)).toMatchObject({ totalGroups: 4, totalDuplicateBooks: 7 })
  expect((await list(editor)).duplicates[0]?.members[0]).toEqual({
    id: three,
    title: 'Saga 3',
    seriesId: series.id,
    seriesTitle: 'Saga',
    number: 3,
    volume: null,
    chapter: null,
    libraryId: library.id,
    libraryName: 'Manga',
    fileFormat: 'cbz',
    fileSize: 1000,
    pageCount: 20,
  })
  expect(await list(child)).toMatchObject({ totalGroups: 3, totalDuplicateBooks: 5 })
  const pages = bodyOf(await editor.call(api.listBookDuplicates, { query: { matchType: 'pages' } }))
  expect(pages).toMatchObject({ totalGroups: 1, totalDuplicateBooks: 3 })

  const params = { id: pages.duplicates[0]?.id ?? '' }
  expect((await editor.call(api.dismissBookDuplicates, { params })).status).toBe(204)
  expect((await editor.call(api.dismissSeriesDuplicates, { params })).status).toBe(404)
  await find(server, editor)
  expect(await list(editor)).toMatchObject({ totalGroups: 3, totalDuplicateBooks: 6 })
})

test('CAT-7 TSK-1 one search runs at a time, and one that is broken off leaves the groups there were', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  await addAll(server, library, [{ title: 'Saga' }, { title: 'SAGA' }])
  const editor = await server.person('editor')
  const reader = await server.person('reader')
  expect((await reader.call(api.findDuplicates, {})).status).toBe(403)
  const first = await editor.call(api.findDuplicates, {})
  expect(first.status).toBe(202)
  expect(bodyOf(await editor.call(api.findDuplicates, {}))).toEqual(bodyOf(first))
  await find(server, editor)
  const before = await groupsOf(editor)
  expect(before.totalGroups).toBe(1)

  await addAll(server, library, [{ title: 'Nana' }, { title: 'NANA' }, { title: 'Alpha' }, { title: 'ALPHA' }])
  let writes = 0
  const context = {
    db,
    log: server.context.log,
    clock: server.context.clock,
    signal: new AbortController().signal,
    // The failure is as when the process dies: after the keys, in the middle of the groups.
    write: <Result>(work: Parameters<typeof db.write<Result>>[0]) => {
      writes += 1
      if (writes > 2) throw new Error('Killed')
      return db.write(work)
    },
    finish: () => Promise.resolve(true),
    isRepeated: false,
    progress: () => undefined,
  }
  await expect(findDuplicates.run({}, context, {})).rejects.toThrow('Killed')
  const { duplicates } = await groupsOf(editor)
  expect(duplicates).toEqual(expect.arrayContaining([...before.duplicates]))
  await find(server, editor)
  expect((await matchesOf(editor)).map(([, key]) => key)).toEqual(['alpha', 'nana', 'saga'])
  expect((await groupsOf(editor)).duplicates).toEqual(expect.arrayContaining([...before.duplicates]))
})

test('EVT-2 EVT-3 of other groups hear those who see the library, once for each search', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  await addLibrary(db, { name: 'Other', path: '/data/other' })
  await addAll(server, library, [{ title: 'Saga' }, { title: 'SAGA' }, { title: 'Nana' }, { title: 'NANA' }])
  const editor = await server.person('editor')
  await find(server, editor)
  await find(server, editor)
  const events = await db.read
    .selectFrom('event')
    .select(['library_id', 'permission'])
    .where('type', '=', 'duplicates_updated')
    .execute()
  expect(events).toEqual([{ library_id: library.id, permission: 'series:read' }])
})

test('CAT-7 CFG-4 duplicates are looked for when the setting says, and never while it is empty', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  const schedule = chosenSchedules(server.context).find(({ name }) => name === 'find_duplicates')
  expect(schedule?.pattern()).toBe('')
  const admin = await server.person('admin')
  const params = { key: 'deduplication.cron_schedule' }
  bodyOf(await admin.call(api.saveSetting, { params, body: { value: '0 4 * * 1' } }))
  expect(schedule?.pattern()).toBe('0 4 * * 1')
  await db.write(async (db) => schedule?.fire(db, clock()))
  const tasks = await db.read.selectFrom('task').select(['type', 'library_id']).execute()
  expect(tasks).toEqual([{ type: 'find_duplicates', library_id: null }])
})

test('CAT-7 however large a group is, no statement answers with all of it', async () => {
  await using server = await startServer()
  const { db, log, clock } = server.context
  const library = await addLibrary(db)
  const untitled = Array.from({ length: 1500 }, (_, index) => ({
    title: 'Untitled',
    key: String(index),
    book_count: 1,
  }))
  const series = await addManySeries(db, library, untitled)
  const editor = await server.person('editor')
  let rowsMax = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      rowsMax = Math.max(rowsMax, result.rows.length)
      return Promise.resolve(result)
    },
  }
  const context = {
    db: { ...db, readSlowly: (db.readSlowly as Kysely<Schema>).withPlugin(counting) },
    log,
    clock,
    signal: new AbortController().signal,
    write: db.write,
    finish: () => Promise.resolve(true),
    isRepeated: false,
    progress: () => undefined,
  }
  await findDuplicates.run({}, context, {})
  const [group] = (await groupsOf(editor)).duplicates
  expect(group).toMatchObject({ matchKey: 'untitled', duplicateCount: 1500 })
  expect(group?.members.map(({ id }) => id)).toEqual(series.slice(0, 200).map(({ id }) => id))

  await db.write((db) => db.updateTable('series').set({ title: 'Titled' }).execute())
  await findDuplicates.run({}, context, {})
  expect((await groupsOf(editor)).duplicates).toMatchObject([{ matchKey: 'titled', duplicateCount: 1500 }])
  expect(rowsMax).toBeLessThanOrEqual(500)
})
