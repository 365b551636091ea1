import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createPlugin, readProfile, removePlugin, testPlugin } from '../../packages/api/src/index.ts'
import { openConnection, requestBytes } from '../connection.ts'
import type { Bench } from '../figure.ts'
import { callerAt } from '../installation.ts'
import { readEventLoopDelayMs } from '../liveness.ts'
import { exactCpuUsOf } from '../process-figures.ts'
import type { ServerProcess } from '../server-process.ts'
import { median, quantile } from '../statistics.ts'

const rounds = 3
const roundMs = 10_000
const settleMs = 3000
const askEveryMs = 10
const eachKind = 2
/** The loop delay at 99 % may not exceed this, whatever the machine does. */
const loopDelayMs = 50

const hostileFolder = fileURLToPath(new URL('../../packages/server/test/plugins/hostile', import.meta.url))

/** Each kind misbehaves like this from its first ping on, until it is ended. */
const kinds = {
  spins: 'for (;;);',
  hangs: 'return undefined',
  crashes: 'process.exit(3)',
  'floods-messages': "for (;;) say({ jsonrpc: '2.0', method: 'log', params: { text: 'and another thing' } })",
  'floods-a-line': "for (;;) writeSync(1, 'x'.repeat(65_536))",
  'asks-without-end':
    "for (let id = 1; ; id += 1) say({ jsonrpc: '2.0', id, method: 'storage/get', params: { key: 'x' } })",
  'answers-too-deep': "say('['.repeat(500_000))",
  'shouts-at-the-log': "for (let line = 0; line < 2000; line += 1) writeSync(2, 'x'.repeat(1000)); process.exit(1)",
  grows: 'setInterval(() => kept.push(Buffer.alloc(32 * 1024 * 1024, 1)), 5)',
  'fills-its-folder': "for (let file = 0; ; file += 1) writeFileSync('x' + (file % 4), Buffer.alloc(8 * 1024 * 1024))",
} as const

const program = `
import { writeFileSync, writeSync } from 'node:fs'
import { say, talk } from './talk.mjs'
const kept = []
const kinds = {
${Object.entries(kinds)
  .map(([kind, does]) => `  '${kind}': () => { ${does} },`)
  .join('\n')}
}
talk(() => undefined, { ping: kinds[process.argv[2]] })
`

/** The built server with a worker that is kept busy by plugins which do all they can, beside the same without them. */
export const hostilePlugins: Bench = {
  names: ['plugins.hostile'],
  run: async ({ installation }) => {
    const folder = join(installation.directory, 'plugins', 'hostile')
    await cp(hostileFolder, folder, { recursive: true })
    await writeFile(join(folder, 'at-ping.mjs'), program)
    await using server = await installation.start()
    const call = callerAt(server.port, installation.token)
    const request = requestBytes({ path: readProfile.path, headers: installation.token })
    const ids = await setUp(call)
    const alone: Round[] = []
    const beside: Round[] = []
    await delay(settleMs)
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await measure(server, request))
      const trying = keepTrying(call, ids)
      beside.push(await measure(server, request))
      const tries = await trying.stop()
      if (tries < ids.length) throw new Error(`The plugins did not misbehave: only ${tries} tries ended`)
      await delay(settleMs)
    }
    for (const id of ids) await call(removePlugin, { params: { id } })
    const idleMs = median(alone.map(({ delayMs }) => delayMs))
    const besideOf = (read: (round: Round) => number): number[] => beside.map(read)
    return [
      {
        name: 'plugins.hostile event loop delay, 99 %, without',
        unit: 'ms',
        values: alone.map(({ delayMs }) => delayMs),
      },
      {
        name: `plugins.hostile event loop delay, 99 %, beside ${ids.length}`,
        unit: 'ms',
        values: besideOf(({ delayMs }) => delayMs),
        gate: { max: Math.max(loopDelayMs, idleMs) },
      },
      { name: 'plugins.hostile answer in 99 %, without', unit: 'ms', values: alone.map(({ answerMs }) => answerMs) },
      { name: 'plugins.hostile answer in 99 %, beside', unit: 'ms', values: besideOf(({ answerMs }) => answerMs) },
      { name: 'plugins.hostile CPU of api, without', unit: '% of a core', values: alone.map(({ share }) => share) },
      { name: 'plugins.hostile CPU of api, beside', unit: '% of a core', values: besideOf(({ share }) => share) },
    ]
  },
}

const setUp = async (call: Client): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const kind of Object.keys(kinds))
    for (let each = 1; each <= eachKind; each += 1) {
      const name = `${kind}-${each}`
      const body = { name, displayName: name, command: 'node', args: ['hostile/at-ping.mjs', kind] }
      const made = await call(createPlugin, { body })
      if (!made.ok) throw new Error(`${name} could not be set up: ${made.error.message}`)
      ids.push(made.body.plugin.id)
    }
  return ids
}

/** Each is started again as soon as it has been ended. */
const keepTrying = (call: Client, ids: readonly string[]) => {
  let tries = 0
  const over = new AbortController()
  const all = Promise.all(
    ids.map(async (id) => {
      while (!over.signal.aborted) {
        const tried = await call(testPlugin, { params: { id } })
        if (!tried.ok || tried.body.success)
          throw new Error('A hostile plugin was found to be a good one, or not tried')
        tries += 1
      }
    }),
  )
  return {
    stop: async (): Promise<number> => {
      over.abort()
      await all
      return tries
    },
  }
}

interface Round {
  readonly delayMs: number
  readonly answerMs: number
  /** It is the share of a core that the answering process uses. */
  readonly share: number
}

const measure = async ({ port, pid }: ServerProcess, request: Buffer): Promise<Round> => {
  const connection = await openConnection(port)
  try {
    const answersMs: number[] = []
    await readEventLoopDelayMs(port)
    const cpuBefore = exactCpuUsOf(pid)
    const endsAt = performance.now() + roundMs
    while (performance.now() < endsAt) {
      const requestedAt = performance.now()
      const { status } = await connection.exchange(request)
      if (status !== 200) throw new Error(`An answer was ${status}`)
      answersMs.push(performance.now() - requestedAt)
      await delay(askEveryMs)
    }
    const share = (exactCpuUsOf(pid) - cpuBefore) / (roundMs * 10)
    const answerMs = quantile(
      answersMs.toSorted((a, b) => a - b),
      0.99,
    )
    return { delayMs: await readEventLoopDelayMs(port), answerMs, share }
  } finally {
    connection.close()
  }
}
