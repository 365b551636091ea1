import { withDeadline } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { BucketDrawn, SharedBuckets } from '../../platform/shared-buckets.ts'
import {
  type Bucket,
  hasToken,
  keepBuckets,
  keyOf,
  type Limiter,
  type Measure,
  measureOf,
  type Rates,
  stateOf,
  type Taken,
  tokensAt,
} from './rate-limit.ts'

/** What this node knows of a shared bucket: what is in it and what was drawn from it, filling up as time passes. */
interface LocalBucket extends Bucket {
  /** Drawn from the shared bucket and free to be taken until `creditEndsAt`. */
  credit: number
  creditEndsAt: number
  drawnAt: number
  takenSince: number
  /** See `BucketDraw.since`. */
  stamp: number | undefined
  unused: number
  /** While a draw is on its way, everybody waits in line for what it brings. */
  waiting: Settle[] | undefined
}

type Settle = (allowed: boolean) => void

interface SharedLimiterContext {
  readonly rates: Rates
  readonly shared: SharedBuckets
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly now?: () => number
}

const usualDrawMs = 250
const askAgainAfterMs = 1000
const creditMs = 1000
/** All that is drawn and not used, on however many nodes, is at most this part of the burst more than the limit. */
const excess = 0.2
/** What one node draws ahead. */
const portion = 0.1

/**
 * Token buckets that nodes share. A node takes from what it has drawn, and draws as much as it has lately needed; what it
 * did not use in time it no longer uses. Without the shared buckets each node counts on its own.
 */
export const sharedTokenBuckets = ({
  rates,
  shared,
  log,
  now = () => performance.now(),
}: SharedLimiterContext): Limiter => {
  const buckets = keepBuckets<LocalBucket>(rates, now)
  const draws = drawing({ shared, log, now })

  return {
    take: (who) => {
      const measure = measureOf(rates, who)
      const key = keyOf(who)
      const at = now()
      const bucket = buckets.get(key) ?? unknown(measure, at)
      fill(bucket, measure, at)
      buckets.keep(key, bucket)
      const taken = (allowed: boolean): Taken => ({ allowed, ...stateOf(bucket.tokens, measureOf(rates, who)) })
      const allowed = bucket.waiting ? undefined : decide(bucket, draws, at)
      if (allowed !== undefined) return taken(allowed)
      return new Promise((resolve) => {
        const settle: Settle = (verdict) => resolve(taken(verdict))
        if (bucket.waiting) {
          bucket.waiting.push(settle)
          return
        }
        bucket.waiting = [settle]
        void serve({ bucket, waiting: bucket.waiting, measure: () => measureOf(rates, who), draws, key, now })
      })
    },
    peek: (who) => {
      const measure = measureOf(rates, who)
      return stateOf(tokensAt(now(), buckets.get(keyOf(who)), measure), measure)
    },
  }
}

/** Undefined: that depends on the shared bucket. */
const decide = (bucket: LocalBucket, draws: Draws, requestedAt: number): boolean | undefined => {
  if (!hasToken(bucket.tokens)) return false
  const isDrawn = bucket.credit >= 1 && requestedAt < bucket.creditEndsAt
  if (!isDrawn && draws.arePossible()) return undefined
  bucket.tokens = Math.max(0, bucket.tokens - 1)
  bucket.credit = Math.max(0, bucket.credit - 1)
  bucket.unused -= 1
  bucket.takenSince += 1
  return true
}

interface Line {
  readonly key: string
  readonly bucket: LocalBucket
  readonly waiting: Settle[]
  readonly measure: () => Measure
  readonly draws: Draws
  readonly now: () => number
}

/** Draws for those who wait and tells them, in the order they came, until nobody does. */
const serve = async ({ key, bucket, waiting, measure: current, draws, now }: Line): Promise<void> => {
  while (waiting.length > 0) {
    const measure = current()
    const startedAt = now()
    fill(bucket, measure, startedAt)
    const tokens = Math.min(measure.burst, Math.max(waiting.length, demandOf(bucket, measure, startedAt)))
    const since = bucket.stamp === undefined ? undefined : { stamp: bucket.stamp, unused: bucket.unused }
    const drawn = await draws.draw({ key, ...measure, tokens, ...(since && { since }) })
    if (drawn) keep(bucket, measure, drawn, { startedAt, endedAt: now() })
    for (const settle of waiting.splice(0)) {
      // Whoever was waiting for this draw is not too late for it.
      const allowed = decide(bucket, draws, startedAt)
      if (allowed === undefined) waiting.push(settle)
      else settle(allowed)
    }
  }
  bucket.waiting = undefined
}

const unknown = ({ burst }: Measure, at: number): LocalBucket => ({
  tokens: burst,
  filledAt: at,
  credit: 0,
  creditEndsAt: at,
  drawnAt: Number.NEGATIVE_INFINITY,
  takenSince: 0,
  stamp: undefined,
  unused: 0,
  waiting: undefined,
})

/** What runs over is lost, as if it had never been drawn. */
const fill = (bucket: LocalBucket, measure: Measure, at: number): void => {
  const tokens = tokensAt(at, bucket, measure)
  bucket.unused -= bucket.tokens + ((at - bucket.filledAt) / 1000) * measure.rate - tokens
  bucket.tokens = tokens
  bucket.filledAt = at
}

/** It draws what was taken in the time a credit lasts: a client that asks now and then leaves nothing unused. */
const demandOf = ({ drawnAt, takenSince }: LocalBucket, measure: Measure, at: number): number => {
  const lately = (takenSince * creditLastsMs(measure)) / Math.max(1, at - drawnAt)
  return Math.max(1, Math.floor(Math.min(lately, measure.burst * portion)))
}

/** Unused credit was drawn while it lasts, so there is never more of it than the shared bucket gets in that time. */
const creditLastsMs = ({ rate, burst }: Measure): number => Math.min(creditMs, ((excess * burst) / rate) * 1000)

const keep = (
  bucket: LocalBucket,
  measure: Measure,
  { given, left, stamp }: BucketDrawn,
  { startedAt, endedAt }: { readonly startedAt: number; readonly endedAt: number },
): void => {
  bucket.tokens = left + given
  // Not before the shared bucket looked at its clock: who waits as long as they were told finds a token there.
  bucket.filledAt = endedAt
  bucket.credit = given
  bucket.creditEndsAt = startedAt + creditLastsMs(measure)
  bucket.drawnAt = startedAt
  bucket.takenSince = 0
  bucket.stamp = stamp
  bucket.unused = given
}

type Draws = ReturnType<typeof drawing>

/** Draws that do not fail: undefined comes after a deadline, and then nothing is asked for a while. */
const drawing = ({ shared, log, now }: Required<Omit<SharedLimiterContext, 'rates'>>) => {
  let askAt = Number.NEGATIVE_INFINITY
  let isAway = false

  return {
    arePossible: (): boolean => now() >= askAt,
    draw: async (...[draw]: Parameters<SharedBuckets['draw']>): Promise<BucketDrawn | undefined> => {
      // One finds out whether they are back; nobody else waits for that.
      if (isAway) askAt = now() + askAgainAfterMs
      try {
        const drawn = await withDeadline(
          shared.draw(draw),
          shared.drawMs ?? usualDrawMs,
          'The shared rate limits do not answer.',
        )
        if (isAway) log.info('The rate limits are shared with other nodes again')
        isAway = false
        askAt = Number.NEGATIVE_INFINITY
        return drawn
      } catch (err) {
        if (!isAway) log.warn({ err }, 'The shared rate limits cannot be reached; this node counts on its own')
        isAway = true
        askAt = now() + askAgainAfterMs
        return undefined
      }
    },
  }
}
