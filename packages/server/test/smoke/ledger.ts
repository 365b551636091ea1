import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import { bodyOf } from '../outcome.ts'
import { testPassword, type Visitor } from './carrel.ts'

const preferenceWriters = 4
const userWriters = 2
const keysPerWriter = 40

/** It records what the server has acknowledged to clients, on their side of the wire. */
export interface Ledger {
  /** The value acknowledged last, and the one sent last, which may be stored without the answer having come. */
  readonly preferences: Map<string, { readonly acknowledged: string | undefined; readonly sent: string }>
  readonly usernames: Set<string>
  acknowledgements: number
}

export const emptyLedger = (): Ledger => ({ preferences: new Map(), usernames: new Set(), acknowledgements: 0 })

/** Several clients write without a pause until the server is gone. */
export const writeUntilGone = async (admin: Visitor, ledger: Ledger, round: number): Promise<void> => {
  const writers = [
    ...Array.from({ length: preferenceWriters }, (_, writer) => savePreferences(admin, ledger, writer)),
    ...Array.from({ length: userWriters }, (_, writer) => createUsers(admin, ledger, `${round}-${writer}`)),
  ]
  await Promise.all(writers)
}

const savePreferences = async ({ call }: Visitor, ledger: Ledger, writer: number): Promise<void> => {
  for (let turn = 0; ; turn += 1) {
    const key = `writer-${writer}-${turn % keysPerWriter}`
    const value = randomUUID()
    ledger.preferences.set(key, { acknowledged: ledger.preferences.get(key)?.acknowledged, sent: value })
    const outcome = await unlessGone(call(api.savePreference, { params: { key }, body: { value } }))
    if (!outcome) return
    bodyOf(outcome)
    ledger.preferences.set(key, { acknowledged: value, sent: value })
    ledger.acknowledgements += 1
  }
}

const createUsers = async ({ call }: Visitor, ledger: Ledger, prefix: string): Promise<void> => {
  for (let turn = 0; ; turn += 1) {
    const username = `user-${prefix}-${turn}`
    const outcome = await unlessGone(call(api.createUser, { body: { username, password: testPassword } }))
    if (!outcome) return
    bodyOf(outcome)
    ledger.usernames.add(username)
    ledger.acknowledgements += 1
  }
}

/** An answer that did not come whole is none. */
const unlessGone = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> => answer.catch(() => undefined)

/** It lists what was acknowledged and is missing. */
export const lostFrom = async ({ call }: Visitor, ledger: Ledger): Promise<string[]> => {
  const { preferences: stored } = bodyOf(await call(api.readPreferences, {}))
  const usernames = new Set(await allUsernames(call))
  const lostPreferences = [...ledger.preferences].filter(
    ([key, { acknowledged, sent }]) => stored[key] !== acknowledged && stored[key] !== sent,
  )
  for (const [key, note] of ledger.preferences) {
    ledger.preferences.set(key, { ...note, acknowledged: stored[key] as string | undefined })
  }
  return [...lostPreferences.map(([key]) => key), ...[...ledger.usernames].filter((name) => !usernames.has(name))]
}

const allUsernames = async (call: Visitor['call']): Promise<string[]> => {
  const names: string[] = []
  for (let page = 1; ; page += 1) {
    const { data, totalPages } = bodyOf(await call(api.listUsers, { query: { page, pageSize: 500 } }))
    names.push(...data.map(({ username }) => username))
    if (page >= totalPages) return names
  }
}
