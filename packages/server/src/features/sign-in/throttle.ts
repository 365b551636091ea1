import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { tooManyTries } from '../../platform/errors.ts'
import { sha256 } from '../../platform/tokens.ts'
import { hasSignedInFrom } from '../sessions/sessions.ts'
import { deleteFailuresBefore, deleteFailuresOf, type Failures, selectFailures, upsertFailures } from './queries.ts'

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

/** Refuses a try that comes too soon, before the password is looked at. */
export const requireNotThrottled = async (db: ReadDb, attempt: Try, now: Date): Promise<void> => {
  const keys = keysOf(attempt)
  const known = await selectFailures(db, Object.values(keys))
  const waitOf = (key: string) =>
    waitSeconds(
      known.find((each) => each.key === key),
      now,
    )
  const hasFailedHere = known.some(({ key }) => key === keys.pair)
  const waits = [waitOf(keys.pair)]
  const others = Math.max(waitOf(keys.network), hasFailedHere ? waitOf(keys.account) : 0)
  if (others > 0 && !(await isKnownNetwork(db, attempt))) waits.push(others)
  const wait = Math.max(...waits)
  if (wait > 0) throw tooManyTries(wait, 'Too many failed sign-ins.')
}

const isKnownNetwork = async (db: ReadDb, { userId, network }: Try): Promise<boolean> =>
  userId !== undefined && (await hasSignedInFrom(db, userId, network))

const waitSeconds = (failures: Failures | undefined, now: Date): number =>
  failures ? Math.max(0, Math.ceil((Date.parse(failures.blockedUntil) - now.getTime()) / 1000)) : 0

export const recordFailure = (db: Database, attempt: Try, now: Date): Promise<void> =>
  db.write(async (db) => {
    const keys = Object.values(keysOf(attempt))
    const forgotten = new Date(now.getTime() - forgottenAfterMs).toISOString()
    await deleteFailuresBefore(db, forgotten)
    const known = await selectFailures(db, keys)
    const countOf = (key: string) => (known.find((each) => each.key === key)?.failures ?? 0) + 1
    await upsertFailures(
      db,
      keys.map((key) => oneMore(key, countOf(key), now)),
    )
  })

const oneMore = (key: string, failures: number, now: Date): Failures => {
  const seconds = failures < freeFailures ? 0 : Math.min(2 ** (failures - freeFailures), delaySecondsMax)
  return {
    key,
    failures,
    blockedUntil: new Date(now.getTime() + seconds * 1000).toISOString(),
    lastFailedAt: now.toISOString(),
  }
}

/** Whoever signs in is no guesser. What the network has done to others stays counted. */
export const forgetFailures = async (db: WriteDb, attempt: Try): Promise<void> => {
  const { pair, account } = keysOf(attempt)
  await deleteFailuresOf(db, [pair, account])
}
