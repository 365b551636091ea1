import { readFileSync } from 'node:fs'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { claim, startCarrel } from './carrel.ts'
import { childrenOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const budgetMb = { server: 120, all: 220 }

/** The share of memory that is this process's own, and its part of what it shares. */
const proportionalMb = (pid: number): number => {
  try {
    const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return Number(kib) / 1024
  } catch {
    // A child that has just ended takes none.
    return 0
  }
}

const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)]

const isWatcher = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('watcher.js')

test('G1 W15 server, worker and what watches a library stay within their budgets of memory, when it has started and when it rests from work', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  const ana = await claim(carrel)
  await waitUntil('the worker', async () => (await fetch(`${carrel.url}/health/ready`)).status === 200)
  await using library = await temporaryFolder()
  await ana.call(api.createLibrary, { body: { name: 'Comics', roots: [library.path] } })
  await waitUntil('the library to be watched', () => familyOf(carrel.pid).some((pid) => isWatcher(pid)))
  const together = () => familyOf(carrel.pid).reduce((sum, pid) => sum + proportionalMb(pid), 0)
  const isWithinBudget = () => proportionalMb(carrel.pid) < budgetMb.server && together() < budgetMb.all
  // The budget is for a server at rest: what starting took is given back when the garbage collector comes by.
  await waitUntil('what the start took to be given back', isWithinBudget)
  for (let round = 0; round < 100; round += 1) {
    await Promise.all(Array.from({ length: 16 }, () => ana.call(api.listUsers, { query: { q: 'a' } })))
  }

  expect(await waitUntil('what the work took to be given back', isWithinBudget)).toBe(true)
})
