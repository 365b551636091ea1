import { readdirSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { hostileFolder } from '../plugins/hosting.ts'
import { machines, type PluginMachine, requireMachine } from '../plugins/machines.ts'
import { type Carrel, claim, startCarrel, type Visitor, workerOf } from './carrel.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const runningOf = ({ dataDir }: Carrel): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      return environment.includes('CARREL_PLUGIN_RUN=') && environment.includes(dataDir)
    } catch {
      return false
    }
  })

/** A worker asks at most once: only what it has taken is lost with it. */
const hasTaken = ({ dataDir }: Carrel, method: string): boolean => {
  const database = new Sqlite(join(dataDir, 'carrel.db'), { readonly: true })
  try {
    return database.prepare("select 1 from plugin_call where method = ? and state = 'taken'").get(method) !== undefined
  } finally {
    database.close()
  }
}

const setUp = async ({ call }: Visitor, fixture: string): Promise<string> => {
  const body = {
    name: fixture.replace('.mjs', ''),
    displayName: fixture,
    command: 'node',
    args: [`hostile/${fixture}`],
  }
  return bodyOf(await call(api.createPlugin, { body })).plugin.id
}

const testOf = async ({ call }: Visitor, id: string) => bodyOf(await call(api.testPlugin, { params: { id } }))

const envOn = ({ sandbox }: PluginMachine) => ({ CARREL_LOG_FORMAT: 'json', CARREL_PLUGIN_BOX: sandbox })

// Each waits as long as an answer may take: all of them at once.
test.concurrent.for(machines)(
  'G1 PLG-1 plugins run in the worker; one that is killed without a word leaves none, and the next runs them again, on %s',
  async ([, machine], { skip }) => {
    requireMachine(machine, skip)
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({ cwd: folder.path, env: envOn(machine) })
    const ana = await claim(carrel)
    await cp(hostileFolder, join(carrel.dataDir, 'plugins', 'hostile'), { recursive: true })
    const good = await setUp(ana, 'well-behaved.mjs')
    const hanging = await setUp(ana, 'hangs-at-start.mjs')

    expect(await testOf(ana, good)).toMatchObject({
      success: true,
      message: 'It answers.',
      manifest: { name: 'hostile' },
    })
    const pending = testOf(ana, hanging)
    await waitUntil('the question to be taken by the worker', () => hasTaken(carrel, 'check'))
    const worker = await workerOf(carrel)
    process.kill(worker, 'SIGKILL')
    await waitUntil('the end of all plugins', () => runningOf(carrel).length === 0)

    expect(await pending).toMatchObject({ success: false, message: 'TIMEOUT: No answer came in time.' })
    expect(await testOf(ana, good)).toMatchObject({ success: true })
    expect((await carrel.call(api.readHealth, {})).ok).toBe(true)
  },
)

describe.each(machines)('on %s', (_, machine) => {
  beforeEach(({ skip }) => requireMachine(machine, skip))
  const held = machine.sandbox === 'none' ? 'not_enforced' : 'enforced'

  test('PLG-1 plugins that come with Carrel run from the bundle, without anything beside them, and end before a server that is told to stop', async () => {
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({ cwd: folder.path, env: envOn(machine) })
    const ana = await claim(carrel)
    const packages = async () => bodyOf(await ana.call(api.listPluginPackages, {})).packages
    await waitUntil('the plugins that come with Carrel', async () => (await packages()).length >= 3)
    for (const name of ['local-recommendations', 'open-library']) {
      const body = { name, displayName: name, package: `@carrel/plugin-${name}` }
      const { plugin } = bodyOf(await ana.call(api.createPlugin, { body }))
      expect(await testOf(ana, plugin.id)).toMatchObject({ success: true, manifest: { name } })
      expect(bodyOf(await ana.call(api.readPlugin, { params: { id: plugin.id } })).isolation).toMatchObject({
        files: 'enforced',
        processes: held,
        network: held,
      })
    }
    await cp(hostileFolder, join(carrel.dataDir, 'plugins', 'hostile'), { recursive: true })
    const stubborn = await setUp(ana, 'ignores-shutdown.mjs')
    expect(await testOf(ana, stubborn)).toMatchObject({ success: true })
    expect(runningOf(carrel).length).toBeGreaterThan(0)

    carrel.kill('SIGTERM')
    await carrel.exited
    expect(runningOf(carrel)).toEqual([])
  })
})
