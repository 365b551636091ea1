import { readFileSync } from 'node:fs'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { openStream } from '../event-stream.ts'
import { type Carrel, claim, logged, startCarrel, type Visitor, workerOf } from './carrel.ts'
import { endOf, launch, workersOf } from './program.ts'
import { isRefused } from './raw-connection.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

/** The nineteenth field after the name is the niceness of a process. */
const nicenessOf = (pid: number, thread: number): number => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

const isThere = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const start = async (
  folder: TemporaryFolder,
  priority: 'low' | 'normal' = 'normal',
): Promise<{ carrel: Carrel; ana: Visitor }> => {
  const env = { CARREL_LOG_FORMAT: 'json', CARREL_BACKGROUND_PRIORITY: priority }
  const carrel = await startCarrel({ cwd: folder.path, env })
  return { carrel, ana: await claim(carrel) }
}

const cleanUp = async ({ call }: Visitor): Promise<api.TaskDto> => {
  const { taskId } = bodyOf(await call(api.startTask, { body: { taskType: 'cleanup_tasks' } }))
  return waitUntil('the end of the task', async () => {
    const task = bodyOf(await call(api.readTask, { params: { id: taskId } }))
    return task.status === 'completed' ? task : undefined
  })
}

test('TSK-2 EVT-1 P-20 the server runs its work in a second process, which lets others go first, tells what happens there, and ends with it', async () => {
  await using folder = await temporaryFolder()
  const { carrel, ana } = await start(folder, 'low')
  await using _ = carrel
  await using stream = await openStream(carrel.url, { authorization: `Bearer ${ana.accessToken}` })
  await stream.first('connected')

  const worker = await workerOf(carrel)
  const task = await cleanUp(ana)

  expect(task.result).toEqual({ tasks: 0 })
  expect(nicenessOf(carrel.pid, carrel.pid)).toBe(0)
  await waitUntil('the worker to step back', () => nicenessOf(worker, worker) === 10)
  expect(bodyOf(await ana.call(api.readReadiness, {})).checks.worker).toEqual({ status: 'ok' })
  await waitUntil('its end', () => stream.ofType('task_progress').some(({ data }) => data.status === 'completed'))
  expect(stream.ofType('task_progress').map(({ data }) => data.status)).toEqual(['pending', 'processing', 'completed'])

  carrel.kill('SIGTERM')

  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
  await stream.ended
  expect(isThere(worker)).toBe(false)
})

test('TSK-2 with normal priority the worker and what it starts have their share like the server', async () => {
  await using folder = await temporaryFolder()
  const { carrel, ana } = await start(folder)
  await using _ = carrel

  const worker = await workerOf(carrel)
  await cleanUp(ana)

  expect(nicenessOf(worker, worker)).toBe(nicenessOf(carrel.pid, carrel.pid))
})

test('TSK-2 P-1 a worker that is killed is started again, and a server that is killed leaves none behind', async () => {
  await using folder = await temporaryFolder()
  const { carrel, ana } = await start(folder)
  await using _ = carrel
  const first = await workerOf(carrel)

  process.kill(first, 'SIGKILL')
  const second = await waitUntil('another worker', () => workersOf(carrel.pid).find((pid) => pid !== first))
  await cleanUp(ana)
  carrel.kill('SIGKILL')

  await waitUntil('the end of the worker', () => !isThere(second))
  await using again = await startCarrel({ cwd: folder.path })
  expect((await fetch(`${again.url}/health/ready`)).status).toBe(200)
})

test('TSK-2 CFG-3 CARREL_ROLES takes the work out of the server, and the server out of the worker', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { CARREL_ROLES: 'api' } })
  const ana = await claim(carrel)
  const { taskId } = bodyOf(await ana.call(api.startTask, { body: { taskType: 'cleanup_events' } }))
  const { status } = bodyOf(await ana.call(api.readTask, { params: { id: taskId } }))
  const env = { CARREL_DATA_DIR: carrel.dataDir, CARREL_PORT: '1', CARREL_LOG_FORMAT: 'json' }

  await using worker = launch(['serve'], { cwd: folder.path, env: { ...env, CARREL_ROLES: 'worker' } })

  await waitUntil('the task to be done', async () => {
    const task = bodyOf(await ana.call(api.readTask, { params: { id: taskId } }))
    return task.status === 'completed'
  })
  expect(status).toBe('pending')
  expect(workersOf(carrel.pid)).toEqual([])
  expect(logged(worker, 'The worker is ready')).toBe(true)
  expect(await isRefused('http://127.0.0.1:1')).toBe(true)
  worker.kill('SIGTERM')
  expect(await endOf(worker)).toEqual({ code: 0, signal: null })
})
