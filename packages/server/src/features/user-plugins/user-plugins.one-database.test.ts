import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as api from '@carrel/api'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { unknownId } from '../../../test/contract/inputs.ts'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { dismiss, made, openHouse, read } from '../../../test/plugins/recommending-house.ts'
import type { Person } from '../../../test/start-server.ts'

const localRecommender = fileURLToPath(
  new URL('../../../../../plugins/local-recommendations/src/main.ts', import.meta.url),
)

describe('what each user wants of plugins', () => {
  test('C19 is theirs: on until they switch it off, configured for themselves, and nobody else’s', async () => {
    await using house = await openHouse()
    const plugin = await house.setUp({ tells: true })
    const away = await house.setUp({ oauth: true }, { name: 'away' })
    const params = { id: plugin.id }
    const [one, other] = [await house.server.person('reader'), await house.server.person('reader')]
    const { enabled, available } = bodyOf(await one.call(api.listUserPlugins, {}))
    expect(enabled).toMatchObject([{ id: plugin.id, enabled: true, connected: true, config: {} }])
    expect(available).toMatchObject([{ pluginId: away.id, requiresOauth: true }])
    expect(errorOf(await one.call(api.enableUserPlugin, { params: { id: away.id } }))).toMatchObject({
      error: 'conflict',
    })
    expect(errorOf(await one.call(api.readUserPlugin, { params: { id: unknownId } }))).toMatchObject({
      error: 'not_found',
    })

    const save = (config: Record<string, unknown>) => one.call(api.saveUserPluginConfig, { params, body: { config } })
    for (const [config, path] of [
      [{ mood: 7 }, '/config/mood'],
      [{ tone: 'x' }, '/config/tone'],
      [{ mood: 'x'.repeat(20_000) }, '/config'],
    ] as const)
      expect(errorOf(await save(config))).toMatchObject({ error: 'validation_failed', details: [{ path }] })
    const toldTo = async (person: Person) => {
      await read(person)
      const { recommendations } = await made(person)
      return (JSON.parse(recommendations[0]?.reason ?? '') as { userConfig: unknown }).userConfig
    }
    expect(await toldTo(one)).toEqual({})
    expect(bodyOf(await save({ mood: 'calm' }))).toMatchObject({ config: { mood: 'calm' } })
    // Recommendations made before count as out of date.
    expect([await toldTo(one), await toldTo(other)]).toEqual([{ mood: 'calm' }, {}])

    expect(bodyOf(await one.call(api.disableUserPlugin, { params }))).toMatchObject({ enabled: false })
    expect(await read(one)).toEqual({ recommendations: [], sources: [] })
    expect((await read(other)).sources).toHaveLength(1)
    expect(bodyOf(await one.call(api.readUserPlugin, { params }))).toMatchObject({
      enabled: false,
      config: { mood: 'calm' },
    })
    bodyOf(await one.call(api.enableUserPlugin, { params }))
    expect(await toldTo(one)).toEqual({ mood: 'calm' })
    bodyOf(await house.admin.call(api.disablePlugin, { params }))
    expect(await read(other)).toEqual({ recommendations: [], sources: [] })
    expect(errorOf(await other.call(api.readUserPlugin, { params }))).toMatchObject({ error: 'not_found' })
  })
})

test('REC-1 the plugin that ships with the server says what to read next of what is there, and why', async () => {
  await using house = await openHouse()
  const { db, config } = house.server.context
  const bundle = await rolldown({ input: localRecommender, platform: 'node' })
  await bundle.write({ file: join(config.dataDir, 'plugins', 'local', 'main.mjs'), format: 'esm' })
  await bundle.close()
  const library = await addLibrary(db)
  const about = (tags: string[]) => JSON.stringify({ tags, genres: ['Comic'] })
  const series = await addManySeries(db, library, [
    { title: 'Night Train', metadata: about(['railways', 'heist']) },
    { title: 'Last Stop', metadata: about(['railways', 'farewell']) },
    ...Array.from({ length: 30 }, (_, index) => ({ title: `Filler ${index}`, metadata: about([`own ${index}`]) })),
  ])
  const [train, stop] = series
  if (!train || !stop) throw new Error('There are no series')
  const [bookId = ''] = await addBooks(db, train, [{}])
  for (const each of series.slice(1)) await addBooks(db, each, [{}])
  const plugin = await house.setUp({}, { name: 'local-recommendations', args: ['local/main.mjs'] })
  const reader = await house.server.person('reader')
  const body = { currentPage: 20, completed: true }
  bodyOf(await reader.call(api.saveProgress, { params: { id: bookId }, body }))
  await read(reader)
  const expected = {
    externalId: stop.id,
    title: 'Last Stop',
    reason: 'Because you finished Night Train: also about railways.',
    basedOn: ['Night Train'],
    serviceSeriesId: stop.id,
    inService: true,
    inLibrary: true,
    source: 'plugin:local-recommendations',
  }
  expect((await made(reader)).recommendations).toMatchObject([expected])

  const german = { params: { id: plugin.id }, body: { config: { language: 'de' } } }
  bodyOf(await reader.call(api.saveUserPluginConfig, german))
  await read(reader)
  expect((await made(reader)).recommendations[0]?.reason).toMatch(/^Weil du Night Train/)
  bodyOf(await dismiss(reader, stop.id, 'not_interested'))
  expect((await read(reader)).recommendations).toEqual([])
  // A user who has read nothing gets nothing.
  const newcomer = await house.server.person('reader')
  await read(newcomer)
  expect((await made(newcomer)).recommendations).toEqual([])
})
