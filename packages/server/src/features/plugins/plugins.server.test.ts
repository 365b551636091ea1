import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createPlugin,
  disablePlugin,
  enablePlugin,
  listPlugins,
  readPluginFailures,
  readPluginHealth,
  readPluginLog,
  readTask,
  removePlugin,
  resetPlugin,
  saveSetting,
  startTask,
  testPlugin,
  updatePlugin,
} from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { hostileFolder } from '../../../test/plugins/hosting.ts'
import { askOf, type Household, startHousehold } from '../../../test/plugins/with-plugins.ts'
import { startServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { cleanUpPlugins } from './clean-up.ts'
import { runPlugins } from './running/run.ts'

const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

/** It lists all processes of plugins of this data directory, each with the mark of its plugin. */
const processesOf = ({ server }: Household) =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      const [mark] = /CARREL_PLUGIN_RUN=[^\0]+/.exec(environment) ?? []
      return mark !== undefined && environment.includes(server.context.config.dataDir) ? [{ pid, mark }] : []
    } catch {
      return []
    }
  })

const runningOf = (house: Household): string[] => [...new Set(processesOf(house).map(({ mark }) => mark))]

const set = async ({ admin }: Household, key: string, value: number | string[]): Promise<void> => {
  bodyOf(await admin.call(saveSetting, { params: { key }, body: { value } }))
}

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

  test.each([
    ['npx', ['evil'], '/command'],
    ['/bin/sh', ['-c', 'true'], '/command'],
    ['node', ['-e', 'process.exit()'], '/args/0'],
    ['node', ['../../../../../etc/passwd'], '/args/0'],
    ['node', ['/etc/passwd'], '/args/0'],
    ['node', ['a-link.mjs'], '/args/0'],
    ['node', [], '/args/0'],
  ])('PLG-1 no new program runs by the API: %s %j', async (command, args, path) => {
    await using house = await startHousehold()
    await symlink('/etc/passwd', join(house.server.context.config.dataDir, 'plugins', 'a-link.mjs'))
    const body = { name: 'new', displayName: 'New', command, args }
    const refused = await house.admin.call(createPlugin, { body })
    expect(refused).toMatchObject({ status: 400, error: { details: [{ path }] } })
  })

  test('PLG-1 what the configuration names may run plugins too', async () => {
    await using house = await startHousehold({ env: { CARREL_PLUGIN_COMMANDS: 'sh' } })
    const { id } = await house.setUp('leaves-a-daemon.sh', { command: 'sh' })
    expect(await house.plugins.call({ pluginId: id }, 'ping', undefined)).toBe('pong')
  })

  test.each(['LD_PRELOAD', 'NODE_OPTIONS', 'PATH', 'https_proxy', 'CARREL_SECRET_KEY', 'a-b'])(
    'PLG-1 the variable %s is not to be set',
    async (key) => {
      await using house = await startHousehold()
      await expect(house.setUp('well-behaved.mjs', { env: [{ key, value: 'x' }] })).rejects.toThrow(/variable/)
    },
  )

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
    const asked = [house.ask(id, 'x'), house.ask(id, 'y'), askOf(other, { pluginId: id }, 'z')]
    expect(await Promise.all(asked)).toEqual(['x', 'y', 'z'])
    await other.stop()
    await eventually(() => house.metrics(id)).toMatchObject({ requestsTotal: 3, requestsSuccess: 3 })
  })

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
