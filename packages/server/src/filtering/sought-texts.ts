import type { FieldTests } from '@carrel/api'
import { plainText } from '../platform/text/sort-key.ts'
import { mayCrossRoot } from './book-tests.ts'
import { type Condition, nodeOf } from './check.ts'

/** The texts of a book whose words have an index. */
export type IndexedText = 'title' | 'path' | 'summary'

/** What a condition asks of one text, beside whatever else it asks for. */
export interface SoughtText {
  readonly text: IndexedText
  readonly operator: 'contains' | 'beginsWith' | 'endsWith'
  /** It is folded like the texts that it is looked for in. */
  readonly part: string
}

const indexed: Readonly<Record<string, IndexedText>> = { title: 'title', path: 'path', summary: 'summary' }

/** Undefined where it is about something else, or where words do not say it. */
export const soughtTextIn = (condition: Condition, seesPaths: boolean): SoughtText | undefined => {
  const { name, value } = nodeOf(condition)
  const text = Object.hasOwn(indexed, name) ? indexed[name] : undefined
  const test = value as FieldTests['text']
  if (!text || !('value' in test)) return undefined
  const { operator } = test
  if (operator !== 'contains' && operator !== 'beginsWith' && operator !== 'endsWith') return undefined
  // The root of a path has words of its own.
  if (text === 'path' && (!seesPaths || mayCrossRoot(test))) return undefined
  const part = plainText(test.value)
  return part === '' ? undefined : { text, operator, part }
}
