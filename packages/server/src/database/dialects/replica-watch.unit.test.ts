import { expect, test } from 'vitest'
import type { ReplicaState } from '../replica.ts'
import { measureLag, UnfitError, watchReplica } from './replica-watch.ts'

test('P-12 a replica lacks nothing while nothing is written, and is late since the first thing that it lacks', () => {
  const lackedFor = measureLag()

  expect(lackedFor(100, 100, 0)).toBe(0)
  expect(lackedFor(100, 100, 600_000)).toBe(0)
  expect(lackedFor(200, 150, 601_000)).toBe(0)
  expect(lackedFor(300, 150, 602_000)).toBe(1000)
  expect(lackedFor(400, 199, 603_000)).toBe(2000)
  expect(lackedFor(500, 200, 604_000)).toBe(2000)
  expect(lackedFor(500, 500, 605_000)).toBe(0)
})

test('P-12 what another server that has taken over never had is missing nowhere', () => {
  const lackedFor = measureLag()
  lackedFor(900, 100, 0)

  expect(lackedFor(300, 300, 1000)).toBe(0)
})

test('P-12 of a server that does not tell its position nobody knows how late it is', () => {
  const lackedFor = measureLag()

  expect([lackedFor(undefined, 100, 0), lackedFor(100, undefined, 0)]).toEqual([undefined, undefined])
})

const progress = { version: 3, position: 100 }

/** It looks once. */
const firstState = async (
  askReplica: () => Promise<typeof progress>,
  askPrimary: () => Promise<typeof progress> = async () => progress,
): Promise<ReplicaState> => {
  const watch = watchReplica({ lagMs: 5000, askPrimary, askReplica, onChange: () => undefined })
  watch.begin()
  // It ends with the look that is under way.
  const closed = watch.close()
  await closed
  return watch.state()
}

const failing = (error: Error) => async (): Promise<typeof progress> => {
  throw error
}

test('P-12 a replica is asked once it has the schema, and not while it is away or something else', async () => {
  expect((await firstState(async () => progress)).status).toBe('follows')
  expect((await firstState(async () => ({ ...progress, version: 2 }))).status).toBe('behind')
  expect(await firstState(failing(new Error('gone')))).toEqual({ status: 'away', detail: 'gone' })
  expect(await firstState(failing(new UnfitError('other')))).toEqual({ status: 'unfit', detail: 'other' })
  expect((await firstState(async () => progress, failing(new Error('gone')))).status).toBe('unknown')
})
