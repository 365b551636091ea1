import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PluginFault } from '../../src/plugins/fault.ts'
import { type CallReport, type HostOptions, openPluginHost, type PluginHost } from '../../src/plugins/host.ts'
import type { Isolation } from '../../src/plugins/isolation.ts'
import { Refusal } from '../../src/plugins/peer.ts'
import type { Launch } from '../../src/plugins/process.ts'
import type { PluginSpec, Trouble } from '../../src/plugins/supervised.ts'
import { createLog } from '../../src/platform/log.ts'

export const hostileFolder = fileURLToPath(new URL('./hostile', import.meta.url))

export interface Hosting {
  readonly host: PluginHost
  readonly folder: string
  readonly calls: readonly CallReport[]
  readonly troubles: readonly Trouble[]
  readonly lines: readonly string[]
  readonly isolation: () => Isolation
  /** It is the spec of a plugin from the folder of hostile ones. */
  spec(fixture: string, more?: Partial<Launch & Pick<PluginSpec, 'requestsPerMinute' | 'key'>>): PluginSpec
  /** The title of the one result, or the code and the words of the fault. */
  ask(spec: PluginSpec, query?: string, deadlineMs?: number): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** A host in this process, with real plugins, and little patience. */
export const openHosting = async (options: Partial<HostOptions> = {}): Promise<Hosting> => {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-plugins-'))
  const calls: CallReport[] = []
  const troubles: Trouble[] = []
  const lines: string[] = []
  let isolation: Isolation | undefined
  const host = openPluginHost({
    log: createLog({ level: 'silent', format: 'json' }),
    answer: async (_, method) => {
      if (method !== 'storage/get') throw new Refusal(-32_601, 'There is no such method.')
      return { data: 'x'.repeat(10_000) }
    },
    onCall: (_, report) => void calls.push(report),
    onTrouble: (_, trouble) => void troubles.push(trouble),
    onLine: (_, line) => void lines.push(line),
    onStarted: (_, started) => {
      ;({ isolation } = started)
    },
    ...options,
    timing: { shutdownMs: 1000, terminateMs: 300, pingMs: 700, backOffFirstMs: 20, ...options.timing },
  })
  return {
    host,
    folder,
    calls,
    troubles,
    lines,
    isolation: () => {
      if (!isolation) throw new Error('Nothing has been started yet')
      return isolation
    },
    spec: (fixture, { key = fixture, requestsPerMinute = null, ...launch } = {}) => ({
      key,
      pluginId: key,
      userId: null,
      revision: '1',
      requestsPerMinute,
      initialize: {},
      launch: async () => ({ ...programOf(fixture, folder), ...launch }),
    }),
    ask: async (spec, query = 'anything', deadlineMs = 20_000) => {
      try {
        const reply = await host.call(spec, 'metadata/series/search', { query }, { deadlineMs })
        return (reply as { results: readonly { title: string }[] }).results.map(({ title }) => title).join(', ')
      } catch (error) {
        if (error instanceof PluginFault) return `${error.code}: ${error.message}`
        throw error
      }
    },
    [Symbol.asyncDispose]: async () => {
      await host.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const programOf = (fixture: string, folder: string): Launch => {
  const isNode = fixture.endsWith('.mjs')
  return {
    command: isNode ? process.execPath : '/bin/sh',
    args: [join(hostileFolder, fixture)],
    isNode,
    folder,
    readable: [hostileFolder],
    env: {},
    secrets: [],
    reach: undefined,
    // Node runs in no less: it takes long to fill much.
    memoryMaxBytes: 128 * 1024 * 1024,
  }
}
