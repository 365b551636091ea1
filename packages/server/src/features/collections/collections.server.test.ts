import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, addBooks, addLibrary, addManySeries, type SeriesOptions } from '../../../test/content.ts'
import { unknownId } from '../../../test/contract/inputs.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { pagingOf } from '../../platform/paging.ts'
import { listLists, listViewerFor } from '../../catalogue/member-lists/member-lists.ts'
import { collections } from './collections.ts'

let server: TestServer
let library: AddedLibrary
let editor: Person
beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
  editor = await server.person('editor')
})
afterAll(() => server[Symbol.asyncDispose]())

/** Series with a book each, which has the rating of its series. */
const addShown = async (options: readonly SeriesOptions[]): Promise<string[]> => {
  const { db } = server.context
  const added = await addManySeries(db, library, options)
  for (const [index, each] of added.entries())
    await addBooks(db, each, [{ age_rating: options[index]?.age_rating ?? null }])
  return added.map(({ id }) => id)
}

const restrictedTo = (ageCeiling: number): api.Access => ({
  libraries: 'all',
  ageCeiling,
  includeUnrated: false,
  allowTags: [],
  denyTags: [],
  groups: [],
})

const create = async (body: api.NewCollection) => bodyOf(await editor.call(api.createCollection, { body }))
const add = async (id: string, seriesIds: string[]) =>
  bodyOf(await editor.call(api.addToCollection, { params: { id }, body: { seriesIds } }))
const titlesIn = async (
  { call }: Person,
  id: string,
  query: {
    sort?: 'manual,asc' | 'manual,desc' | 'title,desc' | 'added,desc' | 'year,asc' | 'year,desc'
    page?: number
    pageSize?: number
  } = {},
) => {
  const { data, total } = bodyOf(await call(api.listSeriesOfCollection, { params: { id }, query }))
  return [total, ...data.map(({ title }) => title)]
}

test('CAT-8 C18 a collection is made, changed and deleted, and its name is one', async () => {
  const made = await create({ name: ' Röbots ', summary: 'Beep' })
  expect(made).toMatchObject({ name: 'Röbots', summary: 'Beep', ordered: false, automatic: false, seriesCount: 0 })
  const params = { id: made.id }
  const taken = await editor.call(api.createCollection, { body: { name: 'RÖBOTS' } })
  expect(errorOf(taken).error).toBe('already_exists')
  const other = await create({ name: 'Others' })
  const renamed = await editor.call(api.updateCollection, { params: { id: other.id }, body: { name: 'röbots' } })
  expect(errorOf(renamed).error).toBe('already_exists')

  const changed = bodyOf(await editor.call(api.updateCollection, { params, body: { name: 'röbots', summary: null } }))
  expect(changed).toEqual({ ...made, name: 'röbots', summary: null, updatedAt: changed.updatedAt })
  const stale = server.callWith({ authorization: `Bearer ${editor.accessToken}`, 'if-match': '"other"' })
  expect((await stale(api.updateCollection, { params, body: { ordered: true } })).status).toBe(412)
  expect((await stale(api.deleteCollection, { params })).status).toBe(412)
  const read = await editor.call(api.readCollection, { params })
  const matching = server.callWith({
    authorization: `Bearer ${editor.accessToken}`,
    'if-match': read.headers.get('etag') ?? '',
  })
  expect((await matching(api.updateCollection, { params, body: { ordered: true } })).status).toBe(200)
  expect((await editor.call(api.deleteCollection, { params })).status).toBe(204)
  expect((await editor.call(api.readCollection, { params })).status).toBe(404)
  await editor.call(api.deleteCollection, { params: { id: other.id } })
})

test('CAT-8 C18 members come in the order that is asked for, and stay where somebody has put them', async () => {
  const [a = '', b = '', c = '', d = ''] = await addShown([
    { title: 'Ant', year: 2003 },
    { title: 'Bee' },
    { title: 'Cat', year: 1999 },
    { title: 'Dog 10', year: 2003 },
  ])
  const { id } = await create({ name: 'Beasts', ordered: true })
  expect(await add(id, [d, a, c])).toMatchObject({ seriesCount: 3 })
  // Existing members keep their positions.
  expect(await add(id, [b, d])).toMatchObject({ seriesCount: 4 })
  expect(await titlesIn(editor, id)).toEqual([4, 'Dog 10', 'Ant', 'Cat', 'Bee'])
  expect(await titlesIn(editor, id, { sort: 'manual,desc' })).toEqual([4, 'Bee', 'Cat', 'Ant', 'Dog 10'])
  expect(await titlesIn(editor, id, { sort: 'title,desc' })).toEqual([4, 'Dog 10', 'Cat', 'Bee', 'Ant'])
  // The year of the bee is unknown: it is last in both directions.
  expect(await titlesIn(editor, id, { sort: 'year,asc' })).toEqual([4, 'Cat', 'Ant', 'Dog 10', 'Bee'])
  expect(await titlesIn(editor, id, { sort: 'year,desc' })).toEqual([4, 'Dog 10', 'Ant', 'Cat', 'Bee'])
  expect(await titlesIn(editor, id, { page: 2, pageSize: 3 })).toEqual([4, 'Bee'])

  const order = (seriesIds: string[]) => editor.call(api.orderCollection, { params: { id }, body: { seriesIds } })
  expect((await order([b, a])).status).toBe(204)
  expect(await titlesIn(editor, id)).toEqual([4, 'Dog 10', 'Bee', 'Cat', 'Ant'])
  expect((await order([a, unknownId])).status).toBe(404)
  const move = (seriesId: string, position: number) =>
    editor.call(api.moveInCollection, { params: { id, seriesId }, body: { position } })
  expect((await move(a, 1)).status).toBe(204)
  expect(await titlesIn(editor, id)).toEqual([4, 'Ant', 'Dog 10', 'Bee', 'Cat'])
  expect((await move(d, 50_000)).status).toBe(204)
  expect(await titlesIn(editor, id)).toEqual([4, 'Ant', 'Bee', 'Cat', 'Dog 10'])
  expect((await move(unknownId, 1)).status).toBe(404)

  const remove = (seriesId: string) => editor.call(api.removeFromCollection, { params: { id, seriesId } })
  expect((await remove(b)).status).toBe(204)
  expect((await remove(b)).status).toBe(404)
  expect(await titlesIn(editor, id)).toEqual([3, 'Ant', 'Cat', 'Dog 10'])
  // Without an order of its own the collection is sorted by title.
  bodyOf(await editor.call(api.updateCollection, { params: { id }, body: { ordered: false } }))
  await order([d, a])
  expect(await titlesIn(editor, id)).toEqual([3, 'Ant', 'Cat', 'Dog 10'])
  const error = errorOf(await editor.call(api.addToCollection, { params: { id }, body: { seriesIds: [a, unknownId] } }))
  expect(error).toMatchObject({ error: 'validation_failed', details: [{ path: '/seriesIds/1' }] })
})

test('W9 CAT-8 a collection shows and counts what one may see, and with nothing in sight it does not exist', async () => {
  const [young = '', old = ''] = await addShown([
    { title: 'For all', age_rating: 6 },
    { title: 'For grown-ups', age_rating: 18 },
  ])
  const child = await server.person('reader', { access: restrictedTo(12) })
  const youngEditor = await server.person('editor', { access: restrictedTo(12) })
  const mixed = await create({ name: 'W9 mixed', ordered: true })
  await add(mixed.id, [old, young])
  const hidden = await create({ name: 'W9 hidden' })
  await add(hidden.id, [old])
  const empty = await create({ name: 'W9 empty' })
  const named = async ({ call }: Person) => {
    const { data, total } = bodyOf(await call(api.listCollections, { query: { pageSize: 500 } }))
    expect(data.length).toBe(total)
    return data.filter(({ name }) => name.startsWith('W9')).map(({ name, seriesCount }) => `${name} ${seriesCount}`)
  }

  expect(await named(editor)).toEqual(['W9 empty 0', 'W9 hidden 1', 'W9 mixed 2'])
  expect(await named(child)).toEqual(['W9 mixed 1'])
  expect(await named(youngEditor)).toEqual(['W9 empty 0', 'W9 mixed 1'])
  expect(await titlesIn(child, mixed.id)).toEqual([1, 'For all'])
  const seen = async ({ call }: Person, id: string) => [
    (await call(api.readCollection, { params: { id } })).status,
    (await call(api.listSeriesOfCollection, { params: { id } })).status,
    (await call(api.readCollectionThumbnail, { params: { id } })).status,
  ]
  expect(await seen(child, mixed.id)).toEqual([200, 200, 307])
  expect(await seen(child, hidden.id)).toEqual([404, 404, 404])
  expect(await seen(youngEditor, hidden.id)).toEqual([404, 404, 404])
  expect(await seen(child, empty.id)).toEqual([404, 404, 404])
  expect(await seen(youngEditor, empty.id)).toEqual([200, 200, 404])
  const names = await child.call(api.listCollectionsOfSeries, { params: { id: young } })
  expect(bodyOf(names).data.map(({ name }) => name)).toEqual(['W9 mixed'])
  expect((await child.call(api.listCollectionsOfSeries, { params: { id: old } })).status).toBe(404)

  // A change by a restricted editor leaves alone what is hidden from them.
  expect((await youngEditor.call(api.removeFromCollection, { params: { id: mixed.id, seriesId: old } })).status).toBe(
    404,
  )
  const move = { params: { id: mixed.id, seriesId: young }, body: { position: 1 } }
  expect((await youngEditor.call(api.moveInCollection, move)).status).toBe(204)
  expect(await titlesIn(editor, mixed.id, { sort: 'manual,asc' })).toEqual([2, 'For grown-ups', 'For all'])
  const order = { params: { id: mixed.id }, body: { seriesIds: [old] } }
  expect((await youngEditor.call(api.orderCollection, order)).status).toBe(404)
  expect((await youngEditor.call(api.updateCollection, { params: hidden, body: { name: 'x' } })).status).toBe(404)
  expect((await youngEditor.call(api.deleteCollection, { params: hidden })).status).toBe(404)
})

test('CAT-8 the cover of a collection is that of its first series, for whoever looks', async () => {
  const [young = '', old = ''] = await addShown([
    { title: 'Second', age_rating: 6 },
    { title: 'First', age_rating: 18 },
  ])
  const { id } = await create({ name: 'Covered' })
  await add(id, [old, young])
  const child = await server.person('reader', { access: restrictedTo(12) })
  for (const [person, first] of [
    [editor, old],
    [child, young],
  ] as const) {
    const { status, headers } = await person.call(api.readCollectionThumbnail, { params: { id } })
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      307,
      `/api/v1/series/${first}/thumbnail`,
      'no-store',
    ])
  }
})

test('CAT-8 D an automatic collection holds whatever fulfils its condition, for whoever looks', async () => {
  const [one = '', two = ''] = await addShown([
    { title: 'Auto one', year: 1984, age_rating: 6 },
    { title: 'Auto two', year: 1984, age_rating: 18 },
  ])
  const condition: api.SeriesCondition = { year: { operator: 'eq', value: 1984 } }
  const made = await create({ name: 'Automatic', condition })
  expect(made).toMatchObject({ automatic: true, condition, seriesCount: 2 })
  const child = await server.person('reader', { access: restrictedTo(12) })
  const nobody = await server.person('reader', { access: restrictedTo(1) })
  const params = { id: made.id }

  expect(await titlesIn(editor, made.id)).toEqual([2, 'Auto one', 'Auto two'])
  expect(await titlesIn(child, made.id)).toEqual([1, 'Auto one'])
  const seen = bodyOf(await child.call(api.readCollection, { params }))
  expect(seen).toMatchObject({ seriesCount: 1, automatic: true })
  // Only editors see the condition.
  expect(seen).not.toHaveProperty('condition')
  expect((await nobody.call(api.readCollection, { params })).status).toBe(404)
  expect(bodyOf(await nobody.call(api.listCollections, {})).total).toBe(0)
  const ofSeries = async ({ call }: Person, id: string) =>
    bodyOf(await call(api.listCollectionsOfSeries, { params: { id } })).data.map(({ name }) => name)
  expect(await ofSeries(child, one)).toEqual(['Automatic'])
  expect(await ofSeries(editor, two)).toEqual(['Automatic'])
  expect((await editor.call(api.readCollectionThumbnail, { params })).headers.get('location')).toContain(one)

  // Its own opinion counts for each.
  const loved: api.SeriesCondition = { userRating: { operator: 'gte', value: 90 } }
  const mine = await create({ name: 'Loved', condition: loved })
  bodyOf(await child.call(api.saveSeriesRating, { params: { id: one }, body: { rating: 95 } }))
  expect(await titlesIn(child, mine.id)).toEqual([1, 'Auto one'])
  expect(bodyOf(await editor.call(api.readCollection, { params: mine })).seriesCount).toBe(0)
  expect((await nobody.call(api.readCollection, { params: mine })).status).toBe(404)
})

test('CAT-8 C18 nothing is put into an automatic collection by hand, and its condition is a real one', async () => {
  const [series = ''] = await addShown([{ title: 'Handmade', year: 1985 }])
  const condition: api.SeriesCondition = { year: { operator: 'eq', value: 1985 } }
  const { id } = await create({ name: 'Hands off', condition })
  const params = { id }
  const one = { params: { id, seriesId: series } }
  const refusals = [
    await editor.call(api.addToCollection, { params, body: { seriesIds: [series] } }),
    await editor.call(api.orderCollection, { params, body: { seriesIds: [series] } }),
    await editor.call(api.moveInCollection, { ...one, body: { position: 1 } }),
    await editor.call(api.removeFromCollection, one),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409, 409])
  const nested = { allOf: [{ not: { anyOf: [{ inCollection: { operator: 'isTrue' } }] } }] } as api.SeriesCondition
  const wrong: api.CollectionPatch[] = [
    { condition: { allOf: [] } },
    { condition: { anyOf: [{ allOf: [] }] } },
    { condition: { inCollection: { operator: 'isTrue' } } },
    { condition: nested },
    { condition: { year: { operator: 'is', value: 1 } } as unknown as api.SeriesCondition },
    { ordered: true },
  ]
  for (const body of wrong) {
    expect([body, errorOf(await editor.call(api.updateCollection, { params, body })).error]).toEqual([
      body,
      'validation_failed',
    ])
    const made = { name: 'Wrong', condition, ...body }
    expect([body, errorOf(await editor.call(api.createCollection, { body: made })).error]).toEqual([
      body,
      'validation_failed',
    ])
  }
  expect(errorOf(await editor.call(api.listSeriesOfCollection, { params, query: { sort: 'manual,asc' } })).error).toBe(
    'validation_failed',
  )

  // Without its condition it is an empty collection, which can be filled and have an order.
  const emptied = bodyOf(await editor.call(api.updateCollection, { params, body: { condition: null, ordered: true } }))
  expect(emptied).toMatchObject({ automatic: false, condition: null, seriesCount: 0, ordered: true })
  await add(id, [series])
  const back = await editor.call(api.updateCollection, { params, body: { condition, ordered: false } })
  expect(errorOf(back).error).toBe('conflict')
})

test('D a page of fifty automatic collections costs at most eight statements, one by hand four', async () => {
  await using own = await startServer()
  const { call } = await own.person('editor')
  const reader = await own.person('reader')
  const { db } = own.context
  const years = Array.from({ length: 50 }, (_, index) => 1950 + index)
  const added = await addManySeries(
    db,
    await addLibrary(db),
    years.map((year) => ({ title: `Series ${year}`, year, book_count: 1 })),
  )
  const rows = years.map((year) => ({
    id: newId(),
    name: `Since ${year}`,
    name_key: `since ${year}`,
    sort_key: `since ${year}`,
    summary: null,
    ordered: 0 as const,
    condition: JSON.stringify({ year: { operator: 'gte', value: year } }),
    created_at: '2026-11-01T10:00:00.000Z',
    updated_at: '2026-11-01T10:00:00.000Z',
  }))
  await db.write((db) => insertMany(db, 'collection', rows))
  const hand = bodyOf(await call(api.createCollection, { body: { name: 'By hand' } }))
  bodyOf(await call(api.addToCollection, { params: hand, body: { seriesIds: added.map(({ id }) => id) } }))
  const statements = () => own.logLines.filter(({ sql }) => /collection|series/.test(String(sql))).length
  const costOf = async (ask: () => Promise<{ status: number }>) => {
    // The first one finds out who asks. After any other commit all is counted again.
    await ask()
    await db.write((db) => db.updateTable('library').set({ description: newId() }).execute())
    const before = statements()
    expect((await ask()).status).toBe(200)
    return statements() - before
  }

  for (const person of [{ call }, reader]) {
    const page = bodyOf(await person.call(api.listCollections, {}))
    expect([page.total, ...page.data.slice(1).map(({ seriesCount }) => seriesCount)]).toEqual([
      51,
      ...Array.from({ length: 49 }, (_, index) => 50 - index),
    ])
    expect(await costOf(() => person.call(api.listCollections, {}))).toBeLessThanOrEqual(8)
  }
  expect(await costOf(() => call(api.listSeriesOfCollection, { params: hand }))).toBeLessThanOrEqual(4)
})

test('D C18 what fulfils the conditions of collections is not counted again until something is committed', async () => {
  await using own = await startServer()
  const { id: userId, call } = await own.person('editor')
  const reader = await own.person('reader')
  const { db } = own.context
  const [first] = await addManySeries(
    db,
    await addLibrary(db),
    [2001, 2002, 2003].map((year) => ({ title: `Series ${year}`, year, book_count: 1 })),
  )
  for (const since of [2002, 2010])
    bodyOf(
      await call(api.createCollection, {
        body: { name: `Since ${since}`, condition: { year: { operator: 'gte', value: since } } },
      }),
    )
  const countsFor = async (person: Pick<Person, 'call'>) =>
    bodyOf(await person.call(api.listCollections, {})).data.map(({ seriesCount }) => seriesCount)

  expect([await countsFor({ call }), await countsFor({ call })]).toEqual([
    [2, 0],
    [2, 0],
  ])
  // A user who may not fill them sees only those that hold something.
  expect([await countsFor(reader), await countsFor(reader)]).toEqual([[2], [2]])
  await db.write((db) =>
    db
      .updateTable('series')
      .set({ year: 2011 })
      .where('id', '=', first?.id ?? '')
      .execute(),
  )
  expect([await countsFor({ call }), await countsFor(reader)]).toEqual([
    [3, 1],
    [3, 1],
  ])

  const rule = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
  const viewer = { userId, rule, deletedLibraries: [], seesPaths: true }
  for (const mayChange of [true, false]) {
    const listViewer = listViewerFor(collections, viewer, mayChange)
    const countReads = async () => {
      const before = own.logLines.length
      await listLists(db.readSlowly, listViewer, undefined, pagingOf(1, 50))
      return own.logLines.slice(before).filter(({ sql }) => /series"?\."?year/.test(String(sql))).length
    }
    // The first time it is also found out which there are for somebody who may not fill them.
    expect([mayChange, await countReads(), await countReads()]).toEqual([mayChange, mayChange ? 1 : 2, 0])
  }
})

test('C18 CAT-8 only so many series are taken at once', async () => {
  const { id } = await create({ name: 'Limited' })
  const seriesIds = Array.from(
    { length: 10_001 },
    (_, index) => `019aa3b2-0000-7000-8000-${String(index).padStart(12, '0')}`,
  )
  for (const endpoint of [api.addToCollection, api.orderCollection] as const) {
    const outcome = await editor.call(endpoint, { params: { id }, body: { seriesIds } })
    expect(outcome.status).toBe(400)
  }
  const longName = await editor.call(api.createCollection, { body: { name: 'x'.repeat(201) } })
  expect(errorOf(longName).error).toBe('validation_failed')
})

test('EVT-2 HTTP-3 whoever sees something in a collection hears of it, and nobody else', async () => {
  const [young = '', old = ''] = await addShown([
    { title: 'Heard by all', age_rating: 6 },
    { title: 'Heard by some', age_rating: 18 },
  ])
  const { id } = await create({ name: 'Heard' })
  await add(id, [old])
  await add(id, [young])
  await editor.call(api.deleteCollection, { params: { id } })
  const events = await server.context.db.read
    .selectFrom('event')
    .select(['type', 'permission', 'sights'])
    .where('data', 'like', `%${id}%`)
    .orderBy('number')
    .orderBy('id')
    .execute()

  const labels = (ageRating: number) => ({ content: { ageRating } })
  expect(events.map(({ type, permission, sights }) => [type, permission, JSON.parse(sights ?? '[]')])).toMatchObject([
    ['collection_created', 'collections:write', []],
    ['collection_created', 'collections:read', [{ of: [labels(18)], isSeen: true }]],
    ['collection_deleted', 'collections:read', [{ isSeen: true }, { of: [labels(6), labels(18)], isSeen: false }]],
    ['collection_created', 'collections:read', [{ of: [labels(18)], isSeen: false }, { isSeen: true }]],
    ['collection_updated', 'collections:read', [{ of: [labels(18)], isSeen: true }, { isSeen: true }]],
    ['collection_deleted', 'collections:read', [{ of: [labels(6), labels(18)], isSeen: true }]],
  ])
})
