import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { probeWith } from '../../../test/plugins/connecting.ts'
import { made, openHouse, read, refresh } from '../../../test/plugins/recommending-house.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import type { Person } from '../../../test/start-server.ts'
import { enqueue } from '../../tasks/queue.ts'
import { refreshOne } from './tasks.ts'

const standingFor = async ({ call }: Person, id: string) => {
  const { enabled, enabledForEverybody } = bodyOf(await call(api.readUserPlugin, { params: { id } }))
  return { enabled, enabledForEverybody }
}

test('A7 a plugin is off for each user until they switch it on: before that nothing of theirs goes to it', async () => {
  await using house = await openHouse()
  const { server, admin } = house
  const { id, enabledFor } = await house.setUp({ tells: true }, { enabledFor: 'nobody' })
  const params = { id }
  expect(enabledFor).toBe('nobody')
  const [ana, ben] = [await server.person('reader'), await server.person('reader')]
  expect(bodyOf(await ana.call(api.listUserPlugins, {}))).toMatchObject({
    enabled: [],
    available: [{ pluginId: id, enabledForEverybody: false }],
    plugins: [{ id, enabled: false, enabledForEverybody: false }],
  })

  // Nothing is computed for her in any way: the list, her own request, a task in the queue, the host itself.
  expect(await read(ana)).toEqual({ recommendations: [], sources: [] })
  expect(bodyOf(await refresh(ana))).toMatchObject({ taskIds: [] })
  const { db } = server.context
  const task = { userId: ana.id, pluginId: id }
  const { taskId } = await db.write((db) => enqueue(db, refreshOne, task, { now: server.context.clock() }))
  const ended = await waitUntil('the end of the task', async () => {
    const read = bodyOf(await admin.call(api.readTask, { params: { id: taskId } }))
    return read.status === 'completed' ? read : undefined
  })
  expect(ended.result).toEqual({ recommendations: 0 })
  await using plugins = probeWith(server.context)
  expect(await plugins.tokenOf(id, ana.id)).toBe('UNAVAILABLE: It is not switched on for this user.')

  // Configuring a plugin does not switch it on; the switch of a user holds only for them.
  bodyOf(await ana.call(api.saveUserPluginConfig, { params, body: { config: { mood: 'calm' } } }))
  expect(await standingFor(ana, id)).toEqual({ enabled: false, enabledForEverybody: false })
  expect(bodyOf(await ana.call(api.enableUserPlugin, { params }))).toMatchObject({ enabled: true })
  await read(ana)
  expect((await made(ana)).recommendations).toHaveLength(1)
  expect(await read(ben)).toEqual({ recommendations: [], sources: [] })
  bodyOf(await ana.call(api.disconnectUserPlugin, { params }))
  expect(await standingFor(ana, id)).toEqual({ enabled: false, enabledForEverybody: false })
})

test('A7 an administrator may switch a plugin on for everybody: each user sees that, may leave, and keeps what they chose', async () => {
  await using house = await openHouse()
  const { server, admin } = house
  const { id } = await house.setUp({ tells: true }, { enabledFor: 'nobody' })
  const params = { id }
  const [ana, ben, cleo] = [await server.person('reader'), await server.person('reader'), await server.person('editor')]
  const forEverybody = (enabledFor: api.PluginDto['enabledFor']) =>
    admin.call(api.updatePlugin, { params, body: { enabledFor } })
  bodyOf(await ana.call(api.enableUserPlugin, { params }))
  expect((await cleo.call(api.updatePlugin, { params, body: { enabledFor: 'everybody' } })).status).toBe(403)

  expect(bodyOf(await forEverybody('everybody'))).toMatchObject({ enabledFor: 'everybody' })
  for (const person of [ana, ben, cleo])
    expect(await standingFor(person, id)).toEqual({ enabled: true, enabledForEverybody: true })
  expect((await read(ben)).sources).toHaveLength(1)
  bodyOf(await ben.call(api.disableUserPlugin, { params }))
  expect(await read(ben)).toEqual({ recommendations: [], sources: [] })
  expect(await standingFor(ben, id)).toEqual({ enabled: false, enabledForEverybody: true })

  expect(bodyOf(await forEverybody('nobody'))).toMatchObject({ enabledFor: 'nobody' })
  expect([await standingFor(ana, id), await standingFor(ben, id), await standingFor(cleo, id)]).toMatchObject([
    { enabled: true },
    { enabled: false },
    { enabled: false },
  ])
  bodyOf(await forEverybody('everybody'))
  expect([await standingFor(ben, id), await standingFor(cleo, id)]).toMatchObject([
    { enabled: false },
    { enabled: true },
  ])
})

test('A7 our own recommender, which asks nobody, is on for everybody unless its administrator says otherwise', async () => {
  await using house = await openHouse()
  const { admin } = house
  const packageName = '@carrel/plugin-local-recommendations'
  await waitUntil('the packages that come with Carrel', async () => {
    const { packages } = bodyOf(await admin.call(api.listPluginPackages, {}))
    return packages.some(({ name }) => name === packageName) ? packages : undefined
  })
  const create = async (name: string, more: Partial<api.CreatePluginRequest>) => {
    const body = { name, displayName: name, package: packageName, ...more }
    return bodyOf(await admin.call(api.createPlugin, { body })).plugin.enabledFor
  }
  expect(await create('usual', {})).toBe('everybody')
  expect(await create('careful', { enabledFor: 'nobody' })).toBe('nobody')
  expect(await create('other', { package: '@carrel/plugin-open-library' })).toBe('nobody')
})
