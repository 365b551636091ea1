import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../packages/server/test/postgres.ts'
import { claim, startCarrel, type Visitor, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { launch } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { emptyWriteLedger, missingFrom } from './numbered-writes.ts'
import { acknowledgedAgain, numbersOf, writeOn } from './preference-writers.ts'

/** Three of them are set aside for superusers, as whom nobody should run Carrel; this one does, so that it has all. */
const connectionsMax = 20
const nodesMax = 8

let started: TestPostgres | undefined
beforeAll(async () => {
  started = await startPostgres({ connectionsMax })
}, 60_000)
afterAll(() => started?.stop())

/** It reads all the time, several things at once, and notes how often it was refused. */
const readAlways = (person: Visitor, refused: Map<number, number>) => {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { status } = await person.call(api.readPreferences, {})
      if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1)
    }
  }
  const over = Promise.all(Array.from({ length: 12 }, run))
  return async (): Promise<void> => {
    stopping.abort()
    await over
  }
}

test('E6 P-12 where PostgreSQL takes twenty connections, nodes are started until one finds none: it says so in a line, and no other node refuses anything', async () => {
  const postgres = started
  if (!postgres) throw new Error('It is there only while tests run')
  await postgres.createDatabase('crowded')
  const env = {
    ...withoutWorker,
    CARREL_RATE_LIMIT_ENABLED: 'false',
    CARREL_DATABASE_URL: postgres.urlOf('crowded'),
  }
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const first = stack.use(await startCarrel({ cwd: folder.path, env }))
  const ana = await claim(first)
  const ledger = emptyWriteLedger()
  const refused = new Map<number, number>()
  const stops: (() => Promise<void>)[] = []
  const stopAll = async (): Promise<void> => {
    await Promise.all(stops.splice(0).map((stop) => stop()))
  }
  stack.defer(stopAll)
  const load = (baseUrl: string): void => {
    const person = {
      ...ana,
      call: api.createClient({ baseUrl, headers: { authorization: `Bearer ${ana.accessToken}` } }),
    }
    for (let count = 0; count < 4; count += 1) stops.push(writeOn(person, ledger, `writer-${stops.length}`))
    stops.push(readAlways(person, refused))
  }
  load(first.url)
  await acknowledgedAgain(ledger)

  let refusal = ''
  let nodes = 1
  while (refusal === '' && nodes < nodesMax) {
    const folder = stack.use(await temporaryFolder())
    const next = stack.use(launch(['serve'], { cwd: folder.path, env: { ...env, CARREL_PORT: '0' } }))
    let hasEnded = false
    void next.exited.finally(() => {
      hasEnded = true
    })
    await waitUntil(
      () => `node ${nodes + 1} to be ready or to end: ${next.stdout()}${next.stderr()}`,
      () => hasEnded || next.stdout().includes('Carrel is ready'),
    )
    if (hasEnded) refusal = next.stderr()
    else load(/"url":"([^"]+)"/.exec(next.stdout())?.[1] ?? '')
    nodes += 1
    for (let count = 0; count < times(3, 30, 10); count += 1) await acknowledgedAgain(ledger)
  }
  await stopAll()

  const lost = missingFrom(await numbersOf(ana), ledger.acknowledged, ledger.sent)
  const refusals = [...ledger.refused.values(), ...refused.values()].reduce((sum, count) => sum + count, 0)
  tell({
    id: 'E6',
    what: `refusals beside ${ledger.acknowledged.length} acknowledgements, up to node ${nodes}`,
    tries: nodes,
    lost: lost.length,
    figure: refusals,
    limit: 0,
  })
  expect(lost).toEqual([])
  expect(refusals).toBe(0)
  expect(refusal.trim().split('\n')).toHaveLength(1)
  expect(refusal).toMatch(/no more connections/)
})
