import type { RawBuilder } from 'kysely'

/** Rows that a text is found in, and how well: the smaller, the better. Both over the table of the target, under its own name. */
export interface TextMatch {
  readonly where: RawBuilder<boolean>
  readonly relevance: RawBuilder<unknown>
  /** Rows, found or not, whose title begins with the text. */
  readonly begins: RawBuilder<boolean>
  /** Where the index has them in their order. */
  readonly ranked?: RankedMatch | undefined
}

export interface RankedMatch {
  /** A source of ids, the best first, by the columns `part` and `place`: of the rows of the table for which this holds. */
  readonly page: (
    holds: RawBuilder<unknown>,
    cut: { readonly offset: number; readonly limit: number },
  ) => RawBuilder<unknown>
  /** A number: how many there are for those from whom nothing is hidden, `max` at most. */
  readonly count: (max: number) => RawBuilder<number>
}

/** Books that have the words of what is looked for in texts: all that hold it, and maybe others. */
export interface WordsMatch {
  readonly where: RawBuilder<boolean>
  /** There are no others. */
  readonly isExact: boolean
  /** How many there are for those from whom nothing is hidden; null where that takes too long to say. */
  readonly count: RawBuilder<number | null>
  /** How many there are, hidden or not: `max` at most. */
  readonly countUpTo: (max: number) => RawBuilder<number>
}
