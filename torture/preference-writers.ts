import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { bodyOf } from '../packages/server/test/outcome.ts'
import type { Carrel, Visitor } from '../packages/server/test/smoke/carrel.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import type { WriteLedger } from './numbered-writes.ts'

/** Each place gets one number after the other; refusals are noted by status. */
export const writeOn = (person: Visitor, ledger: WriteLedger, folder: string) => {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const number = (ledger.sent.get(folder) ?? 0) + 1
      ledger.sent.set(folder, number)
      const outcome = await person.call(api.savePreference, { params: { key: folder }, body: { value: number } })
      if (outcome.ok) ledger.acknowledged.push({ slot: folder, number, at: 0 })
      else {
        ledger.refused.set(outcome.status, (ledger.refused.get(outcome.status) ?? 0) + 1)
        await delay(20)
      }
    }
  }
  const over = run()
  return async (): Promise<void> => {
    stopping.abort()
    await over
  }
}

export const numbersOf = async (person: Visitor): Promise<Map<string, number>> => {
  const { preferences } = bodyOf(await person.call(api.readPreferences, {}))
  return new Map(Object.entries(preferences).map(([key, value]) => [key, Number(value)]))
}

/** It returns how long that took, in milliseconds. */
export const acknowledgedAgain = async (ledger: WriteLedger): Promise<number> => {
  const before = ledger.acknowledged.length
  const startedAt = performance.now()
  await waitUntil('writes to be acknowledged', () => ledger.acknowledged.length > before + 8)
  return performance.now() - startedAt
}

/** The same person at another node. */
export const withPerson = (carrel: Carrel, person: Visitor): Visitor => ({
  ...person,
  call: carrel.callWith({ authorization: `Bearer ${person.accessToken}` }),
})
