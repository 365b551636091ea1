import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { type Carrel, claim } from './carrel.ts'
import { startNodes } from './nodes.ts'
import { longTask } from './programs/test-tasks.ts'
import { workersOf } from './program.ts'
import { waitUntil } from './wait-until.ts'

const restAfterMs = 300
const restsSoon = { env: { TEST_REST_AFTER_MS: String(restAfterMs) } }

const rest = ({ pid }: Carrel) => waitUntil('the worker to rest', () => workersOf(pid).length === 0)

/** A long task goes on every 20 ms. */
const longerThanUntilRest = (2 * restAfterMs) / 20

test('TSK-2 a worker with nothing to do ends, and another is started for a task, which it does not leave', async () => {
  await using nodes = await startNodes('sqlite')
  await using carrel = await nodes.startApi('one', restsSoon)
  const ana = await claim(carrel)
  await waitUntil('the first worker', () => workersOf(carrel.pid).length === 1)
  await rest(carrel)
  const { status, checks } = bodyOf(await ana.call(api.readReadiness, {}))
  expect({ status, worker: checks.worker }).toEqual({ status: 'ok', worker: { status: 'ok' } })

  // Another process has written it, and tells the server nothing.
  const [id = ''] = await nodes.enqueue(longTask, ['here'])
  await waitUntil('the task to have run for long', async () => {
    const { progress } = bodyOf(await ana.call(api.readTask, { params: { id } }))
    return (progress?.current ?? 0) > longerThanUntilRest
  })
  nodes.letEnd('here')

  await waitUntil('its end', async () => (await nodes.effects()).length > 0)
  await rest(carrel)
  expect(nodes.notes().map(({ what }) => what)).toEqual(['begun', 'finished'])
  expect(bodyOf(await ana.call(api.readReadiness, {})).status).toBe('ok')
})

test('TSK-2 LIB-1 folders of libraries are watched while the worker rests', async () => {
  await using nodes = await startNodes('sqlite')
  await using books = await libraryFolder()
  await books.write('A/1.cbz', comic({ seed: 1 }))
  await using carrel = await nodes.startApi('one', restsSoon)
  const ana = await claim(carrel)
  const readTotal = async () => bodyOf(await ana.call(api.listBooks, {})).total
  await ana.call(api.createLibrary, { body: { name: 'Comics', roots: [books.path] } })
  await waitUntil('the first book', async () => (await readTotal()) === 1)
  await rest(carrel)

  await books.write('A/2.cbz', comic({ seed: 2 }))

  await waitUntil('the second book', async () => (await readTotal()) === 2)
  await rest(carrel)
  expect(bodyOf(await ana.call(api.readReadiness, {})).status).toBe('ok')
})
