import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Nodes, startNodes } from './nodes.ts'
import { newDatabase } from './postgres-of-file.ts'
import { endOf, type Program, workersOf } from './program.ts'
import { seed } from '../seed.ts'
import { randomFrom } from './random.ts'
import { failingTask, longTask, quickTask } from './programs/test-tasks.ts'
import { figure, tell, times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

console.log(`The moments of the kills come from SEED=${seed}`)
const moment = randomFrom(seed)
const kills = times(5, 60, 15)
const tasksPerKill = 48

const startNodesOn = async (kind: 'SQLite' | 'PostgreSQL'): Promise<Nodes> =>
  startNodes(kind === 'SQLite' ? 'sqlite' : { kind: 'postgres', url: await newDatabase() })

const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`)

const left = async ({ database }: Nodes): Promise<number> => {
  const { count } = await database.readSlowly
    .selectFrom('task')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', 'in', ['pending', 'processing'])
    .executeTakeFirstOrThrow()
  return count
}

const allDone = (nodes: Nodes) => waitUntil('all tasks to be done', async () => (await left(nodes)) === 0)

/** It reads the figures in both places where they are stored. */
const figuresOf = async ({ database }: Nodes) => ({
  total: await database.read.selectFrom('task_total').select(['succeeded', 'failed']).executeTakeFirstOrThrow(),
  byHour: await database.read
    .selectFrom('task_figure')
    .select(({ fn }) => [fn.sum<number>('succeeded').as('succeeded'), fn.sum<number>('failed').as('failed')])
    .executeTakeFirstOrThrow(),
})

const isGone = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') ?? false
  } catch {
    return true
  }
}

/** It makes sure that a failed test leaves nothing behind. */
const endNow = (pid: number): void => {
  if (!isGone(pid)) process.kill(pid, 'SIGKILL')
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'TSK-1 P-1 D1 workers killed at any moment: on %s each effect is there once, nothing is stuck, figures add up',
  async (kind) => {
    await using nodes = await startNodesOn(kind)
    await using workers = new AsyncDisposableStack()
    const startWorker = async (): Promise<Program> => workers.use(await nodes.startWorker())
    const running = [await startWorker(), await startWorker()]
    const names = new Set<string>()
    for (let round = 0; round < kills; round += 1) {
      const batch = named(`quick-${round}`, tasksPerKill)
      for (const name of batch) names.add(name)
      const before = (await nodes.effects()).length
      await nodes.enqueue(quickTask, batch)
      await nodes.enqueue(failingTask, named(`failing-${round}`, 2))
      await waitUntil('work to go on', async () => (await nodes.effects()).length > before)
      await delay(moment() * 150)
      const victim = running.shift()
      victim?.kill('SIGKILL')
      expect(victim && (await endOf(victim))).toEqual({ code: null, signal: 'SIGKILL' })
      running.push(await startWorker())
    }

    await allDone(nodes)

    expect(await nodes.effects()).toEqual([...names].sort())
    const expected = { succeeded: kills * tasksPerKill, failed: kills * 2 }
    expect(await figuresOf(nodes)).toEqual({ total: expected, byHour: expected })
    const tasks = await nodes.database.read.selectFrom('task').select(['attempts', 'interruptions']).execute()
    expect(new Set(tasks.map(({ attempts }) => attempts))).toEqual(new Set([1]))
    const interrupted = tasks.reduce((sum, { interruptions }) => sum + interruptions, 0)
    const what = `kills of a worker on ${kind}, ${names.size} tasks, ${interrupted} runs interrupted`
    tell({ id: 'D1', what, tries: kills, lost: 0 })
  },
  times(120_000, 1_800_000),
)

test(
  'TSK-2 P-1 a server killed with SQLite takes its worker with it, and what it did goes on once after the next start',
  async () => {
    await using nodes = await startNodes('sqlite')
    const names: string[] = []
    for (let round = 0; round < kills; round += 1) {
      await using carrel = await nodes.startApi('one')
      const children = await waitUntil('the worker to run', () => {
        const pids = workersOf(carrel.pid)
        return pids.length > 0 && pids
      })
      await using stack = new AsyncDisposableStack()
      stack.defer(() => children.forEach(endNow))
      const long = `long-${round}`
      const batch = named(`quick-${round}`, tasksPerKill)
      names.push(long, ...batch)
      // The first kills come while the worker is still starting.
      if (round > 0) {
        await nodes.enqueue(longTask, [long])
        await waitUntil('the long task to run', () => nodes.begun(long).length > 0)
      }
      await nodes.enqueue(quickTask, batch)
      await delay(moment() * 300)
      const killedAt = performance.now()
      carrel.kill('SIGKILL')
      // The process counts as ended only when its worker has closed the output they share.
      expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
      await waitUntil('the worker to end as well', () => children.every(isGone))
      figure('the worker of a killed server ends after', performance.now() - killedAt)
      if (round === 0) await nodes.enqueue(longTask, [long])
      nodes.letEnd(long)
    }
    await using _ = await nodes.startApi('one')

    await allDone(nodes)

    expect(await nodes.effects()).toEqual(names.sort())
    const tasks = await nodes.database.read.selectFrom('task').select('attempts').execute()
    expect(new Set(tasks.map(({ attempts }) => attempts))).toEqual(new Set([1]))
    for (let round = 1; round < kills; round += 1) expect(nodes.begun(`long-${round}`)).toHaveLength(2)
  },
  times(120_000, 1_800_000),
)
