import { readdirSync } from 'node:fs'
import { mkdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import {
  disablePlugin,
  enablePlugin,
  listPlugins,
  readPluginFailures,
  readPluginHealth,
  readPluginLog,
  readTask,
  removePlugin,
  resetPlugin,
  startTask,
  updatePlugin,
  type UpdatePluginRequest,
} from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { askOf, startHousehold } from '../../../test/plugins/with-plugins.ts'
import { workOn } from '../../../test/work.ts'
import { cleanUpPlugins } from './clean-up.ts'
import { runPlugins } from './running/run.ts'
import { eventually, runningOf } from '../../../test/plugins/processes.ts'

describe('C19 plugins are set up, changed, switched and removed', () => {
  test('C19 one that is set up answers, and is known by what it said of itself', async () => {
    await using house = await startHousehold()
    const { id, ...made } = await house.setUp('well-behaved.mjs')
    expect(made).toMatchObject({ enabled: true, healthStatus: 'healthy', hasCredentials: false })
    expect(await house.ask(id, 'Yotsuba')).toBe('Yotsuba')
    await eventually(() => house.read(id)).toMatchObject({
      healthStatus: 'healthy',
      manifest: { name: 'hostile', capabilities: { metadataProvider: ['series'] } },
      isolation: { environment: 'enforced', files: 'enforced' },
    })
    expect(bodyOf(await house.admin.call(listPlugins, {})).total).toBe(1)
    expect(await house.plugins.offering('series-metadata')).toMatchObject([{ pluginId: id }])
    expect(await house.plugins.offering('recommendations')).toEqual([])
  })

  test('C19 of two who change a plugin at once each finds what the other has changed', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('well-behaved.mjs', { enabled: false })
    const change = (body: UpdatePluginRequest) => house.admin.call(updatePlugin, { params: { id }, body })
    for (let round = 0; round < 20; round += 1) {
      const [one, other] = [{ useExistingExternalId: round % 2 === 0 }, { searchQueryTemplate: `{{title}} ${round}` }]
      for (const changed of await Promise.all([change(one), change(other)])) bodyOf(changed)
      expect(await house.read(id)).toMatchObject({ ...one, ...other })
    }
  })

  test('C19 what it writes to its log is kept, line by line, without its secrets', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('writes-a-log.mjs', {
      credentials: { key: 'xyzzy-plugh' },
      credentialDelivery: 'env',
    })
    await house.ask(id)
    const read = async (query: { limit?: number; before?: string } = {}) =>
      bodyOf(await house.admin.call(readPluginLog, { params: { id }, query }))
    const tooMuch = '(It says too much: what follows is left out for 10 seconds.)'
    await eventually(async () => (await read()).lines.at(-1)?.text).toBe(tooMuch)
    const { lines, before } = await read({ limit: 150 })
    expect(lines).toHaveLength(150)
    expect(lines.at(-2)).toMatchObject({ text: 'line 199, the key is [redacted]' })
    const rest = await read({ limit: 150, before: before ?? '' })
    expect(rest).toMatchObject({ before: null })
    expect(rest.lines).toHaveLength(51)
    expect((rest.lines.at(-1)?.id ?? '') < (lines[0]?.id ?? '')).toBe(true)
    const reader = await house.server.person('reader')
    expect(await reader.call(readPluginLog, { params: { id } })).toMatchObject({ status: 403 })
  })

  test('C19 one that is off is not asked, and one that is removed is gone with all it kept', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('keeps-things.mjs')
    expect(await house.ask(id, 'set {"key":"a","data":1}')).toBe('{"success":true}')
    bodyOf(await house.admin.call(disablePlugin, { params: { id } }))
    expect(await house.ask(id)).toBe('UNAVAILABLE: It is switched off.')
    await eventually(() => runningOf(house)).toEqual([])
    bodyOf(await house.admin.call(enablePlugin, { params: { id } }))
    expect(await house.ask(id, 'get {"key":"a"}')).toBe('{"data":1,"expiresAt":null}')
    bodyOf(await house.admin.call(removePlugin, { params: { id } }))
    expect(await house.ask(id)).toBe('UNAVAILABLE: There is no such plugin.')
    await eventually(() => runningOf(house)).toEqual([])
  })

  test('C19 two of the same name are refused', async () => {
    await using house = await startHousehold()
    await house.setUp('well-behaved.mjs', { name: 'one' })
    await expect(house.setUp('well-behaved.mjs', { name: 'one' })).rejects.toThrow('a plugin with this name already')
  })
})

describe('secrets', () => {
  const key = 'correct-horse-battery-staple'
  const credentials = { api_key: key }

  test('PLG-1 go to the plugin as they are to be delivered, and nowhere else', async () => {
    await using house = await startHousehold()
    const env = [{ key: 'EXTRA', value: `${key}-extra` }]
    const { id } = await house.setUp('tells-what-it-knows.mjs', { credentials, credentialDelivery: 'both', env })
    const { given, env: seen } = JSON.parse(await house.ask(id)) as {
      given: { credentials: unknown }
      env: Record<string, string>
    }
    expect(given.credentials).toEqual(credentials)
    expect(seen).toMatchObject({ API_KEY: key, EXTRA: `${key}-extra` })
    const { server, admin } = house
    expect(JSON.stringify(await admin.call(listPlugins, {}))).not.toContain(key)
    expect(JSON.stringify(await server.context.db.read.selectFrom('plugin').selectAll().execute())).not.toContain(key)
    expect(JSON.stringify(server.logLines)).not.toContain(key)
    expect(await house.read(id)).toMatchObject({ hasCredentials: true, env: [{ key: 'EXTRA' }] })
  })

  test('PLG-1 are encrypted anew under another key, and the former one can go', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('tells-what-it-knows.mjs', { credentials })
    const { context } = house.server
    const encrypted = async () =>
      (await context.db.read.selectFrom('plugin').select('credentials').executeTakeFirstOrThrow()).credentials
    const before = await encrypted()
    const secret = 'another secret for tests, and for nothing but tests'
    const config = { ...context.config, formerSecretKey: context.secret }
    const rotating = runPlugins({ ...context, secret, config })
    await eventually(encrypted).not.toBe(before)
    await rotating.stop()
    const later = runPlugins({ ...context, secret })
    expect(await askOf(later, { pluginId: id }, 'x')).toContain(key)
    await later.stop()
    // Without the key the secrets cannot be read, and nothing is guessed.
    expect(await house.ask(id)).toMatch(/^CONFIG_ERROR: Its secrets were encrypted under another key/)
  })
})

describe('what plugins keep', () => {
  test('PLG-1 one user’s is not to be seen by the same plugin for another', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('keeps-things.mjs')
    const [one, other] = [await house.server.person('reader'), await house.server.person('reader')]
    const by = (userId: string, query: string) => askOf(house.plugins, { pluginId: id, userId }, query)
    expect(await by(one.id, 'set {"key":"a","data":"mine"}')).toBe('{"success":true}')
    expect(await by(other.id, `get {"key":"a","userId":"${one.id}"}`)).toBe('{"data":null,"expiresAt":null}')
    expect(await by(other.id, 'list')).toBe('{"keys":[]}')
    expect(await house.ask(id, 'list')).toBe('{"keys":[]}')
    expect(await by(one.id, 'get {"key":"a"}')).toBe('{"data":"mine","expiresAt":null}')
    expect(await by(other.id, 'clear')).toBe('{"deletedCount":0}')
    expect(await by(one.id, 'delete {"key":"a"}')).toBe('{"deleted":true}')
  })

  test('PLG-1 is a hundred keys and a million bytes each, and what has expired is gone', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('keeps-things.mjs', { rateLimitRequestsPerMinute: null })
    for (let index = 0; index < 100; index += 1)
      expect(await house.ask(id, `set {"key":"${index}","data":1}`)).toBe('{"success":true}')
    expect(await house.ask(id, 'set {"key":"one-more","data":1}')).toBe('{"refused":-32602}')
    expect(await house.ask(id, 'set {"key":"7","data":2}')).toBe('{"success":true}')
    const past = '2020-01-01T00:00:00Z'
    expect(await house.ask(id, `set {"key":"8","data":2,"expiresAt":"${past}"}`)).toBe('{"success":true}')
    expect(await house.ask(id, 'get {"key":"8"}')).toBe('{"data":null,"expiresAt":null}')
    expect(await house.ask(id, 'set {"key":"one-more","data":1}')).toBe('{"success":true}')
    expect(await house.ask(id, `set {"key":"7","data":"${'x'.repeat(1_000_000)}"}`)).toBe('{"refused":-32602}')
  })
})

describe('failures', () => {
  test('C19 three bad ones within the hour switch it off, and it says why; switched on again it starts anew', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('crashes-on-call.mjs')
    for (let time = 0; time < 3; time += 1) expect(await house.ask(id)).toMatch(/^PROCESS_CRASHED: |^UNAVAILABLE: /)
    await eventually(() => house.read(id)).toMatchObject({
      enabled: false,
      healthStatus: 'disabled',
      disabledReason: 'It failed 3 times within 3600 seconds.',
    })
    expect(await house.ask(id)).toBe('UNAVAILABLE: It is switched off. It failed 3 times within 3600 seconds.')
    const { admin } = house
    const failures = bodyOf(await admin.call(readPluginFailures, { params: { id }, query: { limit: 2 } }))
    expect(failures).toMatchObject({ total: 3, windowFailures: 3, threshold: 3, windowSeconds: 3600 })
    expect(failures.failures.map(({ errorCode }) => errorCode)).toEqual(['PROCESS_CRASHED', 'PROCESS_CRASHED'])
    expect(bodyOf(await admin.call(enablePlugin, { params: { id } })).plugin).toMatchObject({
      enabled: true,
      disabledReason: null,
      failureCount: 0,
    })
    expect(bodyOf(await admin.call(readPluginFailures, { params: { id }, query: {} })).total).toBe(0)
  })

  test('C19 its health is worse after a failure, and good again when that is forgotten', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('answers-late.mjs')
    expect(await house.ask(id, 'quick')).toBe('in time')
    expect(await house.ask(id, 'slow', 300)).toMatch(/^TIMEOUT: /)
    const healthOf = async () => bodyOf(await house.admin.call(readPluginHealth, { params: { id } })).health
    await eventually(async () => (await healthOf()).healthStatus).toBe('unhealthy')
    expect(await house.ask(id, 'quick')).toBe('in time')
    await eventually(async () => (await healthOf()).healthStatus).toBe('degraded')
    bodyOf(await house.admin.call(resetPlugin, { params: { id } }))
    expect(await healthOf()).toMatchObject({ healthStatus: 'healthy', failureCount: 0, lastFailureAt: null })
  })
})

describe('PLG-2 figures of plugins', () => {
  test('PLG-2 what was asked too often is turned away, told when to come back, and counted apart', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('well-behaved.mjs', { rateLimitRequestsPerMinute: 3 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => house.ask(id, 'x')))
    expect(answers.filter((answer) => answer === 'x')).toHaveLength(3)
    expect(answers.filter((answer) => /^RATE_LIMITED: It may be asked again in \d+ seconds/.test(answer))).toHaveLength(
      2,
    )
    await eventually(() => house.metrics(id)).toMatchObject({
      requestsTotal: 3,
      requestsSuccess: 3,
      requestsFailed: 0,
      rateLimitRejections: 2,
      errorRatePct: 0,
      failureCounts: {},
      byMethod: { 'metadata/series/search': { requestsTotal: 3 } },
    })
    expect((await house.read(id)).failureCount).toBe(0)
  })

  test('PLG-2 figures outlive the worker, and those of two are summed', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('well-behaved.mjs')
    const other = runPlugins(house.server.context)
    const pending = [house.ask(id, 'x'), house.ask(id, 'y'), askOf(other, { pluginId: id }, 'z')]
    expect(await Promise.all(pending)).toEqual(['x', 'y', 'z'])
    await other.stop()
    await eventually(() => house.metrics(id)).toMatchObject({ requestsTotal: 3, requestsSuccess: 3 })
  })
})

test('PLG-1 folders of what is gone are removed in the night, and no others', async () => {
  await using house = await startHousehold()
  const { id } = await house.setUp('well-behaved.mjs')
  expect(await house.ask(id, 'x')).toBe('x')
  const root = join(house.server.context.config.dataDir, 'plugins')
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
  const make = async (path: string, at: Date): Promise<void> => {
    await mkdir(join(root, path), { recursive: true })
    await utimes(join(root, path), at, at)
  }
  await make('data/of-nobody', old)
  await make(`data/${id}`, old)
  await make('packages/former', old)
  await make('packages/.just-being-made', new Date())
  const work = workOn(house.server, [cleanUpPlugins])
  const { taskId } = bodyOf(await house.admin.call(startTask, { body: { taskType: 'cleanup_plugins' } }))
  const task = async () => bodyOf(await house.admin.call(readTask, { params: { id: taskId } }))
  await eventually(task).toMatchObject({ status: 'completed', result: { folders: 1, packages: 1 } })
  await work.stop()
  expect(readdirSync(join(root, 'data'))).toEqual([id])
  expect(readdirSync(join(root, 'packages'))).toEqual(['.just-being-made'])
})
