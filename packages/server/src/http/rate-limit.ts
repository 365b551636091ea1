/** What the three headers say. */
export interface BucketState {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until there is a token, 0 when there is one. */
  readonly resetSeconds: number
}

interface Taken extends BucketState {
  readonly allowed: boolean
}

export interface Limiter {
  take(who: Who): Taken
  look(who: Who): BucketState
}

export type Who =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'anonymous'; readonly network: string }

/** Where rate and burst come from; they may change at any time. */
export interface Rates {
  get(key: `rate_limit.${'anonymous' | 'authenticated'}_${'rps' | 'burst'}`): number
}

interface Bucket {
  tokens: number
  filledAt: number
}

const bucketsMax = 100_000
/** What adding up fractions may lose: whoever waited exactly as long as they were told has a whole token. */
const tolerance = 0.001

/**
 * Token buckets, filled as time passes and kept only while they are not full: a bucket that is forgotten because it is
 * full comes back full. `now` is monotonic milliseconds.
 */
export const tokenBuckets = (rates: Rates, now: () => number = () => performance.now()): Limiter => {
  const buckets = new Map<string, Bucket>()

  const measureOf = ({ kind }: Who) =>
    kind === 'user'
      ? { rate: rates.get('rate_limit.authenticated_rps'), burst: rates.get('rate_limit.authenticated_burst') }
      : { rate: rates.get('rate_limit.anonymous_rps'), burst: rates.get('rate_limit.anonymous_burst') }

  const filled = (key: string, rate: number, burst: number): number => {
    const bucket = buckets.get(key)
    if (!bucket) return burst
    return Math.min(burst, bucket.tokens + ((now() - bucket.filledAt) / 1000) * rate)
  }

  const makeRoom = (): void => {
    const fullAfterMs = longestFillMs(rates)
    for (const [key, { filledAt }] of buckets) {
      // Kept in the order of their last use: the first that cannot be full ends the search.
      if (now() - filledAt < fullAfterMs && buckets.size < bucketsMax) return
      buckets.delete(key)
    }
  }

  const stateOf = (tokens: number, rate: number, burst: number): BucketState => ({
    limit: burst,
    remaining: Math.floor(tokens + tolerance),
    resetSeconds: tokens + tolerance >= 1 ? 0 : Math.ceil((1 - tolerance - tokens) / rate),
  })

  return {
    take: (who) => {
      const { rate, burst } = measureOf(who)
      const key = keyOf(who)
      const tokens = filled(key, rate, burst)
      const allowed = tokens + tolerance >= 1
      const left = allowed ? Math.max(0, tokens - 1) : tokens
      buckets.delete(key)
      if (buckets.size >= bucketsMax) makeRoom()
      buckets.set(key, { tokens: left, filledAt: now() })
      return { allowed, ...stateOf(left, rate, burst) }
    },
    look: (who) => {
      const { rate, burst } = measureOf(who)
      return stateOf(filled(keyOf(who), rate, burst), rate, burst)
    },
  }
}

const keyOf = (who: Who): string => (who.kind === 'user' ? `user ${who.id}` : `network ${who.network}`)

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
