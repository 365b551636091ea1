/** Eight buckets each time the duration doubles: what is read from them is right to within nine percent. */
const perDoubling = 8

export const bucketOf = (ms: number): number => Math.ceil(Math.log2(Math.max(ms, 1)) * perDoubling)

/** The longest duration of a bucket. */
const durationOf = (bucket: number): number => Math.round(2 ** (bucket / perDoubling))

export interface Bucket {
  readonly bucket: number
  readonly count: number
}

/** The duration that `share` of all did not exceed; 0 when there are none. */
export const percentile = (buckets: readonly Bucket[], share: number): number => {
  const sorted = [...buckets].sort((one, other) => one.bucket - other.bucket)
  const total = sorted.reduce((sum, { count }) => sum + count, 0)
  let passed = 0
  for (const { bucket, count } of sorted) {
    passed += count
    if (passed >= total * share) return durationOf(bucket)
  }
  return 0
}
