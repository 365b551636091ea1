import { setTimeout as delay } from 'node:timers/promises'
import { listBackups, readTask, savePreference, startBackup } from '../../packages/api/src/index.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt } from '../installation.ts'
import { pssBytesOf } from '../process-figures.ts'
import { quantile } from '../statistics.ts'

const rounds = 3
const aloneMs = 10_000
const writeEveryMs = 10
const pollMs = 250
const megabyte = 1_000_000
const besideAlone = { max: 2 }

type Call = ReturnType<typeof callerAt>

/** It writes a hundred times a second, alone and while a backup of 100,000 books is made. */
export const backup: Bench = {
  names: ['backup'],
  isLong: true,
  run: async ({ database }) => {
    await using seeded = await seededLibrary(database, '100k')
    const { installation } = seeded
    await using server = await installation.start()
    const call = callerAt(server.port, installation.token)
    const alone: number[] = []
    const beside: number[] = []
    const seconds: number[] = []
    const memory: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      alone.push(quantile(await writesDuring(call, () => delay(aloneMs)), 0.99))
      const startedAt = performance.now()
      const latencies = await writesDuring(call, () => oneBackup(call, server.pid, memory))
      seconds.push((performance.now() - startedAt) / 1000)
      beside.push(quantile(latencies, 0.99))
    }
    const { size = Number.NaN } = (await listed(call))[0] ?? {}
    return figuresOf({ alone, beside, seconds, memory, size })
  },
}

const writesDuring = async (call: Call, work: () => Promise<unknown>): Promise<number[]> => {
  const latencies: number[] = []
  const over = new AbortController()
  const writing = (async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const startedAt = performance.now()
      const params = { key: `bench.backup.${number % 50}` }
      const saved = await call(savePreference, { params, body: { value: number } })
      if (!saved.ok) throw new Error(`A write was refused: ${saved.error.message}`)
      latencies.push(performance.now() - startedAt)
      await delay(Math.max(0, writeEveryMs - (performance.now() - startedAt)))
    }
  })()
  await Promise.all([work().finally(() => over.abort()), writing])
  return latencies
}

const oneBackup = async (call: Call, pid: number, memory: number[]): Promise<void> => {
  const started = await call(startBackup, {})
  if (!started.ok) throw new Error(`No backup: ${started.error.message}`)
  let most = 0
  for (;;) {
    const task = await call(readTask, { params: { id: started.body.taskId } })
    if (!task.ok) throw new Error(`No task: ${task.error.message}`)
    const { status, lastError } = task.body
    if (lastError !== null) throw new Error(`The backup failed: ${lastError}`)
    most = Math.max(most, pssBytesOf(pid).all)
    if (status === 'completed') break
    await delay(pollMs)
  }
  memory.push(most / megabyte)
}

const listed = async (call: Call) => {
  const answer = await call(listBackups, {})
  return answer.ok ? answer.body.data : []
}

interface Measured {
  readonly alone: readonly number[]
  readonly beside: readonly number[]
  readonly seconds: readonly number[]
  readonly memory: readonly number[]
  readonly size: number
}

const figuresOf = ({ alone, beside, seconds, memory, size }: Measured): Figure[] => [
  { name: 'backup 100k books, verified', unit: 's', values: seconds },
  { name: 'backup 100k books, size', unit: 'MB', values: [size / megabyte] },
  { name: 'backup, most memory, all processes', unit: 'MB', values: memory },
  { name: 'backup, a write alone, 99 %', unit: 'ms', values: alone },
  { name: 'backup, a write beside it, 99 %', unit: 'ms', values: beside },
  {
    name: 'backup, a write beside it to alone, 99 %',
    unit: 'ratio',
    values: beside.map((each, round) => each / (alone[round] ?? Number.NaN)),
    gate: besideAlone,
  },
]
