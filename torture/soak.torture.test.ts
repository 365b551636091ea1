import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openStream } from '../packages/server/test/event-stream.ts'
import { comic, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { seed } from '../packages/server/test/seed.ts'
import { type Carrel, claim, signIn, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { childrenOf } from '../packages/server/test/smoke/program.ts'
import { randomFrom } from '../packages/server/test/smoke/random.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'

/** `SOAK_MINUTES` says how long; two hours are what tells a leak of some megabytes from chance. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? times(0.5, 120, 5))

interface Sample {
  readonly minute: number
  readonly mebibytes: number
  readonly descriptors: number
  readonly threads: number
  readonly processes: number
}

/** Files of books stay open for half a minute, as many as were read in it: they say nothing of what is left behind. */
const descriptorsOf = (pid: number, library: string): number =>
  readdirSync(`/proc/${pid}/fd`).filter((each) => {
    try {
      return !readlinkSync(`/proc/${pid}/fd/${each}`).startsWith(library)
    } catch {
      // It was closed meanwhile.
      return false
    }
  }).length

const sampleOf = (pid: number, library: string, minute: number): Sample => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const valueOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    minute,
    mebibytes: valueOf('VmRSS') / 1024,
    descriptors: descriptorsOf(pid, library),
    threads: valueOf('Threads'),
    processes: childrenOf(pid).length,
  }
}

/** By how much a value rises in an hour, by the straight line that is nearest to all samples. */
const slopeOf = (samples: readonly Sample[], of: (sample: Sample) => number): number => {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map((sample) => of(sample)))]
  const over = samples.reduce((sum, sample) => sum + (sample.minute - x) * (of(sample) - y), 0)
  const under = samples.reduce((sum, sample) => sum + (sample.minute - x) ** 2, 0)
  return under === 0 ? 0 : (over / under) * 60
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** What a reader does in the course of an evening, one thing after the other; each must be answered well. */
const oneTurn = async (carrel: Carrel, bookIds: readonly string[], random: () => number): Promise<void> => {
  const reader = await signIn(carrel, 'ana')
  const headers = { authorization: `Bearer ${reader.accessToken}` }
  const any = (): string => bookIds[Math.floor(random() * bookIds.length)] ?? ''
  {
    await using stream = await openStream(carrel.url, headers)
    await stream.first('connected')
    for (let turn = 0; turn < 10; turn += 1) {
      const id = any()
      const pages = bodyOf(await reader.call(api.listPages, { params: { id } }))
      const page = await fetch(`${carrel.url}/api/v1/books/${id}/pages/${1 + Math.floor(random() * pages.length)}`, {
        headers,
      })
      expect(page.status).toBe(200)
      await page.arrayBuffer()
      const cover = await fetch(`${carrel.url}/api/v1/books/${id}/thumbnail`, { headers })
      expect(cover.status).toBe(200)
      await cover.arrayBuffer()
      bodyOf(await reader.call(api.saveProgress, { params: { id }, body: { currentPage: 1 + turn, completed: false } }))
      bodyOf(await reader.call(api.listBooks, { query: { pageSize: 50 } }))
      bodyOf(await reader.call(api.listSeries, {}))
    }
  }
  expect((await reader.call(api.logout, {})).status).toBe(204)
}

test('G12 G13 P-18 P-19 hours of use leave nothing behind: memory, descriptors, threads and processes stay what they were', async () => {
  const random = randomFrom(seed)
  await using folder = await temporaryFolder()
  await using library = await libraryFolder()
  for (let index = 0; index < 40; index += 1)
    await library.write(`S${index % 4}/${index}.cbz`, comic({ seed: index, pages: 12 }))
  await using carrel = await startCarrel({ cwd: folder.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  const admin = await claim(carrel)
  await admin.call(api.createLibrary, { body: { name: 'L', roots: [library.path], watch: false } })
  await waitUntil('the books to be there', async () => bodyOf(await admin.call(api.listBooks, {})).total === 40)
  const { data } = bodyOf(await admin.call(api.listBooks, { query: { pageSize: 100 } }))
  const bookIds = data.map(({ id }) => id)

  const startedAt = performance.now()
  const minute = (): number => (performance.now() - startedAt) / 60_000
  const samples: Sample[] = []
  const delays: number[] = []
  let turns = 0
  const reading = async (): Promise<void> => {
    while (minute() < minutes) {
      await oneTurn(carrel, bookIds, random)
      turns += 1
    }
  }
  const sampling = async (): Promise<void> => {
    while (minute() < minutes) {
      samples.push(sampleOf(carrel.pid, library.path, minute()))
      const { eventLoopDelayMs } = bodyOf(await carrel.call(api.readLiveness, {}))
      delays.push(eventLoopDelayMs)
      await delay(1000)
    }
  }
  await Promise.all([reading(), reading(), sampling()])

  const settled = samples.filter((sample) => sample.minute > minutes / 5)
  const [middle, last] = [settled.slice(0, settled.length / 3), settled.slice(-settled.length / 3)]
  const growth = (of: (sample: Sample) => number): number =>
    median(last.map((sample) => of(sample))) - median(middle.map((sample) => of(sample)))
  const tries = turns * 52
  tell({
    id: 'G12',
    what: `memory of the server over ${minutes} minutes, by the hour`,
    tries,
    figure: slopeOf(settled, ({ mebibytes }) => mebibytes),
    // In less than an hour the line follows what is only warming up.
    ...(minutes >= 60 && { limit: 5 }),
    unit: 'MiB',
  })
  const flat = {
    descriptors: growth(({ descriptors }) => descriptors),
    threads: growth(({ threads }) => threads),
    processes: growth(({ processes }) => processes),
  }
  for (const [what, figure] of Object.entries(flat))
    tell({ id: 'G12', what: `more ${what} at the end`, tries, figure, limit: 5, unit: '' })
  delays.sort((a, b) => a - b)
  tell({
    id: 'G13',
    what: 'delay of the loop in the soak, the 99th of a hundred',
    tries: delays.length,
    figure: delays[Math.floor(delays.length * 0.99)] ?? 0,
    limit: 50,
    unit: 'ms',
  })
  expect(Object.entries(flat).filter(([, value]) => value > 5)).toEqual([])
  expect(turns).toBeGreaterThan(0)
})
