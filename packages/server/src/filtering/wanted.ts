import type { ConditionTarget } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import { sha256 } from '../platform/tokens.ts'
import { randomLabel } from '../platform/tokens.ts'
import { type Condition, requireCondition } from './check.ts'
import { holds, isAlwaysTrue } from './compile.ts'
import type { Eyes } from './eyes.ts'
import { type TextMatch, titleMatch } from './text-match.ts'

/** What a list is narrowed by, as a client says it. */
export interface Narrowing {
  /** Not checked yet. */
  readonly condition?: unknown
  readonly fullTextSearch?: string | undefined
  /** Names of genres and of tags, separated by commas. */
  readonly genres?: string | undefined
  readonly tags?: string | undefined
}

export interface Narrowed {
  /** Undefined where it would hold for all. */
  readonly narrowed: RawBuilder<boolean> | undefined
  readonly text: TextMatch | undefined
}

export const narrow = (
  { condition, fullTextSearch, genres, tags }: Narrowing,
  look: { readonly target: ConditionTarget; readonly viewer: Eyes },
): Narrowed => {
  const conditions = [
    ...(condition === undefined ? [] : [requireCondition(look.target, condition, '/condition')]),
    ...namesIn(genres).map((value): Condition => ({ genre: { operator: 'is', value } })),
    ...namesIn(tags).map((value): Condition => ({ tag: { operator: 'is', value } })),
  ]
  const narrowed = holds({ allOf: conditions } as Condition, look)
  const text = fullTextSearch?.trim()
  return {
    narrowed: isAlwaysTrue(narrowed) ? undefined : narrowed,
    text: text ? titleMatch(look.target === 'series' ? 'series' : 'book', text) : undefined,
  }
}

const namesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Where in the order of chance a seed begins; without a seed each time somewhere else. */
export const startOf = (seed: string | undefined): string => sha256(seed ?? randomLabel(12)).slice(0, 12)
