import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createPlugin, enablePlugin, readPluginFailures, saveSetting, testPlugin, updatePlugin } from '@carrel/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { hostileFolder } from '../../../test/plugins/hosting.ts'
import { type Household, startHousehold } from '../../../test/plugins/with-plugins.ts'
import { startServer } from '../../../test/start-server.ts'
import { eventually, runningOf, processesOf } from '../../../test/plugins/processes.ts'

const set = async ({ admin }: Household, key: string, value: number | string[]): Promise<void> => {
  bodyOf(await admin.call(saveSetting, { params: { key }, body: { value } }))
}

describe('C19 plugins are set up, changed, switched and removed', () => {
  test('C19 one that is switched on says what it can do at once, and nobody is counted as having asked', async () => {
    await using house = await startHousehold()
    const { id, manifest } = await house.setUp('well-behaved.mjs', { enabled: false })
    expect(manifest).toBeNull()
    expect(bodyOf(await house.admin.call(enablePlugin, { params: { id } }))).toMatchObject({
      healthCheckPerformed: true,
      healthCheckPassed: true,
      plugin: { enabled: true, healthStatus: 'healthy', manifest: { name: 'hostile' } },
    })
    expect(await house.metrics(id)).toMatchObject({ requestsTotal: 0 })
    const broken = await house.setUp('crashes-at-start.mjs', { enabled: false })
    for (let round = 0; round < 4; round += 1)
      expect(bodyOf(await house.admin.call(enablePlugin, { params: { id: broken.id } }))).toMatchObject({
        healthCheckPassed: false,
        healthCheckError: 'PROCESS_CRASHED: Its process has ended: code 3.',
        plugin: { enabled: true },
      })
  })

  test('C19 without a worker a plugin is switched on, and the reply says that nobody has tried it', async () => {
    await using server = await startServer()
    const admin = await server.person('admin')
    await cp(hostileFolder, join(server.context.config.dataDir, 'plugins', 'hostile'), { recursive: true })
    const body = { name: 'lonely', displayName: 'Lonely', command: 'node', args: ['hostile/well-behaved.mjs'] }
    const { plugin } = bodyOf(await admin.call(createPlugin, { body }))
    expect(bodyOf(await admin.call(enablePlugin, { params: { id: plugin.id } }))).toMatchObject({
      plugin: { enabled: true, manifest: null },
      healthCheckPassed: false,
      healthCheckError: 'UNAVAILABLE: No worker is there to ask it.',
    })
  })

  test('C19 what does not fit of an answer is left out of it and told, and counts for nothing', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('answers-half-well.mjs')
    for (let round = 0; round < 4; round += 1) expect(await house.ask(id)).toBe('well')
    const failures = async () => bodyOf(await house.admin.call(readPluginFailures, { params: { id } }))
    await eventually(failures).toMatchObject({
      total: 4,
      windowFailures: 0,
      failures: [
        {
          errorCode: 'PROTOCOL_ERROR',
          errorMessage: 'Left out of its answer to metadata/series/search: results.1.title must be string.',
          method: 'metadata/series/search',
        },
        {},
        {},
        {},
      ],
    })
    expect(await house.read(id)).toMatchObject({ enabled: true, healthStatus: 'healthy' })
  })

  test('C19 its test starts it in the worker and says how long it took to answer', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('well-behaved.mjs', { enabled: false })
    const { admin } = house
    expect(bodyOf(await admin.call(testPlugin, { params: { id } }))).toMatchObject({
      success: true,
      latencyMs: expect.any(Number) as number,
      manifest: { name: 'hostile' },
    })
    const broken = await house.setUp('crashes-at-start.mjs', { enabled: false })
    expect(bodyOf(await admin.call(testPlugin, { params: { id: broken.id } }))).toMatchObject({
      success: false,
      message: 'PROCESS_CRASHED: Its process has ended: code 3.',
    })
  })

  test('C19 a change counts from the next question on, and what ran before ends', async () => {
    await using house = await startHousehold()
    const { id } = await house.setUp('tells-what-it-knows.mjs', { config: { language: 'en' } })
    const configOf = async () => (JSON.parse(await house.ask(id)) as { given: { config: unknown } }).given.config
    expect(await configOf()).toEqual({ language: 'en' })
    bodyOf(await house.admin.call(updatePlugin, { params: { id }, body: { config: { language: 'de' } } }))
    expect(await configOf()).toEqual({ language: 'de' })
    await eventually(() => runningOf(house)).toHaveLength(1)
  })

  test('PLG-1 what the configuration names may run plugins too', async () => {
    await using house = await startHousehold({ env: { CARREL_PLUGIN_COMMANDS: 'sh' } })
    const { id } = await house.setUp('leaves-a-daemon.sh', { command: 'sh' })
    expect(await house.plugins.call({ pluginId: id }, 'ping', undefined)).toBe('pong')
  })
})

describe('PLG-1 what is refused before anything runs', () => {
  let house: Household
  beforeAll(async () => {
    house = await startHousehold()
    await symlink('/etc/passwd', join(house.server.context.config.dataDir, 'plugins', 'a-link.mjs'))
  })
  afterAll(() => house[Symbol.asyncDispose]())

  test.each([
    ['npx', ['evil'], '/command'],
    ['/bin/sh', ['-c', 'true'], '/command'],
    ['node', ['-e', 'process.exit()'], '/args/0'],
    ['node', ['../../../../../etc/passwd'], '/args/0'],
    ['node', ['/etc/passwd'], '/args/0'],
    ['node', ['a-link.mjs'], '/args/0'],
    ['node', [], '/args/0'],
  ])('PLG-1 no new program runs by the API: %s %j', async (command, args, path) => {
    const body = { name: 'new', displayName: 'New', command, args }
    const refused = await house.admin.call(createPlugin, { body })
    expect(refused).toMatchObject({ status: 400, error: { details: [{ path }] } })
  })

  test.each(['LD_PRELOAD', 'NODE_OPTIONS', 'PATH', 'https_proxy', 'CARREL_SECRET_KEY', 'a-b'])(
    'PLG-1 the variable %s is not to be set',
    async (key) => {
      await expect(house.setUp('well-behaved.mjs', { env: [{ key, value: 'x' }] })).rejects.toThrow(/variable/)
    },
  )
})

describe('PLG-2 figures of plugins', () => {
  test('PLG-2 HTTP-8 they stand among the figures for Prometheus', async () => {
    await using house = await startHousehold({ env: { CARREL_METRICS_ENABLED: 'true' } })
    const { id } = await house.setUp('well-behaved.mjs', { rateLimitRequestsPerMinute: 1 })
    await Promise.all([house.ask(id, 'x'), house.ask(id, 'y')])
    const headers = { authorization: `Bearer ${house.admin.accessToken}` }
    const figures = async () => (await fetch(`${house.server.url}/metrics`, { headers })).text()
    const counted = `carrel_plugin_requests{plugin="${id}",method="metadata/series/search",outcome="succeeded"} 1`
    await eventually(figures).toContain(counted)
    expect(await figures()).toContain(`carrel_plugin_rejections{plugin="${id}"} 1`)
    expect(await figures()).toContain(`carrel_plugin_health{plugin="${id}",health="healthy"} 1`)
  })

  test('PLG-2 a thousand questions to one that is killed at random: each ends, and the figures agree', async () => {
    await using house = await startHousehold()
    await set(house, 'plugins.failures_max', 100_000)
    const { id } = await house.setUp('well-behaved.mjs', { rateLimitRequestsPerMinute: null })
    let left = 1000
    const outcomes = new Map<string, number>()
    const asker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        const query = String(left)
        const answer = await house.ask(id, query)
        const outcome = answer === query ? 'ok' : (/^([A-Z_]+): ./.exec(answer)?.[1] ?? `wrong: ${answer}`)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        if (Math.random() < 0.02) for (const { pid } of processesOf(house)) kill(pid)
      }
    }
    await Promise.all(Array.from({ length: 20 }, asker))
    const succeeded = outcomes.get('ok') ?? 0
    outcomes.delete('ok')
    const failures = Object.fromEntries(outcomes)
    expect(Object.keys(failures).filter((code) => code !== 'PROCESS_CRASHED' && code !== 'UNAVAILABLE')).toEqual([])
    expect(succeeded).toBeGreaterThan(0)
    expect(outcomes.size).toBeGreaterThan(0)
    await eventually(() => house.metrics(id)).toMatchObject({
      requestsTotal: 1000,
      requestsSuccess: succeeded,
      requestsFailed: 1000 - succeeded,
      failureCounts: failures,
    })
    expect(await house.ask(id, 'still here')).toBe('still here')
  })
})

test('PLG-1 nothing of a plugin is left when the worker has stopped', async () => {
  const house = await startHousehold()
  const { id } = await house.setUp('ignores-shutdown.mjs')
  expect(await house.ask(id)).toBe('still here')
  expect(runningOf(house).length).toBeGreaterThan(0)
  await house.plugins.stop()
  expect(runningOf(house)).toEqual([])
  await house[Symbol.asyncDispose]()
})

const kill = (pid: string): void => {
  try {
    process.kill(Number(pid), 'SIGKILL')
  } catch {
    // Somebody else was first.
  }
}
