import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { spawnChild } from '../bench/engine/child.ts'
import type { ListenerAnswers } from '../bench/engine/listeners.ts'
import { monotonicMs } from '../bench/engine/monotonic.ts'
import { openDatabase } from '../packages/server/src/database/open.ts'
import { createKey } from '../packages/server/src/features/api-keys/api-keys.ts'
import { createUser } from '../packages/server/src/features/users/users.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { passwordHashing } from '../packages/server/src/platform/secrets/password-hash.ts'
import { libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { addBooksTo, addShelf } from '../packages/server/test/reading-content.ts'
import { claim, signIn, startCarrel, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { endOf } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { requireDescriptors } from './descriptors.ts'
import { tortureEnv } from './numbered-writes.ts'

const streams = 10_000
const streamsPerUser = 20
const mebibyte = 1024 * 1024
const path = '/api/v1/events?types=library_updated'

/** An installation with books and as many readers as it takes, each with a key, which nothing runs on. */
const prepareReaders = async (cwd: string, count: number): Promise<readonly string[]> => {
  {
    await using first = await startCarrel({ cwd, env: tortureEnv })
    await claim(first)
    first.kill('SIGTERM')
    await endOf(first)
  }
  const address = { kind: 'sqlite', file: join(cwd, 'data/carrel.db') } as const
  const db = await openDatabase(address, createLog({ level: 'silent', format: 'json' }), (error) => {
    throw error
  })
  await addBooksTo(db, await addShelf(db), 200)
  const context = {
    db,
    passwords: passwordHashing({ memoryKib: 64, passes: 1 }),
    clock: () => new Date(),
    actor: 'operator',
  } as const
  const keys: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { id, username, role } = await createUser(context, { username: `reader-${number}`, password: testPassword })
    const caller = {
      userId: id,
      username,
      role,
      permissions: new Set<never>(),
      language: null,
      downloadMetadata: 'original',
      by: { kind: 'password' },
    } as const
    keys.push((await createKey(db, caller, { name: 'events' }, new Date())).key)
  }
  await db.close()
  return keys
}

const at99 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? 0

/** Twenty lists a second for so long; how long each took. */
const readLists = async ({ call }: Visitor, seconds: number): Promise<readonly number[]> => {
  const waits: number[] = []
  const until = performance.now() + 1000 * seconds
  while (performance.now() < until) {
    const askedAt = performance.now()
    bodyOf(await call(api.listBooks, { query: { pageSize: 50 } }))
    waits.push(performance.now() - askedAt)
    await delay(Math.max(0, 50 - (performance.now() - askedAt)))
  }
  return waits
}

const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024

test('G1 P-16 P-18 ten thousand streams each get every event, others are answered beside them, and one stream more is told to come back', async ({
  skip,
}) => {
  // Each process needs one for each stream, and some for itself.
  requireDescriptors(streams + 1000, skip)
  const seconds = times(20, 600, 60)
  await using folder = await temporaryFolder()
  const keys = await prepareReaders(folder.path, streams / streamsPerUser + 1)
  // One address alone is not given so many connections: these come through a proxy.
  const env = { ...tortureEnv, CARREL_TRUSTED_PROXIES: '127.0.0.1' }
  await using carrel = await startCarrel({ cwd: folder.path, env })
  const ana = await signIn(carrel, 'ana')
  await using library = await libraryFolder()
  const body = { name: 'Library', roots: [library.path], watch: false }
  const { id } = bodyOf(await ana.call(api.createLibrary, { body }))
  const alone = at99(await readLists(ana, seconds / 2))
  const before = residentBytes(carrel.pid)
  await using listeners = await spawnChild<ListenerAnswers>('listeners.ts', folder.path)
  const [oneMore = '', ...held] = keys
  const headers = held.map((key) => ({ 'x-api-key': key }))
  await listeners.ask('open', {
    port: Number(new URL(carrel.url).port),
    groups: [{ path, headers, count: streams }],
  })

  const [lags, delays]: [number[], number[]] = [[], []]
  let most = 0
  const announcing = async (): Promise<void> => {
    for (let event = 0; event < seconds; event += 1) {
      await listeners.ask('expect', { events: streams })
      const toldAt = monotonicMs()
      bodyOf(await ana.call(api.updateLibrary, { params: { id }, body: { name: `Library ${event}` } }))
      lags.push((await listeners.ask('lastAt', undefined)) - toldAt)
      await listeners.ask('requireEach', { events: [1] })
      delays.push(bodyOf(await carrel.call(api.readLiveness, {})).eventLoopDelayMs)
      most = Math.max(most, residentBytes(carrel.pid))
      await delay(Math.max(0, 1000 - (monotonicMs() - toldAt)))
    }
  }
  const [, waits] = await Promise.all([announcing(), readLists(ana, seconds)])
  const refused = await fetch(`${carrel.url}${path}`, { headers: { 'x-api-key': oneMore } })

  const figures = [
    ['an event at the last of the streams, the slowest', Math.max(...lags), 2000, 'ms'],
    [`memory of the server, ${Math.round(before / mebibyte)} MiB without them`, most / mebibyte, 400, 'MiB'],
    ['delay of the loop, the 99th of a hundred', at99(delays), 50, 'ms'],
    [`a list, the 99th of a hundred, ${Math.round(alone)} ms alone`, at99(waits), Math.round(2 * alone), 'ms'],
  ] as const
  for (const [what, figure, limit, unit] of figures)
    tell({ id: 'G1', what, tries: streams * lags.length, lost: 0, figure, limit, unit })
  expect(most).toBeLessThanOrEqual(400 * mebibyte)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
})
