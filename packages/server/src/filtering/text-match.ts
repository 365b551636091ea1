import type { RawBuilder } from 'kysely'

/** Rows that a text is found in, and how well: the smaller, the better. Both over the table of the target, under its own name. */
export interface TextMatch {
  readonly where: RawBuilder<boolean>
  readonly relevance: RawBuilder<unknown>
  /** Rows, found or not, whose title begins with the text. */
  readonly begins: RawBuilder<boolean>
}
