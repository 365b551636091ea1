import { bucketTolerance } from '../../platform/shared-buckets.ts'

/** What the three headers say. */
export interface BucketState {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until there is a token, 0 when there is one. */
  readonly resetSeconds: number
}

export interface Taken extends BucketState {
  readonly allowed: boolean
}

export interface Limiter {
  /** A promise only when others have to be asked. It never fails. */
  take(who: Who): Taken | Promise<Taken>
  /** The state is the one this process knows: other processes may have drawn since. */
  peek(who: Who): BucketState
}

export type Who =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'anonymous'; readonly network: string }

/** Where rate and burst come from; they may change at any time. */
export interface Rates {
  get(key: `rate_limit.${'anonymous' | 'authenticated'}_${'rps' | 'burst'}`): number
}

/** Tokens a second, and how many at once. */
export interface Measure {
  readonly rate: number
  readonly burst: number
}

export interface Bucket {
  tokens: number
  filledAt: number
}

interface LocalLimiter extends Limiter {
  take(who: Who): Taken
}

const bucketsMax = 100_000

/**
 * Token buckets, filled as time passes and kept only while they are not full: a bucket that is forgotten because it is
 * full comes back full. `now` is monotonic milliseconds.
 */
export const tokenBuckets = (rates: Rates, now: () => number = () => performance.now()): LocalLimiter => {
  const buckets = keepBuckets<Bucket>(rates, now)

  return {
    take: (who) => {
      const measure = measureOf(rates, who)
      const key = keyOf(who)
      const tokens = tokensAt(now(), buckets.get(key), measure)
      const allowed = hasToken(tokens)
      const left = allowed ? Math.max(0, tokens - 1) : tokens
      buckets.keep(key, { tokens: left, filledAt: now() })
      return { allowed, ...stateOf(left, measure) }
    },
    peek: (who) => {
      const measure = measureOf(rates, who)
      return stateOf(tokensAt(now(), buckets.get(keyOf(who)), measure), measure)
    },
  }
}

/** It holds a bounded number of buckets: when there is no room, those that have filled up or were used longest ago are dropped. */
export const keepBuckets = <Stored extends Bucket>(rates: Rates, now: () => number) => {
  const buckets = new Map<string, Stored>()

  const makeRoom = (): void => {
    const fullAfterMs = longestFillMs(rates)
    for (const [key, { filledAt }] of buckets) {
      // Kept in the order of their last use: the first that cannot be full ends the search.
      if (now() - filledAt < fullAfterMs && buckets.size < bucketsMax) return
      buckets.delete(key)
    }
  }

  return {
    get: (key: string): Stored | undefined => buckets.get(key),
    keep: (key: string, bucket: Stored): void => {
      buckets.delete(key)
      if (buckets.size >= bucketsMax) makeRoom()
      buckets.set(key, bucket)
    },
  }
}

export const measureOf = (rates: Rates, { kind }: Who): Measure =>
  kind === 'user'
    ? { rate: rates.get('rate_limit.authenticated_rps'), burst: rates.get('rate_limit.authenticated_burst') }
    : { rate: rates.get('rate_limit.anonymous_rps'), burst: rates.get('rate_limit.anonymous_burst') }

export const keyOf = (who: Who): string => (who.kind === 'user' ? `user ${who.id}` : `network ${who.network}`)

/** Without a bucket, a full one. */
export const tokensAt = (at: number, bucket: Bucket | undefined, { rate, burst }: Measure): number =>
  bucket ? Math.min(burst, bucket.tokens + ((at - bucket.filledAt) / 1000) * rate) : burst

export const hasToken = (tokens: number): boolean => tokens + bucketTolerance >= 1

export const stateOf = (tokens: number, { rate, burst }: Measure): BucketState => ({
  limit: burst,
  remaining: Math.floor(tokens + bucketTolerance),
  resetSeconds: hasToken(tokens) ? 0 : Math.ceil((1 - bucketTolerance - tokens) / rate),
})

const longestFillMs = (rates: Rates): number =>
  1000 *
  Math.max(
    rates.get('rate_limit.authenticated_burst') / rates.get('rate_limit.authenticated_rps'),
    rates.get('rate_limit.anonymous_burst') / rates.get('rate_limit.anonymous_rps'),
  )

export const bucketHeaders = ({ limit, remaining, resetSeconds }: BucketState): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSeconds),
})
