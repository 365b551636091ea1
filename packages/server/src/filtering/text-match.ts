import { type RawBuilder, sql } from 'kysely'
import { plainText } from '../platform/sort-key.ts'
import { textComparison } from './tests.ts'

/** Rows that a text is found in, and how well: the smaller, the better. Both over the table of the target, under its own name. */
export interface TextMatch {
  readonly where: RawBuilder<boolean>
  readonly relevance: RawBuilder<unknown>
}

/** Every word stands somewhere in the title; the title itself first, then those that begin with the text. */
export const titleMatch = (table: 'series' | 'book', text: string): TextMatch => {
  const title = sql.ref(`${table}.title_text`)
  const has = (operator: 'is' | 'beginsWith' | 'contains', value: string): RawBuilder<boolean> =>
    textComparison({ operator, value }, plainText).compare?.(title) ?? sql<boolean>`true`
  const words = text.split(/\s+/).filter((word) => word !== '')
  return {
    where: sql<boolean>`(${sql.join(
      words.map((word) => has('contains', word)),
      sql` and `,
    )})`,
    relevance: sql`case when ${has('is', text)} then 0 when ${has('beginsWith', text)} then 1 else 2 end`,
  }
}
