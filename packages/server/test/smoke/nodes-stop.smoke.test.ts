import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStream } from '../event-stream.ts'
import { claim, logged } from './carrel.ts'
import { freeze, type Nodes, startNodes, taskOf } from './nodes.ts'
import { newDatabase } from './postgres-of-file.ts'
import { childrenOf, endOf, type Program, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { deafTask, longTask, quickTask } from './programs/test-tasks.ts'
import { timed } from './torture.ts'
import { waitUntil } from './wait-until.ts'

const startOnPostgres = async (): Promise<Nodes> => startNodes({ kind: 'postgres', url: await newDatabase() })

const toBegin = (nodes: Nodes, name: string, count = 1) =>
  waitUntil(`${name} to begin`, () => nodes.begun(name).length >= count && nodes.begun(name))

/** The one of two workers that runs a task, and the other. */
const whoRuns = async (nodes: Nodes, name: string, [one, other]: readonly [Program, Program]) => {
  const [begun] = await toBegin(nodes, name)
  return begun?.pid === one.pid ? ([one, other] as const) : ([other, one] as const)
}

test('TSK-1 P-20 a worker told to stop hands back its tasks, ends with 0, and the other worker runs them', async () => {
  await using nodes = await startOnPostgres()
  await using one = await nodes.startWorker()
  await using two = await nodes.startWorker()
  const [taskId = ''] = await nodes.enqueue(longTask, ['long'])
  const [busy, other] = await whoRuns(nodes, 'long', [one, two])
  // The other node is frozen, so that tasks handed back can be seen before they are taken again.
  await freeze(nodes, other)

  busy.kill('SIGTERM')

  expect(await timed('a worker that runs a task ends', endOf(busy))).toEqual({ code: 0, signal: null })
  expect(await taskOf(nodes, taskId)).toMatchObject({
    status: 'pending',
    attempts: 0,
    interruptions: 0,
    worker_id: null,
  })
  other.kill('SIGCONT')
  await toBegin(nodes, 'long', 2)
  nodes.letEnd('long')
  await waitUntil('its end', async () => (await taskOf(nodes, taskId)).status === 'completed')
  expect(await taskOf(nodes, taskId)).toMatchObject({ attempts: 1, interruptions: 0 })
  expect(await nodes.effects()).toEqual(['long'])
  expect(nodes.begun('long').map(({ pid }) => pid)).toEqual([busy.pid, other.pid])
})

test('TSK-1 P-20 a task that does not listen does not keep its worker from stopping, and its effect is there once', async () => {
  await using nodes = await startOnPostgres()
  await using worker = await nodes.startWorker()
  const [taskId = ''] = await nodes.enqueue(deafTask, ['deaf'])
  await toBegin(nodes, 'deaf')

  worker.kill('SIGTERM')

  expect(await endOf(worker)).toEqual({ code: 0, signal: null })
  expect(await taskOf(nodes, taskId)).toMatchObject({ status: 'pending', attempts: 0, interruptions: 0 })
  nodes.letEnd('deaf')
  await using _ = await nodes.startWorker()
  await waitUntil('its end', async () => (await taskOf(nodes, taskId)).status === 'completed')
  expect(await nodes.effects()).toEqual(['deaf'])
})

test('TSK-1 P-20 a second SIGTERM ends a worker at once, and what it held is run by another', async () => {
  await using nodes = await startOnPostgres()
  await using worker = await nodes.startWorker()
  const [taskId = ''] = await nodes.enqueue(deafTask, ['deaf'])
  await toBegin(nodes, 'deaf')
  worker.kill('SIGTERM')
  await waitUntil('it to say that it stops', () => logged(worker, 'Stopping'))

  worker.kill('SIGTERM')

  expect((await timed('told twice, a worker ends', endOf(worker))).code).not.toBe(0)
  expect(logged(worker, 'Stopped')).toBe(false)
  nodes.letEnd('deaf')
  await using _ = await nodes.startWorker()
  await waitUntil('its end', async () => (await taskOf(nodes, taskId)).status === 'completed')
  expect(await nodes.effects()).toEqual(['deaf'])
})

test('TSK-2 EVT-1 P-20 a server told to stop ends its streams, its worker hands back, and nothing is left', async () => {
  await using nodes = await startNodes('sqlite')
  await using carrel = await nodes.startApi('one')
  const { accessToken } = await claim(carrel)
  await using stream = await openStream(carrel.url, { authorization: `Bearer ${accessToken}` })
  await stream.first('connected')
  const [taskId = ''] = await nodes.enqueue(longTask, ['long'])
  const [begun] = await toBegin(nodes, 'long')
  expect(childrenOf(carrel.pid)).toContain(begun?.pid)

  carrel.kill('SIGTERM')

  await stream.ended
  // Its output ends with the last process that writes to it.
  expect(await timed('a server with a worker ends', endOf(carrel))).toEqual({ code: 0, signal: null })
  expect(stream.text()).toContain(': the stream ends here')
  expect(await taskOf(nodes, taskId)).toMatchObject({ status: 'pending', attempts: 0, interruptions: 0 })
  nodes.letEnd('long')
  await using _ = await nodes.startApi('one')
  await waitUntil('its end', async () => (await taskOf(nodes, taskId)).status === 'completed')
  expect(await nodes.effects()).toEqual(['long'])
})

test('TSK-2 P-20 told twice, a server and its worker end, and no process is left', async () => {
  await using nodes = await startNodes('sqlite')
  await using carrel = await nodes.startApi('one')
  await nodes.enqueue(deafTask, ['deaf'])
  await toBegin(nodes, 'deaf')
  carrel.kill('SIGTERM')
  await waitUntil('the task to be told', () => nodes.notes().some(({ what }) => what === 'told to stop'))

  carrel.kill('SIGTERM')

  expect((await timed('told twice, a server and its worker end', endOf(carrel))).code).toBe(1)
  expect(logged(carrel, 'Stopped')).toBe(false)
})

test('TSK-1 P-11 a worker that stood still longer than its lease writes nothing more, and the effect is there once', async () => {
  await using nodes = await startOnPostgres()
  await using one = await nodes.startWorker()
  await using two = await nodes.startWorker()
  const [taskId = ''] = await nodes.enqueue(deafTask, ['deaf'])
  const [frozen, other] = await whoRuns(nodes, 'deaf', [one, two])

  await freeze(nodes, frozen)
  await timed('the lease of a silent worker (3 s) ends', toBegin(nodes, 'deaf', 2))
  nodes.letEnd('deaf')
  await waitUntil('its end', async () => (await taskOf(nodes, taskId)).status === 'completed')
  frozen.kill('SIGCONT')

  const refused = await waitUntil('the late end', () => nodes.notes().find(({ what }) => what === 'refused'))
  expect(refused).toMatchObject({ name: 'deaf', pid: frozen.pid })
  expect(nodes.notes().filter(({ what }) => what === 'finished')).toMatchObject([{ name: 'deaf', pid: other.pid }])
  expect(await nodes.effects()).toEqual(['deaf'])
  expect(await taskOf(nodes, taskId)).toMatchObject({ status: 'completed', attempts: 1, interruptions: 1 })
  // It works on, under another name.
  const { succeeded } = await nodes.database.read.selectFrom('task_total').select('succeeded').executeTakeFirstOrThrow()
  expect(succeeded).toBe(1)
  other.kill('SIGTERM')
  await endOf(other)
  await nodes.enqueue(quickTask, ['quick'])
  await waitUntil('it to work again', async () => (await nodes.effects()).length === 2)
})

test('TSK-1 P-11 a worker that was given up while its task goes on says so once, and leaves the database in peace', async () => {
  await using nodes = await startOnPostgres()
  await using one = await nodes.startWorker()
  await using two = await nodes.startWorker()
  await nodes.enqueue(deafTask, ['deaf'])
  const [frozen] = await whoRuns(nodes, 'deaf', [one, two])
  await freeze(nodes, frozen)
  await toBegin(nodes, 'deaf', 2)

  frozen.kill('SIGCONT')
  await waitUntil('it to find out', () =>
    logged(frozen, 'This worker gave no sign of life for too long; its tasks were taken away'),
  )
  // The task does not listen: it is still there while the worker does other things.
  await nodes.enqueue(
    quickTask,
    Array.from({ length: 50 }, (_, index) => `quick-${index}`),
  )
  await waitUntil('other tasks', async () => (await nodes.effects()).length === 50)
  nodes.letEnd('deaf')
  await waitUntil('all', async () => (await nodes.effects()).length === 51)

  const lines = frozen.stdout().split('gave no sign of life').length - 1
  expect(lines).toBe(1)
})

test('CFG-5 a worker that cannot begin says why and ends', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const env = { CARREL_DATA_DIR: dataDir }
  await run(['migrate'], { cwd: folder.path, env })
  await writeFile(join(dataDir, 'secret.key'), 'x'.repeat(64))
  await chmod(join(dataDir, 'secret.key'), 0o644)

  const finished = await run(['worker'], { cwd: folder.path, env })

  expect(finished).toMatchObject({ code: 78, stderr: expect.stringContaining('can be read by others') })
})
