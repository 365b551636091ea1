import { setTimeout as delay } from 'node:timers/promises'
import { addressOf, readPreferences, savePreference } from '../../packages/api/src/index.ts'
import { requestBytes } from '../connection.ts'
import type { Bench, Figure } from '../figure.ts'
import { type Installation, signInAgain } from '../installation.ts'
import { putLoad } from '../load.ts'
import { profileRequest } from '../own-profile.ts'
import { cpuUsOf, pssBytesOf } from '../process-figures.ts'
import type { ServerProcess } from '../server-process.ts'

const rounds = 3
/** The worker has ended by then. */
const idleMs = 45_000
const loadMs = 8000
const connections = 32
const signInsEach = 10
const megabyte = 1_000_000
const budgets = { own: { max: 120 }, all: { max: 120 } }

export const idleMemory: Bench = {
  names: ['memory.idle'],
  run: async ({ installation }) => {
    const fresh: Idle[] = []
    const loaded: Idle[] = []
    for (let round = 0; round < rounds; round += 1) {
      await using server = await installation.start()
      fresh.push(await settle(server))
      await work(installation, server)
      loaded.push(await settle(server))
    }
    return [...figuresOf('memory.idle after start', fresh), ...figuresOf('memory.idle after load', loaded)]
  },
}

interface Idle {
  readonly ownMb: number
  readonly allMb: number
  readonly cpuShare: number
}

const settle = async ({ pid }: ServerProcess): Promise<Idle> => {
  const before = cpuUsOf(pid)
  await delay(idleMs)
  const { own, all } = pssBytesOf(pid)
  const cpuShare = (cpuUsOf(pid) - before) / (idleMs * 1000)
  return { ownMb: own / megabyte, allMb: all / megabyte, cpuShare: cpuShare * 100 }
}

/** Some of everything there is: reading, writing and checking passwords. */
const work = async (installation: Installation, { port }: ServerProcess): Promise<void> => {
  const { token, key } = installation
  const save = { params: { key: 'bench.memory' }, body: { value: 'x'.repeat(1000) } }
  const requests = [
    profileRequest(token),
    profileRequest(key),
    requestBytes({ path: readPreferences.path, headers: key }),
    requestBytes({ method: 'PUT', path: addressOf(savePreference, save), headers: token, body: save.body }),
  ]
  const signIns = async () => {
    for (let each = 0; each < signInsEach; each += 1) await signInAgain(port)
  }
  const load = putLoad({
    port,
    connections,
    durationMs: loadMs,
    request: (index) => requests[index % requests.length] ?? profileRequest(token),
    check: ({ status, body }) => {
      if (status !== 200) throw new Error(`Expected 200, got ${status} ${body.toString()}`)
    },
  })
  await Promise.all([load, signIns(), signIns()])
}

const figuresOf = (name: string, idles: readonly Idle[]): Figure[] => [
  { name: `${name}, api alone`, unit: 'MB', values: idles.map(({ ownMb }) => ownMb), gate: budgets.own },
  { name: `${name}, all processes`, unit: 'MB', values: idles.map(({ allMb }) => allMb), gate: budgets.all },
  { name: `${name}, CPU`, unit: '% of a core', values: idles.map(({ cpuShare }) => cpuShare) },
]
