import type { RawBuilder } from 'kysely'

export { type Condition, fieldsIn, requireCondition } from './check.ts'
export { holds } from './compile.ts'
export type { Eyes } from './eyes.ts'

/** Rows that a text is found in, and how well: the smaller, the better. Both over the table of the target, under its own name. */
export interface TextMatch {
  readonly where: RawBuilder<boolean>
  readonly relevance: RawBuilder<unknown>
}
