import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openDatabase } from '../packages/server/src/database/open.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { addBooksTo, addShelf } from '../packages/server/test/reading-content.ts'
import { claim, signIn, startCarrel, testPassword, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { endOf } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import type { Load, LoadOutcome } from './programs/put-load.ts'

const program = fileURLToPath(new URL('programs/put-load.ts', import.meta.url))
const connections = 400
const seconds = times(8, 60, 20)
const withoutLimits = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' }

/** It is put by a process of its own, which shares nothing with the server but the machine. */
const putLoad = async (load: Load): Promise<LoadOutcome> => {
  const child = spawn(process.execPath, [program, JSON.stringify(load)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(Buffer.concat(parts).toString()) as LoadOutcome
}

/** An installation with forty series of fifty books, which nothing runs on. */
const prepareBooks = async (cwd: string): Promise<void> => {
  {
    await using first = await startCarrel({ cwd, env: withoutLimits })
    const ana = await claim(first)
    bodyOf(await ana.call(api.createUser, { body: { username: 'ben', password: testPassword } }))
    first.kill('SIGTERM')
    await endOf(first)
  }
  const address = { kind: 'sqlite', file: join(cwd, 'data/carrel.db') } as const
  const database = await openDatabase(address, createLog({ level: 'silent', format: 'json' }), (error) => {
    throw error
  })
  for (let number = 0; number < 40; number += 1) await addBooksTo(database, await addShelf(database, `S${number}`), 50)
  await database.close()
}

const addresses = ['/api/v1/books?pageSize=50', '/api/v1/books?pageSize=50&page=#', '/api/v1/search?q=volume%20#']

const requestsOf = (accessToken: string): readonly string[] =>
  addresses.map((path) => `GET ${path} HTTP/1.1\r\nHost: carrel\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`)

const countOf = ({ answers }: LoadOutcome, status: number): number => answers[status]?.count ?? 0

const at99 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? 0

/** How long each of these took, one after the other, until told to stop; what is not answered well is counted. */
const askBeside = (ask: () => Promise<{ readonly status: number }>, everyMs: number) => {
  const waits: number[] = []
  let failed = 0
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      const askedAt = performance.now()
      const status = await ask().then(
        (outcome) => outcome.status,
        () => 0,
      )
      if (status !== 200) failed += 1
      waits.push(performance.now() - askedAt)
      await delay(everyMs)
    }
  })()
  return async () => {
    over.abort()
    await asking
    return { asked: waits.length, failed, at99Ms: at99(waits) }
  }
}

test('G9 P-17 P-19 three times more requests than can be answered: as many are answered as before, health among them, and all is normal afterwards', async () => {
  await using folder = await temporaryFolder()
  await prepareBooks(folder.path)
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutLimits })
  const ana = await signIn(carrel, 'ana')
  const load = { port: Number(new URL(carrel.url).port), requests: requestsOf(ana.accessToken) }
  const peak = await putLoad({ ...load, connections: 8, seconds: seconds / 2 })
  const perSecond = countOf(peak, 200) / peak.seconds

  const stop = askBeside(() => fetch(`${carrel.url}/health`), 100)
  const over = await putLoad({ ...load, connections, seconds, perSecond: 3 * perSecond })
  const health = await stop()
  const endedAt = performance.now()
  await waitUntil('a list to be answered', async () => (await ana.call(api.listBooks, {})).ok)
  const normalMs = performance.now() - endedAt
  const again = await putLoad({ ...load, connections: 8, seconds: seconds / 2 })

  const share = (count: number, ofSeconds: number): number => Math.round((100 * count) / ofSeconds / perSecond)
  const tries = countOf(over, 200)
  const figures = [
    ['answered fewer than at the peak', Math.max(0, 100 - share(tries, over.seconds)), 20, '%'],
    ['the slowest of a hundred answers', over.answers['200']?.at99 ?? 0, undefined, 'ms'],
    ['health meanwhile, the 99th of a hundred', health.at99Ms, 200, 'ms'],
    ['until a list is answered afterwards', normalMs, 5000, 'ms'],
    ['answered fewer afterwards', Math.max(0, 100 - share(countOf(again, 200), again.seconds)), 20, '%'],
  ] as const
  for (const [what, figure, limit, unit] of figures)
    tell({
      id: 'G9',
      what,
      tries,
      lost: over.unanswered + health.failed,
      figure,
      ...(limit !== undefined && { limit }),
      unit,
    })
  expect(Object.keys(over.answers).filter((status) => !['200', '429', '503'].includes(status))).toEqual([])
  expect([over.unanswered, health.failed]).toEqual([0, 0])
  expect(tries).toBeGreaterThan(0)
  expect(Object.keys(again.answers)).toEqual(['200'])
})

test('G9 P-17 P-19 one who asks three times more than the server can answer is refused soon, and takes nothing from others', async () => {
  await using folder = await temporaryFolder()
  await prepareBooks(folder.path)
  const { port, perSecond } = await (async () => {
    await using free = await startCarrel({ cwd: folder.path, env: withoutLimits })
    const { accessToken } = await signIn(free, 'ana')
    const url = new URL(free.url)
    const load = { port: Number(url.port), connections: 8, seconds: seconds / 2 }
    const peak = await putLoad({ ...load, requests: requestsOf(accessToken) })
    return { port: url.port, perSecond: countOf(peak, 200) / peak.seconds }
  })()
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...withoutWorker, CARREL_PORT: port } })
  const ana = await signIn(carrel, 'ana')
  const ben = await signIn(carrel, 'ben')
  const load = { port: Number(port), connections, seconds, perSecond: 3 * perSecond }

  const stopHealth = askBeside(() => fetch(`${carrel.url}/health`), 100)
  const stopBen = askBeside(() => ben.call(api.listBooks, { query: { pageSize: 50 } }), 100)
  const over = await putLoad({ ...load, requests: requestsOf(ana.accessToken) })
  const [health, reader] = [await stopHealth(), await stopBen()]

  const figures = [
    ['a refusal, the 99th of a hundred', over.answers['429']?.at99 ?? 0, 100],
    ['health meanwhile, the 99th of a hundred', health.at99Ms, 200],
    ['a page of another reader, the 99th of a hundred', reader.at99Ms, undefined],
  ] as const
  const refused = countOf(over, 429)
  for (const [what, figure, limit] of figures)
    tell({ id: 'G9', what, tries: refused, figure, ...(limit !== undefined && { limit }), unit: 'ms' })
  expect(Object.keys(over.answers).sort()).toEqual(['200', '429'])
  expect(refused).toBeGreaterThan(countOf(over, 200))
  expect([over.unanswered, health.failed, reader.failed]).toEqual([0, 0, 0])
  await waitUntil('her to be answered again', async () => (await ana.call(api.listBooks, {})).ok)
})
