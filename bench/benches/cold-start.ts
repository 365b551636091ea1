import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Bench } from '../figure.ts'
import type { Installation } from '../installation.ts'
import { readOwnProfile } from '../own-profile.ts'
import { cpuUsOf } from '../process-figures.ts'

const rounds = 9

interface Start {
  readonly nodeMs: number
  readonly healthMs: number
  readonly signedInMs: number
  readonly cpuMs: number
  readonly stopMs: number
}

export const coldStart: Bench = {
  names: ['start.cold'],
  run: async ({ installation }) => {
    const starts: Start[] = []
    for (let round = 0; round < rounds; round += 1) starts.push(await startOnce(installation))
    const of = (measure: (start: Start) => number) => starts.map(measure)
    return [
      { name: 'start.cold node -e 0', unit: 'ms', values: of(({ nodeMs }) => nodeMs) },
      { name: 'start.cold first answer', unit: 'ms', values: of(({ healthMs }) => healthMs) },
      { name: 'start.cold first answer to a key', unit: 'ms', values: of(({ signedInMs }) => signedInMs) },
      { name: 'start.cold first answer to node -e 0', unit: 'ratio', values: of((s) => s.healthMs / s.nodeMs) },
      { name: 'start.cold CPU until both', unit: 'ms', values: of(({ cpuMs }) => cpuMs) },
      { name: 'start.cold stop', unit: 'ms', values: of(({ stopMs }) => stopMs) },
    ]
  },
}

/** The database exists, and all its files are in the page cache. */
const startOnce = async ({ spawn, username, key }: Installation): Promise<Start> => {
  const nodeMs = await spawnEmptyNode()
  const server = await spawn()
  let times: Omit<Start, 'nodeMs' | 'stopMs'>
  try {
    await server.ready()
    const healthMs = performance.now() - server.spawnedAt
    await readOwnProfile(server.port, username, key)
    times = { healthMs, signedInMs: performance.now() - server.spawnedAt, cpuMs: cpuUsOf(server.pid) / 1000 }
  } catch (error) {
    await server.kill()
    throw error
  }
  const stoppingAt = performance.now()
  await server[Symbol.asyncDispose]()
  return { ...times, nodeMs, stopMs: performance.now() - stoppingAt }
}

const spawnEmptyNode = async (): Promise<number> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('node -e 0 failed')
  return performance.now() - startedAt
}
