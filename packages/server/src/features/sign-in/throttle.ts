import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { tooManyTries } from '../../platform/errors.ts'
import { sha256 } from '../../platform/tokens.ts'
import { hasSignedInFrom } from '../sessions/sessions.ts'
import { countFailure, deleteFailuresBefore, deleteFailuresOf, type Failures, selectFailures } from './queries.ts'

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

const waitSeconds = (known: Failures | undefined, now: Date): number => {
  if (!known || known.failures < freeFailures) return 0
  const delaySeconds = Math.min(2 ** (known.failures - freeFailures), delaySecondsMax)
  return Math.max(0, Math.ceil(delaySeconds - (now.getTime() - Date.parse(known.lastFailedAt)) / 1000))
}

export const recordFailure = (db: Database, attempt: Try, now: Date): Promise<void> =>
  db.write(async (db) => {
    await deleteFailuresBefore(db, new Date(now.getTime() - forgottenAfterMs).toISOString())
    // Always in one order, so that two of these cannot wait for each other.
    await countFailure(db, Object.values(keysOf(attempt)).sort(), now.toISOString())
  })

/** Whoever signs in is no guesser. What the network has done to others stays counted. */
export const forgetFailures = async (db: WriteDb, attempt: Try): Promise<void> => {
  const { pair, account } = keysOf(attempt)
  await deleteFailuresOf(db, [pair, account])
}
