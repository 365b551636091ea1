/** Both sides keep to these limits. A host may be narrower in time, never in size. */
export const limits = {
  /** A line a plugin writes to its standard output, its newline not counted. */
  lineFromPluginBytes: 1_048_576,
  /** A line a host writes: `recommendations/get` carries a whole library. */
  lineFromHostBytes: 33_554_432,
  /** A side may have this many calls open with the other at one time. */
  openCalls: 32,
  /** A host waits this long for an answer, unless the administrator has set another limit. */
  answerMs: 30_000,
  /** No host waits longer than this, whatever the administrator has set. */
  longestAnswerMs: 1_800_000,
  /** A plugin has this long between `shutdown` and being ended. */
  shutdownMs: 5_000,
  /** Series in one `recommendations/get` or `recommendations/updateProfile`. */
  libraryEntries: 20_000,
  /** Results of one search, recommendations of one answer: a host may pass over what is beyond. */
  results: 100,
  storageKeys: 100,
  storageKeyCharacters: 255,
  /** The value is measured as JSON in UTF-8: with its envelope it fits on a line. */
  storageValueBytes: 1_000_000,
} as const
