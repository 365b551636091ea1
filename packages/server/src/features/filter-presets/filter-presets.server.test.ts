import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLibrary } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { unknownId } from '../../../test/contract/inputs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const none: api.NewFilterPreset = { name: 'Shelf', scope: 'list', target: 'series', condition: { allOf: [] } }

test('CAT-6 C18 a preset is kept as it was given, and answered by name', async () => {
  const { call } = await server.person('reader')
  const library = await addLibrary(server.context.db, { name: 'Shelved', path: '/data/shelved' })
  const preset: api.NewFilterPreset = {
    name: '  Vol. 10 ',
    scope: 'search',
    target: 'books',
    condition: { anyOf: [{ title: { operator: 'contains', value: 'Ünïcode %_' } }] },
    query: 'one piece',
    sort: 'name,desc',
    libraryId: library.id,
  }

  const outcome = await call(api.createFilterPreset, { body: preset })
  const created = bodyOf(outcome)
  expect(outcome.status).toBe(201)
  expect(created).toEqual({
    ...preset,
    name: 'Vol. 10',
    id: created.id,
    createdAt: created.createdAt,
    updatedAt: created.createdAt,
  })
  expect(bodyOf(await call(api.readFilterPreset, { params: created }))).toEqual(created)

  const vol2 = bodyOf(await call(api.createFilterPreset, { body: { ...none, name: 'vol. 2' } }))
  expect(vol2).toMatchObject({ query: null, sort: null, libraryId: null, condition: { allOf: [] } })
  const listed = async (query: { scope?: 'list' | 'search'; target?: 'series' | 'books'; libraryId?: string }) =>
    bodyOf(await call(api.listFilterPresets, { query })).presets.map(({ name }) => name)
  expect(await listed({})).toEqual(['vol. 2', 'Vol. 10'])
  expect(await listed({ scope: 'list' })).toEqual(['vol. 2'])
  expect(await listed({ target: 'books' })).toEqual(['Vol. 10'])
  expect(await listed({ scope: 'list', target: 'books' })).toEqual([])
  // The list holds only the presets of that library, without those for all libraries.
  expect(await listed({ libraryId: library.id })).toEqual(['Vol. 10'])
  expect(await listed({ libraryId: unknownId })).toEqual([])
})

test('CAT-6 C18 names are one in each scope, target and library, whatever the case', async () => {
  const { call } = await server.person('reader')
  const other = await server.person('reader')
  const library = await addLibrary(server.context.db, { name: 'Named', path: '/data/named' })
  const create = (changes: Partial<api.NewFilterPreset>, by = call) =>
    by(api.createFilterPreset, { body: { ...none, ...changes } })
  const { id } = bodyOf(await create({ name: 'Größe' }))

  for (const same of [{ name: 'GRÖSSE'.replace('SS', 'ß') }, { name: ' größe ' }])
    expect([same, errorOf(await create(same)).error]).toEqual([same, 'already_exists'])
  const elsewhere = [{ scope: 'search' }, { target: 'books' }, { libraryId: library.id }] as const
  const made = []
  for (const owner of elsewhere) made.push(bodyOf(await create({ name: 'größe', ...owner })))
  bodyOf(await create({ name: 'größe' }, other.call))
  expect(errorOf(await create({ name: 'GRÖßE', libraryId: library.id })).error).toBe('already_exists')

  // Moved to where the name is taken.
  const inLibrary = made[2]?.id ?? ''
  const moved = { ...none, name: 'größe', libraryId: null }
  const refused = await call(api.replaceFilterPreset, { params: { id: inLibrary }, body: moved })
  expect(errorOf(refused).error).toBe('already_exists')
  // Its own name is no other's.
  bodyOf(await call(api.replaceFilterPreset, { params: { id }, body: { ...none, name: 'GRÖßE' } }))
})

test('CAT-6 C18 a preset is replaced as a whole, but stays in its scope and target', async () => {
  const { call, accessToken } = await server.person('reader')
  const created = bodyOf(
    await call(api.createFilterPreset, { body: { ...none, query: 'x', sort: 'name,asc', name: 'Replaced' } }),
  )
  const params = { id: created.id }
  const changed = bodyOf(await call(api.replaceFilterPreset, { params, body: { ...none, name: 'Other' } }))
  expect(changed).toMatchObject({
    id: created.id,
    name: 'Other',
    query: null,
    sort: null,
    createdAt: created.createdAt,
  })

  for (const [path, change] of [
    ['/scope', { scope: 'search' }],
    ['/target', { target: 'books' }],
  ] as const) {
    const error = errorOf(await call(api.replaceFilterPreset, { params, body: { ...none, ...change } }))
    expect(error).toMatchObject({ error: 'validation_failed', details: [{ path }] })
  }
  const stale = server.callWith({ authorization: `Bearer ${accessToken}`, 'if-match': '"other"' })
  expect((await stale(api.replaceFilterPreset, { params, body: none })).status).toBe(412)
  expect((await stale(api.deleteFilterPreset, { params })).status).toBe(412)
  expect((await call(api.deleteFilterPreset, { params })).status).toBe(204)
  expect((await call(api.deleteFilterPreset, { params })).status).toBe(404)
})

test("CAT-6 another user's preset does not exist, nor does a library one may not see", async () => {
  const owner = await server.person('reader')
  const hidden = await addLibrary(server.context.db, { name: 'Hidden', path: '/data/hidden' })
  const stranger = await server.person('admin', { access: { libraries: [] } })
  const { id } = bodyOf(
    await owner.call(api.createFilterPreset, { body: { ...none, name: 'Mine', libraryId: hidden.id } }),
  )
  const params = { id }

  expect((await stranger.call(api.readFilterPreset, { params })).status).toBe(404)
  expect((await stranger.call(api.replaceFilterPreset, { params, body: none })).status).toBe(404)
  expect((await stranger.call(api.deleteFilterPreset, { params })).status).toBe(404)
  expect(bodyOf(await stranger.call(api.listFilterPresets, {})).presets).toEqual([])
  const refused = await stranger.call(api.createFilterPreset, { body: { ...none, libraryId: hidden.id } })
  expect(errorOf(refused)).toMatchObject({ error: 'validation_failed', details: [{ path: '/libraryId' }] })

  const admin = await server.person('admin')
  bodyOf(
    await admin.call(api.updateUser, {
      params: { id: owner.id },
      body: {
        access: { libraries: [], ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [], groups: [] },
      },
    }),
  )
  expect((await owner.call(api.readFilterPreset, { params })).status).toBe(404)
  expect(bodyOf(await owner.call(api.listFilterPresets, {})).presets).toEqual([])
})

test('CAT-6 C18 what is no preset is refused with the place', async () => {
  const { call } = await server.person('reader')
  const wrong: [string, object][] = [
    ['/name', { name: '' }],
    ['/name', { name: '  \t ' }],
    ['/name', { name: 'x'.repeat(101) }],
    ['/scope', { scope: 'lists' }],
    ['/target', { target: 'book' }],
    ['/condition', { condition: undefined }],
    ['/condition', { condition: [] }],
    ['/condition', { condition: {} }],
    // Each target has fields of its own.
    ['/condition/anyOf/0/pageCount', { condition: { anyOf: [{ pageCount: { operator: 'gt', value: 1 } }] } }],
    ['/condition/year', { target: 'books', condition: { year: { operator: 'eq', value: 1 } } }],
    ['/condition/title/operator', { condition: { title: { operator: 'gt', value: 'x' } } }],
    ['/sort', { sort: 'number,asc' }],
    ['/sort', { sort: 'name' }],
  ]
  for (const [path, changes] of wrong) {
    const body: api.NewFilterPreset = { ...none, ...changes }
    const error = errorOf(await call(api.createFilterPreset, { body }))
    expect([changes, error.error, 'details' in error && error.details?.[0]?.path]).toEqual([
      changes,
      'validation_failed',
      path,
    ])
  }
  const spaced = { ...none, name: `  ${'x'.repeat(100)}  ` }
  expect(bodyOf(await call(api.createFilterPreset, { body: spaced })).name).toBe('x'.repeat(100))
  const pictures = { ...none, name: '🐋'.repeat(100) }
  expect(bodyOf(await call(api.createFilterPreset, { body: pictures })).name).toBe(pictures.name)
  const large: api.NewFilterPreset = {
    ...none,
    condition: { allOf: [{ title: { operator: 'is', value: 'x'.repeat(70_000) } }] },
  }
  expect((await call(api.createFilterPreset, { body: large })).status).toBe(413)
})

test('C18 there are at most two hundred for each user, however many are made at once', async () => {
  const { id, call } = await server.person('reader')
  const create = (number: number) => call(api.createFilterPreset, { body: { ...none, name: `Preset ${number}` } })
  const at = '2026-11-01T10:00:00.000Z'
  const rows = Array.from({ length: 198 }, (_, number) => ({
    id: newId(),
    user_id: id,
    name: `Preset ${number}`,
    name_key: `preset ${number}`,
    sort_key: `${number}`,
    scope: 'list' as const,
    target: 'series' as const,
    condition: '{"allOf":[]}',
    query: null,
    sort: null,
    library_id: null,
    created_at: at,
    updated_at: at,
  }))
  await server.context.db.write((db) => insertMany(db, 'filter_preset', rows))
  const last = await Promise.all(Array.from({ length: 12 }, (_, index) => create(198 + index)))

  expect(last.filter(({ status }) => status === 201).length).toBe(2)
  expect(last.filter(({ status }) => status === 409).length).toBe(10)
  expect(bodyOf(await call(api.listFilterPresets, {})).presets.length).toBe(200)
})

test('EVT-2 CAT-6 only its owner hears of a preset', async () => {
  const { id: userId, call } = await server.person('reader')
  const { id } = bodyOf(await call(api.createFilterPreset, { body: { ...none, name: 'Heard' } }))
  bodyOf(await call(api.replaceFilterPreset, { params: { id }, body: { ...none, name: 'Heard again' } }))
  await call(api.deleteFilterPreset, { params: { id } })

  const events = await server.context.db.read
    .selectFrom('event')
    .select(['type', 'user_id', 'data'])
    .where('user_id', '=', userId)
    .where('type', 'like', 'preset%')
    .orderBy('number')
    .orderBy('id')
    .execute()
  expect(
    events.map(({ type, user_id, data }) => [type, user_id, (JSON.parse(data) as { presetId: string }).presetId]),
  ).toEqual([
    ['preset_created', userId, id],
    ['preset_updated', userId, id],
    ['preset_deleted', userId, id],
  ])
})
