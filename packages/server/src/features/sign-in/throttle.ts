import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { cannotBeSaved, tooManyTries } from '../../platform/errors.ts'
import { limitConcurrency } from '../../platform/limits.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { sha256 } from '../../platform/secrets/tokens.ts'
import { hasSignedInFrom } from '../sessions/sessions.ts'
import {
  countFailure,
  deleteFailuresBefore,
  deleteFailuresOf,
  deleteNetworksBefore,
  type Failures,
  hasComeFrom,
  saveKnownNetworks,
  type SeenAt,
  selectFailures,
} from './queries.ts'

/**
 * Failed tries are counted three ways:
 *
 * - `pair`: this account from this network. Always slows.
 * - `network`: any account from this network. Slows, unless the account has signed in from here before: behind a proxy
 *   that hides addresses a stranger's network is the owner's too.
 * - `account`: this account from anywhere. Slows only networks that have failed for it themselves, so that a stranger
 *   with many addresses is slow everywhere and the owner, who knows the password, gets in at the first try.
 */
export interface Try {
  /** The user's id, or the folded name when there is no such user: a stranger must not see a difference. */
  readonly account: string
  readonly userId: string | undefined
  readonly network: string
}

const freeFailures = 5
const delaySecondsMax = 900
const forgottenAfterMs = 60 * 60 * 1000

const keysOf = ({ account, network }: Try) => ({
  pair: `pair:${sha256(`${account} ${network}`)}`,
  network: `network:${network}`,
  account: `account:${sha256(account)}`,
})

/** Undefined is a failure, and counted. Of those sent at once each knows how the one before went, and what that did to the wait. */
export const tryOnce = <Proof>(
  { db, clock }: { readonly db: Database; readonly clock: () => Date },
  attempt: Try,
  check: () => Promise<Proof | undefined>,
): Promise<Proof | undefined> =>
  inLine(keysOf(attempt).pair, async () => {
    await requireNotThrottled(db.read, attempt, clock())
    const proof = await check()
    if (proof === undefined) await recordFailure(db, attempt, clock())
    return proof
  })

interface Line {
  length: number
  readonly join: ReturnType<typeof limitConcurrency>
}

const lines = new Map<string, Line>()

const newLine = (): Line => ({
  length: 0,
  join: limitConcurrency({
    inFlightMax: 1,
    waitingMax: 32,
    busy: 'Too many sign-ins at once. Try again in a moment.',
  }),
})

const inLine = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
  const line = lines.get(key) ?? newLine()
  lines.set(key, line)
  line.length += 1
  try {
    return await line.join(work)
  } finally {
    line.length -= 1
    if (line.length === 0) lines.delete(key)
  }
}

/** It refuses a try that comes too soon, before the password is looked at. */
export const requireNotThrottled = async (db: ReadDb, attempt: Try, now: Date): Promise<void> => {
  const keys = keysOf(attempt)
  const failures = [
    ...(await selectFailures(db, Object.values(keys))),
    ...unsavedFailures(db, Object.values(keys), now),
  ]
  const waitOf = (key: string) =>
    Math.max(0, ...failures.filter((each) => each.key === key).map((each) => waitSeconds(each, now)))
  const hasFailedHere = failures.some(({ key }) => key === keys.pair)
  const waits = [waitOf(keys.pair)]
  const others = Math.max(waitOf(keys.network), hasFailedHere ? waitOf(keys.account) : 0)
  if (others > 0 && !(await isKnownNetwork(db, attempt))) waits.push(others)
  const wait = Math.max(...waits)
  if (wait > 0) throw tooManyTries(wait, 'Too many failed sign-ins.')
}

const isKnownNetwork = async (db: ReadDb, { userId, network }: Try): Promise<boolean> =>
  userId !== undefined && ((await hasSignedInFrom(db, userId, network)) || (await hasComeFrom(db, { userId, network })))

const waitSeconds = (record: Failures, now: Date): number => {
  if (record.failures < freeFailures) return 0
  const delaySeconds = Math.min(2 ** (record.failures - freeFailures), delaySecondsMax)
  return Math.max(0, Math.ceil(delaySeconds - (now.getTime() - Date.parse(record.lastFailedAt)) / 1000))
}

export const recordFailure = (db: Database, attempt: Try, now: Date): Promise<void> =>
  db
    .write(async (db) => {
      await deleteFailuresBefore(db, new Date(now.getTime() - forgottenAfterMs).toISOString())
      // The order is always the same, so that two transactions cannot wait for each other.
      await countFailure(db, Object.values(keysOf(attempt)).sort(), now.toISOString())
    })
    .catch((error: unknown) => {
      if (!cannotBeSaved(error)) throw error
      countUnsaved(db.read, Object.values(keysOf(attempt)), now.toISOString())
    })

const unsavedMax = 20_000
/** Guessers are not made faster by a disk that is full: what cannot be counted in a database is counted beside it. */
const unsaved = new WeakMap<ReadDb, BoundedMap<Failures>>()

const unsavedFailures = (db: ReadDb, keys: readonly string[], now: Date): Failures[] =>
  keys
    .map((key) => unsaved.get(db)?.get(key))
    .filter((each) => each !== undefined)
    .filter(({ lastFailedAt }) => now.getTime() - Date.parse(lastFailedAt) < forgottenAfterMs)

const countUnsaved = (db: ReadDb, keys: readonly string[], at: string): void => {
  const counted = unsaved.get(db) ?? new BoundedMap<Failures>(unsavedMax)
  unsaved.set(db, counted)
  for (const key of keys) counted.set(key, { key, failures: (counted.get(key)?.failures ?? 0) + 1, lastFailedAt: at })
}

/** A user who signs in is not guessing. Failures of the network against others stay counted. */
export const forgetFailures = async (db: WriteDb, attempt: Try): Promise<void> => {
  const { pair, account } = keysOf(attempt)
  await deleteFailuresOf(db, [pair, account])
}

const day = 24 * 60 * 60 * 1000
/** It is as long as an ended session still shows where its user has signed in. */
const networksRememberedMs = 180 * day

/** A user who comes with valid credentials is known at that network from then on, with a session or without. */
export const knowNetworks = async (db: WriteDb, seen: readonly SeenAt[], now: Date): Promise<void> => {
  await deleteNetworksBefore(db, new Date(now.getTime() - networksRememberedMs).toISOString())
  await saveKnownNetworks(db, seen, now.toISOString())
}
