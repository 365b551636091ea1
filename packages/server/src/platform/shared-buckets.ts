/**
 * Token buckets that several nodes draw on, filled by the clock of whoever keeps them. A node draws some tokens at a time
 * and counts on its own until it has used them.
 */
export interface SharedBuckets {
  /** A node that has waited so long for a draw counts on its own. */
  readonly drawMs?: number
  draw(draw: BucketDraw): Promise<BucketDrawn>
}

export interface BucketDraw {
  readonly key: string
  /** Tokens a second. */
  readonly rate: number
  readonly burst: number
  /** Whole tokens, from 1 to `burst`; fewer are given when there are fewer. */
  readonly tokens: number
  /**
   * It is what this node drew last time and did not use, less what it saw run over; negative when it used more. It
   * counts only while the bucket is still as that draw left it: what others have read since cannot be undone.
   */
  readonly since?: { readonly stamp: number; readonly unused: number }
}

export interface BucketDrawn {
  readonly given: number
  readonly left: number
  /** The stamp changes with each draw. */
  readonly stamp: number
}

/**
 * Adding up fractions may lose this much: whoever waited exactly as long as they were told has a whole token. It lies
 * between what whole milliseconds can add up to, so that two sums of the same never fall on different sides of it.
 */
export const bucketTolerance = 0.0005
