import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

const { clock, pass } = movableClock()
let server: TestServer
let bookId: string
beforeAll(async () => {
  server = await startServer({ clock })
  const { db } = server.context
  const [series] = await addManySeries(db, await addLibrary(db), [{ title: 'Alpha' }])
  bookId = (series ? await addBooks(db, series, [{ page_count: 200 }]) : [])[0] ?? ''
})
afterAll(() => server[Symbol.asyncDispose]())

const turn = async ({ call }: Person, device: string, currentPage: number, name?: string) => {
  pass(11 * minute)
  const headers = { 'x-device-id': device, ...(name !== undefined && { 'x-device-name': name }) }
  bodyOf(await call(api.saveProgress, { params: { id: bookId }, body: { currentPage } }, { headers }))
}
const devicesOf = async ({ call }: Person) => bodyOf(await call(api.listDevices, {})).data
const namesOf = async (person: Person) => (await devicesOf(person)).map(({ id, name }) => [id, name])
const historyOf = async ({ call }: Person) =>
  bodyOf(await call(api.listProgressHistory, { params: { id: bookId } })).data.map(({ device }) => device)

test('READ-2 devices are listed by when they were used, and keep the name their reader gives them', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  await turn(reader, 'tablet', 5, 'Tab')
  await turn(reader, 'ua:a/b c', 6, 'Browser')
  expect(await namesOf(reader)).toEqual([
    ['ua:a/b c', 'Browser'],
    ['tablet', 'Tab'],
  ])
  expect(await devicesOf(other)).toEqual([])
  const rename = (id: string, name: string | null, person = reader) =>
    person.call(api.renameDevice, { params: { id }, body: { name } })
  expect(bodyOf(await rename('ua:a/b c', ' Kitchen '))).toMatchObject({ name: 'Kitchen', ownName: 'Browser' })
  await turn(reader, 'ua:a/b c', 7, 'Browser 2')
  expect((await devicesOf(reader))[0]).toMatchObject({ id: 'ua:a/b c', name: 'Kitchen', ownName: 'Browser 2' })
  expect((await historyOf(reader))[0]).toEqual({ id: 'ua:a/b c', name: 'Kitchen' })
  const { devices } = bodyOf(await reader.call(api.readReadingStats, { query: {} }))
  expect(devices.map(({ deviceId, deviceName }) => [deviceId, deviceName])).toContainEqual(['ua:a/b c', 'Kitchen'])
  expect(bodyOf(await rename('ua:a/b c', null))).toMatchObject({ name: 'Browser 2' })
  expect(errorOf(await rename('nothing', 'X'))).toMatchObject({ error: 'not_found' })
  expect(errorOf(await rename('tablet', 'X', other))).toMatchObject({ error: 'not_found' })
})

test('READ-2 a device that is merged into another one speaks as that one from then on', async () => {
  const reader = await server.person('reader')
  for (const [index, id] of ['old', 'older', 'phone'].entries()) await turn(reader, id, 5 + index, id)
  const merge = (id: string, into: string) => reader.call(api.mergeDevice, { params: { id }, body: { into } })
  expect(bodyOf(await merge('older', 'old'))).toMatchObject({ id: 'old', mergedIds: ['older'] })
  expect(bodyOf(await merge('old', 'phone'))).toMatchObject({ id: 'phone', mergedIds: ['older', 'old'] })
  expect(await namesOf(reader)).toEqual([['phone', 'phone']])

  await turn(reader, 'older', 100, 'older')
  const [phone] = await devicesOf(reader)
  expect(phone?.lastUsedAt).toBe(clock().toISOString())
  expect((await historyOf(reader)).map(({ id }) => id)).toEqual(['phone', 'phone', 'older', 'old'])
  // Page 1 from what is the same device is no accident of another one.
  pass(minute)
  const headers = { 'x-device-id': 'old' }
  const back = await reader.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 1 } }, { headers })
  expect(bodyOf(back)).toMatchObject({ currentPage: 1, heldBack: false })

  expect(errorOf(await merge('phone', 'phone'))).toMatchObject({ error: 'validation_failed' })
  for (const [id, into] of [
    ['phone', 'old'],
    ['old', 'phone'],
    ['phone', 'nothing'],
  ] as const)
    expect(errorOf(await merge(id, into))).toMatchObject({ error: 'not_found' })
})

test('READ-2 a device is forgotten with its names and how one reads on it, not with what was read', async () => {
  const reader = await server.person('reader')
  await turn(reader, 'pad', 5, 'Pad')
  await turn(reader, 'pad-2', 6, 'Pad 2')
  bodyOf(await reader.call(api.mergeDevice, { params: { id: 'pad-2' }, body: { into: 'pad' } }))
  const settings = async (id: string) =>
    bodyOf(await reader.call(api.readReaderSettings, { query: { deviceId: id } })).effective
  for (const id of ['pad', 'pad-2', 'stays'])
    bodyOf(await reader.call(api.saveReaderSettings, { params: { level: 'device', id }, body: { values: { gap: 7 } } }))
  expect((await reader.call(api.forgetDevice, { params: { id: 'pad' } })).status).toBe(204)
  expect(await devicesOf(reader)).toEqual([])
  expect([await settings('pad'), await settings('pad-2'), await settings('stays')]).toEqual([{}, {}, { gap: 7 }])
  expect(await historyOf(reader)).toEqual([
    { id: 'pad-2', name: null },
    { id: 'pad', name: null },
  ])
  await turn(reader, 'pad-2', 7, 'Pad 2')
  expect(await namesOf(reader)).toEqual([['pad-2', 'Pad 2']])
})
