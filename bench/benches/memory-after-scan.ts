import { setTimeout as delay } from 'node:timers/promises'
import { untilCoversAreMade } from '../books/scan.ts'
import { scannedLibrary } from '../books/scanned-library.ts'
import type { Bench } from '../figure.ts'
import { pssBytesOf } from '../process-figures.ts'

const profile = 'M'
const afterMs = 60_000
const megabyte = 1_000_000
const budget = { max: 180 }

/** What a server holds a minute after it has read a library that it had never seen, and made all its covers. */
export const memoryAfterScan: Bench = {
  names: ['memory.scanned'],
  run: async ({ database }) => {
    await using scanned = await scannedLibrary(database, profile)
    await untilCoversAreMade(scanned.content)
    await delay(afterMs)
    const { own, all } = pssBytesOf(scanned.server.pid)
    return [
      { name: `memory.scanned ${profile}, api alone`, unit: 'MB', values: [own / megabyte] },
      { name: `memory.scanned ${profile}, all processes`, unit: 'MB', values: [all / megabyte], gate: budget },
    ]
  },
}
