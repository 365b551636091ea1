import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer } from '../../../test/start-server.ts'

const read = async (person: Person, key: string) => bodyOf(await person.call(api.readSetting, { params: { key } }))
const save = (person: Person, key: string, value: unknown, changeReason?: string) =>
  person.call(api.saveSetting, { params: { key }, body: { value, ...(changeReason && { changeReason }) } })
const history = async (person: Person, key: string, query: { page?: number; pageSize?: number } = {}) =>
  bodyOf(await person.call(api.listSettingHistory, { params: { key }, query }))

test('CFG-4 C6 a change is shown with who made it and when, and stands in the history', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const admin = await server.person('admin', { username: 'root' })
  const by = { id: admin.id, username: 'root' }

  const saved = bodyOf(await save(admin, 'thumbnail.quality', 70, 'A small disk'))
  time.pass(second)
  await save(admin, 'thumbnail.quality', 75)
  time.pass(second)
  const reset = bodyOf(await admin.call(api.resetSetting, { params: { key: 'thumbnail.quality' } }))

  expect(saved).toMatchObject({ value: 70, defaultValue: 85, updatedAt: '2026-11-21T10:00:00.000Z', updatedBy: by })
  expect(reset).toMatchObject({ value: 85, updatedAt: null, updatedBy: null })
  expect(await read(admin, 'thumbnail.quality')).toEqual(reset)
  const changes = await history(admin, 'thumbnail.quality')
  expect(changes.data).toStrictEqual([
    { at: '2026-11-21T10:00:02.000Z', by, oldValue: 75, newValue: 85, changeReason: 'Reset' },
    { at: '2026-11-21T10:00:01.000Z', by, oldValue: 70, newValue: 75, changeReason: null },
    { at: '2026-11-21T10:00:00.000Z', by, oldValue: 85, newValue: 70, changeReason: 'A small disk' },
  ])
  expect(await history(admin, 'thumbnail.quality', { page: 2, pageSize: 2 })).toMatchObject({
    data: [{ newValue: 70 }],
    total: 3,
    totalPages: 2,
    page: 2,
  })
  expect((await history(admin, 'opds.enabled')).total).toBe(0)
})

test('C6 the history keeps the name of somebody who is gone', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const ben = await server.person('admin', { username: 'ben' })
  await save(ben, 'opds.enabled', false)

  await admin.call(api.deleteUser, { params: { id: ben.id } })

  expect((await history(admin, 'opds.enabled')).data).toMatchObject([{ by: { username: 'ben' } }])
  expect(await read(admin, 'opds.enabled')).toMatchObject({ value: false, updatedBy: { username: 'ben' } })
})

test('C6 a bulk change is made in whole or not at all', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const bulk = (updates: { key: string; value: unknown }[], changeReason?: string) =>
    admin.call(api.saveSettings, { body: { updates, ...(changeReason && { changeReason }) } })

  const refused = await bulk([
    { key: 'opds.enabled', value: false },
    { key: 'thumbnail.quality', value: 500 },
  ])
  expect(errorOf(refused)).toMatchObject({ error: 'validation_failed', details: [{ path: '/updates/1/value' }] })
  expect(await read(admin, 'opds.enabled')).toMatchObject({ value: true, updatedAt: null })
  expect((await history(admin, 'opds.enabled')).total).toBe(0)

  const changed = bodyOf(
    await bulk(
      [
        { key: 'opds.enabled', value: false },
        { key: 'thumbnail.quality', value: 50 },
      ],
      'Spring cleaning',
    ),
  )
  expect(changed.settings.map(({ key, value }) => [key, value])).toEqual([
    ['opds.enabled', false],
    ['thumbnail.quality', 50],
  ])
  expect((await history(admin, 'thumbnail.quality')).data).toMatchObject([{ changeReason: 'Spring cleaning' }])
})

test('CFG-4 what one node changes another knows within a second', async () => {
  await using first = await startServer({ env: { CARREL_RATE_LIMIT_ENABLED: 'true' } })
  await using second = await startServer({
    address: first.context.config.database,
    env: { CARREL_RATE_LIMIT_ENABLED: 'true' },
  })
  const admin = await first.person('admin')
  const onSecond = second.callWith({ authorization: `Bearer ${admin.accessToken}` })
  const limitOf = async () => (await onSecond(api.readMe, {})).headers.get('x-ratelimit-limit')
  expect(await limitOf()).toBe('200')
  expect(bodyOf(await onSecond(api.readPublicSettings, {}))['compat.enabled']?.value).toBe(false)

  await save(admin, 'rate_limit.authenticated_burst', 300)
  await save(admin, 'compat.enabled', true)

  await expect.poll(limitOf).toBe('300')
  await expect.poll(async () => bodyOf(await onSecond(api.readPublicSettings, {}))['compat.enabled']?.value).toBe(true)
})

test('C6 HTTP-6 a setting that changed since it was read is not overwritten', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const params = { key: 'thumbnail.quality' }
  const etag = (await admin.call(api.readSetting, { params })).headers.get('etag') ?? ''
  await save(admin, 'thumbnail.quality', 50)

  const headers = { 'if-match': etag }
  const overwritten = await admin.call(api.saveSetting, { params, body: { value: 60 } }, { headers })
  const reset = await admin.call(api.resetSetting, { params }, { headers })

  expect([overwritten.status, reset.status]).toEqual([412, 412])
  expect(await read(admin, 'thumbnail.quality')).toMatchObject({ value: 50 })
})

test('C6 changes made at once all stand in the history, each from the one before', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const values = Array.from({ length: 20 }, (_, index) => 20 + index)

  await Promise.all(values.map((value) => save(admin, 'thumbnail.quality', value)))

  const { data } = await history(admin, 'thumbnail.quality')
  expect(data.map(({ newValue }) => Number(newValue)).toSorted((a, b) => a - b)).toEqual(values)
  const chain = data.toReversed()
  expect(chain.map(({ oldValue }) => oldValue)).toEqual([85, ...chain.slice(0, -1).map(({ newValue }) => newValue)])
  expect(await read(admin, 'thumbnail.quality')).toMatchObject({ value: data[0]?.newValue })
})
