/** A client that was away no longer than this, and missed no more than this, misses nothing. */
export const numbersKept = 100_000
export const factsKeptMs = 24 * 60 * 60 * 1000
