import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openStream } from '../packages/server/test/event-stream.ts'
import { comic, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { seed } from '../packages/server/test/seed.ts'
import { claim, signIn, startCarrel, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { childrenOf, endOf, launch } from '../packages/server/test/smoke/program.ts'
import { randomFrom } from '../packages/server/test/smoke/random.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { unsound } from './numbered-writes.ts'

console.log(`The moments come from SEED=${seed}`)
const unlimited = { CARREL_RATE_LIMIT_ENABLED: 'false' }

/** A process that is no more than an entry that nobody has collected is gone. */
const isAlive = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status !== '' && !/\) Z /.test(status)
}

const allBelow = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...allBelow(child)])

interface Download {
  /** What is wrong with it, once it is over: a body that is shorter than was said, as if it were whole. */
  readonly over: Promise<string | undefined>
}

/** It reads slowly, so that the server has much to send yet when it is told to stop. */
const slowDownload = (url: string, headers: Readonly<Record<string, string>>): Download => {
  const read = async (): Promise<string | undefined> => {
    let received = 0
    try {
      const response = await fetch(url, { headers })
      if (response.status === 503) return undefined
      if (!response.ok || !response.body) return `${response.status}`
      const expected = Number(response.headers.get('content-length'))
      for await (const chunk of response.body) {
        received += chunk.length
        await delay(2)
      }
      return received === expected ? undefined : `${received} of ${expected} bytes, and no error`
    } catch {
      // It was broken off: the client knows that it has not all of it.
      return undefined
    }
  }
  return { over: read() }
}

/** It waits until the library has these books. */
const scanned = (admin: Visitor, count: number) =>
  waitUntil('the books to be there', async () => bodyOf(await admin.call(api.listBooks, {})).total >= count)

test('G14 P-20 told to stop with many streams and downloads under way and a scan: it ends in order, nothing is cut that says it is whole, and nothing is left', async () => {
  const random = randomFrom(seed)
  const rounds = times(2, 50, 8)
  const streamsAtOnce = times(60, 500, 150)
  const downloadsAtOnce = times(10, 50, 20)
  await using folder = await temporaryFolder()
  await using library = await libraryFolder()
  for (let index = 0; index < 30; index += 1)
    await library.write(`S${index % 3}/${index}.cbz`, comic({ seed: index, pages: 40 }))
  const options = { cwd: folder.path, env: unlimited }
  let slowest = 0
  const wrong: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    await using carrel = await startCarrel(options)
    const admin = round === 0 ? await claim(carrel) : await signIn(carrel, 'ana')
    if (round === 0) {
      await admin.call(api.createLibrary, { body: { name: 'L', roots: [library.path], watch: false } })
      await scanned(admin, 30)
    }
    const headers = { authorization: `Bearer ${admin.accessToken}` }
    const [one] = bodyOf(await admin.call(api.listLibraries, {})).data
    const { data: books } = bodyOf(await admin.call(api.listBooks, { query: { pageSize: 100 } }))
    // Twenty are all that one user may have.
    const readers = await Promise.all(
      Array.from({ length: Math.ceil(streamsAtOnce / 20) }, async (_, index) => {
        const username = `reader-${index}`
        if (round === 0) await admin.call(api.createUser, { body: { username, password: 'quiet-lamp-over-snow' } })
        return signIn(carrel, username)
      }),
    )
    const streams = await Promise.all(
      Array.from({ length: streamsAtOnce }, (_, index) =>
        openStream(carrel.url, { authorization: `Bearer ${readers[Math.floor(index / 20)]?.accessToken}` }),
      ),
    )
    expect(streams.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    await library.write(`S9/${round}.cbz`, comic({ seed: 1000 + round, pages: 40 }))
    await admin.call(api.scanLibrary, { params: { id: one?.id ?? '' } })
    const downloads = Array.from({ length: downloadsAtOnce }, (_, index) =>
      slowDownload(`${carrel.url}/api/v1/books/${books[index % books.length]?.id}/file`, headers),
    )
    await delay(random() * 300)
    const below = allBelow(carrel.pid)

    const startedAt = performance.now()
    carrel.kill('SIGTERM')
    expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
    slowest = Math.max(slowest, performance.now() - startedAt)

    await Promise.all(streams.map(({ ended }) => ended))
    wrong.push(...(await Promise.all(downloads.map(({ over }) => over))).filter((each) => each !== undefined))
    await waitUntil('all its processes to be gone', async () =>
      (await Promise.all(below.map((pid) => isAlive(pid)))).every((alive) => !alive),
    )
  }
  tell({
    id: 'G14',
    what: `stopped with ${streamsAtOnce} streams, ${downloadsAtOnce} downloads and a scan; the slowest`,
    tries: rounds,
    lost: wrong.length,
    figure: slowest,
    limit: 10_000,
    unit: 'ms',
  })
  expect(wrong).toEqual([])
  // The scan that was handed back goes on.
  await using carrel = await startCarrel(options)
  await scanned(await signIn(carrel, 'ana'), 30 + rounds)
})

test('G15 P-20 P-1 stopped or killed at any moment of a start, the next start finds everything as it was', async () => {
  const random = randomFrom(seed)
  const rounds = times(6, 100, 25)
  await using folder = await temporaryFolder()
  const cwd = folder.path
  const startedAt = performance.now()
  {
    await using first = await startCarrel({ cwd, env: unlimited })
    const { call } = await claim(first)
    bodyOf(await call(api.savePreference, { params: { key: 'kept' }, body: { value: 'all along' } }))
  }
  const takesMs = performance.now() - startedAt
  let failed = 0
  for (let round = 0; round < rounds; round += 1) {
    await using disturbed = launch(['serve'], { cwd, env: { ...unlimited, CARREL_PORT: '0' } })
    await delay(random() * takesMs)
    const signal = round % 2 === 0 ? 'SIGKILL' : 'SIGTERM'
    disturbed.kill(signal)
    const { code, signal: by } = await endOf(disturbed)
    // Before a program hears signals it is ended by them.
    expect(['0 null', 'null SIGKILL', 'null SIGTERM']).toContain(`${code} ${by}`)
    if (round % 3 !== 2) continue
    try {
      await using carrel = await startCarrel({ cwd, env: unlimited })
      const reader = await signIn(carrel, 'ana')
      expect(bodyOf(await reader.call(api.readPreferences, {})).preferences).toEqual({ kept: 'all along' })
      carrel.kill('SIGTERM')
      expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
    } catch (error) {
      failed += 1
      console.log(`  after round ${round}: ${String(error)}`)
    }
    expect(unsound(`${cwd}/data/carrel.db`)).toEqual([])
  }
  tell({ id: 'G15', what: 'starts that were stopped or killed', tries: rounds, lost: failed })
  expect(failed).toBe(0)
})
