import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Client,
  createPlugin,
  type CreatePluginRequest,
  type PluginDto,
  type PluginMetricsDto,
  readPlugin,
  readPluginMetrics,
} from '@carrel/api'
import { inject } from 'vitest'
import { type PluginTiming, type RunningPlugins, runPlugins } from '../../src/features/plugins/running/run.ts'
import { PluginFault } from '../../src/plugins/fault.ts'
import { type Person, type ServerOptions, startServer, type TestServer } from '../start-server.ts'
import { hostileFolder } from './hosting.ts'

export interface Household extends AsyncDisposable {
  readonly server: TestServer
  readonly admin: Person
  readonly plugins: RunningPlugins
  /** One of the hostile ones, set up and switched on. */
  setUp(fixture: string, more?: Partial<CreatePluginRequest>): Promise<PluginDto>
  read(id: string): Promise<PluginDto>
  metrics(id: string): Promise<PluginMetricsDto | undefined>
  /** The title of the one result, or the code and the words of the fault. */
  ask(id: string, query?: string, deadlineMs?: number): Promise<string>
}

const quick: PluginTiming = { shutdownMs: 1000, backOffFirstMs: 20 }

/** A server with a worker's plugins beside it, in this process, and the hostile ones in its data directory. */
export const startHousehold = async (options: ServerOptions = {}): Promise<Household> => {
  const server = await startServer(options)
  const { context } = server
  await cp(hostileFolder, join(context.config.dataDir, 'plugins', 'hostile'), { recursive: true })
  const admin = await server.person('admin')
  const plugins = runPlugins(context, {
    timing: quick,
    builtIns: { root: inject('bundledPlugins'), entry: 'main.js', readable: [] },
  })
  return {
    server,
    admin,
    plugins,
    setUp: async (fixture, more = {}) => {
      const body = { ...basicsOf(fixture), ...more }
      return (await expectOk(admin.call, body)).plugin
    },
    read: async (id) => {
      const read = await admin.call(readPlugin, { params: { id } })
      if (!read.ok) throw new Error(read.error.message)
      return read.body
    },
    metrics: async (id) => {
      const read = await admin.call(readPluginMetrics, {})
      if (!read.ok) throw new Error(read.error.message)
      return read.body.plugins.find(({ pluginId }) => pluginId === id)
    },
    ask: (id, query = 'anything', deadlineMs = 20_000) => askOf(plugins, { pluginId: id }, query, deadlineMs),
    [Symbol.asyncDispose]: async () => {
      await plugins.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

let set = 0

const basicsOf = (fixture: string): CreatePluginRequest => ({
  name: `${fixture.replaceAll(/[^a-z]/g, '-')}-${(set += 1)}`,
  displayName: fixture,
  command: 'node',
  args: [`hostile/${fixture}`],
  enabled: true,
  enabledFor: 'everybody',
})

const expectOk = async (call: Client, body: CreatePluginRequest) => {
  const made = await call(createPlugin, { body })
  if (!made.ok) throw new Error(made.error.message)
  return made.body
}

export const askOf = async (
  plugins: Pick<RunningPlugins, 'call'>,
  ref: { readonly pluginId: string; readonly userId?: string },
  query: string,
  deadlineMs = 20_000,
): Promise<string> => {
  try {
    const reply = await plugins.call(ref, 'metadata/series/search', { query }, { deadlineMs })
    return (reply as { results: readonly { title: string }[] }).results.map(({ title }) => title).join(', ')
  } catch (error) {
    if (error instanceof PluginFault) return `${error.code}: ${error.message}`
    throw error
  }
}
